// Adds swatches to colour fields, which open the browser's colour picker.
import { tell } from './fields.js';
import { calm, released } from './live.js';

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
const WRONG = 'is not a colour; write one like #0b5fff';

/** A colour in the form that pickers use: `#ffaa00` for `#fa0`. Undefined if it is not valid. */
function whole(text) {
  if (!HEX.test(text)) return undefined;
  return (text.length === 4 ? text.replace(/[0-9a-f]/gi, '$&$&') : text).toLowerCase();
}

/** The non-empty lines of a field. */
const lines = (text) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Adds swatches to every colour field. */
export function colours(root) {
  for (const field of root.querySelectorAll('[data-colour]')) one(field);
  for (const field of root.querySelectorAll('[data-colours]')) several(field);
}

function swatch(name) {
  const picker = Object.assign(document.createElement('input'), { type: 'color', className: 'swatch' });
  picker.setAttribute('aria-label', name);
  return picker;
}

const nameOf = (field) => field.labels[0].textContent;

/** Shows an error when the user pauses typing, and at once when they leave the field. */
function judged(field, isWrong) {
  const judge = async () => {
    await released();
    if (isWrong()) tell(field, WRONG);
  };
  field.addEventListener('input', calm(judge));
  field.addEventListener('change', judge);
}

/** Sets a field's colour as if it had been typed. */
function put(field, text) {
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

function one(field) {
  const picker = swatch(`Pick: ${nameOf(field)}`);
  const around = Object.assign(document.createElement('span'), { className: 'coloured' });
  field.replaceWith(around);
  around.append(picker, field);
  const look = () => field.form.querySelector('[data-variables]')?.style.getPropertyValue(field.dataset.colour).trim() ?? '';
  const follow = () => {
    const typed = field.value.trim();
    const shown = whole(typed || look());
    if (shown) picker.value = shown;
    picker.classList.toggle('unset', !typed);
  };
  field.addEventListener('input', follow);
  picker.addEventListener('input', () => put(field, picker.value));
  // The default of an empty field is the preview's derived colour.
  field.form.querySelector('[data-preview]')?.addEventListener('drawn', follow);
  judged(field, () => field.value.trim() !== '' && !whole(field.value.trim()));
  follow();
}

function several(field) {
  const row = Object.assign(document.createElement('div'), { className: 'swatches' });
  row.setAttribute('role', 'group');
  row.setAttribute('aria-label', `Pick: ${nameOf(field)}`);
  const more = Object.assign(document.createElement('button'), { type: 'button', className: 'button', textContent: 'Add a colour' });
  row.append(more);
  field.after(row);
  const pickers = () => [...row.querySelectorAll('input')];
  const add = () => {
    const place = pickers().length;
    const picker = swatch(`Colour of series ${place + 1}`);
    picker.addEventListener('input', () =>
      put(
        field,
        lines(field.value)
          .map((line, at) => (at === place ? picker.value : line))
          .join('\n'),
      ),
    );
    more.before(picker);
  };
  // Swatches are only added and removed at the end, so that an open picker keeps its place.
  const follow = () => {
    const typed = lines(field.value);
    while (pickers().length < typed.length) add();
    for (const picker of pickers().slice(typed.length)) picker.remove();
    pickers().forEach((picker, at) => {
      const shown = whole(typed[at]);
      if (shown) picker.value = shown;
      picker.classList.toggle('unset', !shown);
    });
  };
  more.addEventListener('click', () => {
    put(field, [...lines(field.value), whole(field.form.querySelector('[data-colour]')?.value.trim() ?? '') ?? '#0b5fff'].join('\n'));
    pickers().at(-1)?.focus();
  });
  field.addEventListener('input', follow);
  judged(field, () => !lines(field.value).every(whole));
  follow();
}
