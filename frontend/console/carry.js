// Keeps what was typed when a form is sent and the next page is shown: into the page's other forms, and into the sent one while
// the response was under way.

/** Fields with a typed value: no buttons, files or hidden fields. */
const FIELDS = 'input:not([type="hidden"], [type="file"], [type="submit"], [type="button"], [type="reset"]), select, textarea';

const ticks = (field) => field.type === 'checkbox' || field.type === 'radio';

/** The initial option of a select: the marked one, otherwise the first. */
const drawn = (select) => [...select.options].find((one) => one.defaultSelected) ?? select.options[0];

/** Whether a field has been changed. */
function isChanged(field) {
  if (ticks(field)) return field.checked !== field.defaultChecked;
  return field.tagName === 'SELECT' ? field.value !== drawn(field)?.value : field.value !== field.defaultValue;
}

/** The forms of the page with this action. @returns {HTMLFormElement[]} */
const sentTo = (action) =>
  [.../** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll('main form'))].filter(
    (form) => form.getAttribute('action') === action,
  );

/** The editable fields of a form. @param {Element} form @returns {HTMLInputElement[]} */
const fieldsOf = (form) => [.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll(FIELDS))];

/** The changed values of all forms except the one that is sent: `[{ action, place, fields: [{ name, value, ticked }] }]`. */
export function unsent(sent) {
  const others = [.../** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll('main form[data-changed]'))].filter(
    (form) => form !== sent,
  );
  return others
    .map((form) => ({
      action: form.getAttribute('action'),
      place: sentTo(form.getAttribute('action')).indexOf(form),
      fields: fieldsOf(form)
        .filter((field) => field.name && isChanged(field))
        .map(kept),
    }))
    .filter(({ fields }) => fields.length);
}

/** The fields of a form with their values, to compare with later. @returns {Map<HTMLInputElement, string | boolean>} */
export const valuesOf = (form) => new Map(fieldsOf(form).map((field) => [field, typed(field)]));

const typed = (field) => (ticks(field) ? field.checked : field.value);

/** What was typed into a form since its values were taken, in the shape of `unsent`. */
export function typedSince(form, before) {
  const fields = fieldsOf(form).filter((field) => field.name && before.has(field) && before.get(field) !== typed(field));
  if (!fields.length) return [];
  return [{ action: form.getAttribute('action'), place: sentTo(form.getAttribute('action')).indexOf(form), fields: fields.map(kept) }];
}

const kept = (field) => ({ name: field.name, value: field.value, ticked: ticks(field) ? field.checked : undefined });

/** Restores the values on the next page. */
export function carry(forms) {
  for (const { action, place, fields } of forms) {
    const form = sentTo(action)[place];
    for (const { name, value, ticked } of form ? fields : []) {
      const field = fieldsOf(form).find((one) => one.name === name && (ticked === undefined || one.value === value));
      if (!field) continue;
      if (ticked === undefined) field.value = value;
      else field.checked = ticked;
      for (let around = field.closest('details'); around; around = around.parentElement?.closest('details') ?? null) around.open = true;
      // Marks the form as changed and updates what depends on the field.
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }
}
