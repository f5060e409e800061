// Shows errors beside their fields: from the browser's own validation before a form is sent, from the server afterwards.

/** The console's message for the browser's validation of a field. */
function said({ type, min, max, validity, validationMessage }) {
  if (validity.valueMissing) return 'is required';
  if (validity.typeMismatch)
    return type === 'email' ? 'is not a valid email address' : 'is not a valid URL; write one like https://login.example.com';
  if (validity.badInput || validity.stepMismatch) return 'is not a whole number';
  if (validity.rangeUnderflow) return `is at least ${min}`;
  if (validity.rangeOverflow) return `is at most ${max}`;
  return validationMessage;
}

/** Shows an error beside a field. Removes it if `problem` is empty. Does nothing for a form that the page replaced since. */
export function tell(field, problem) {
  // The place beside the field is found by its id, which the new form has too.
  if (!field.isConnected) return;
  const below = document.getElementById(field.getAttribute('aria-describedby') ?? '');
  const told = below?.matches('[data-problem]') ? below : below?.querySelector('[data-problem]');
  if (told) told.textContent = problem;
  field.closest('.field')?.classList.toggle('wrong', Boolean(problem));
  if (problem) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
}

/** Moves the focus to a field and expands the section around it. */
export function reach(field) {
  for (let around = field.closest('details'); around; around = around.parentElement.closest('details')) around.open = true;
  field.focus();
}

/** Shows the browser's validation errors like the server's, and removes them once the field is changed. */
export function checking(root) {
  root.addEventListener(
    'invalid',
    (event) => {
      event.preventDefault();
      const field = event.target;
      tell(field, said(field));
      const first = [...field.form.elements].find((one) => one.willValidate && !one.validity.valid);
      if (field === first) reach(field);
    },
    true,
  );
  root.addEventListener('input', ({ target }) => {
    if (target.getAttribute('aria-invalid') === 'true') tell(target, '');
  });
}

/** Adds a button that shows what is typed into a field for long secrets, such as database URLs and keys. */
export function revealing(root) {
  for (const field of root.querySelectorAll('input[type="password"][autocomplete="off"]')) {
    const [around, button] = [document.createElement('span'), document.createElement('button')];
    around.className = 'revealing';
    Object.assign(button, { type: 'button', className: 'button quiet', textContent: 'Show' });
    button.setAttribute('aria-controls', field.id);
    button.addEventListener('click', () => {
      const shown = field.type === 'text';
      field.type = shown ? 'password' : 'text';
      button.textContent = shown ? 'Show' : 'Hide';
    });
    field.dataset.secret = '';
    field.replaceWith(around);
    around.append(field, button);
  }
}

/** The values of a form's secret fields, which the server never sends back. Current passwords must be typed again. */
export function secrets(form) {
  const kept = ({ type, autocomplete, dataset }) => 'secret' in dataset || (type === 'password' && autocomplete !== 'current-password');
  return [...form.elements].filter((field) => kept(field) && field.value);
}
