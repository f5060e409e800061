// Colours are typed or picked: beside each field that holds some stand swatches that open the browser's own picker.
import { tell } from './fields.js';
import { calm, released } from './live.js';

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
const WRONG = 'is not a colour; write one like #0b5fff';

/** A colour as pickers take it: `#ffaa00` of `#fa0`; nothing of what is none. */
function whole(text) {
  if (!HEX.test(text)) return undefined;
  return (text.length === 4 ? text.replace(/[0-9a-f]/gi, '$&$&') : text).toLowerCase();
}

/** The lines of a field that hold something. */
const lines = (text) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Gives every field of colours its swatches. */
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

/** Shows what somebody typed wrong once they pause, and at once when they leave the field. */
function judged(field, isWrong) {
  const judge = async () => {
    await released();
    if (isWrong()) tell(field, WRONG);
  };
  field.addEventListener('input', calm(judge));
  field.addEventListener('change', judge);
}

/** Puts a colour into a field as if it had been typed. */
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
  // What the preview makes of the other colours is what this one is when nobody chooses it.
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
  // Pickers stay where they are while one of them is open: they are only added and taken off at the end.
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
