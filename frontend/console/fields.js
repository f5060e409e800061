// What is wrong with a field is said beside it: by the browser's own checks before a form is sent, by the server after.

/** What the browser's checks of a field mean, in the console's words. */
function said({ type, min, max, validity, validationMessage }) {
  if (validity.valueMissing) return 'is required';
  if (validity.typeMismatch)
    return type === 'email' ? 'is not a valid email address' : 'is not a valid URL; write one like https://login.example.com';
  if (validity.badInput || validity.stepMismatch) return 'is not a whole number';
  if (validity.rangeUnderflow) return `is at least ${min}`;
  if (validity.rangeOverflow) return `is at most ${max}`;
  return validationMessage;
}

/** Says beside a field what is wrong with it; nothing where `problem` is empty. */
export function tell(field, problem) {
  const below = document.getElementById(field.getAttribute('aria-describedby') ?? '');
  const told = below?.matches('[data-problem]') ? below : below?.querySelector('[data-problem]');
  if (told) told.textContent = problem;
  field.closest('.field')?.classList.toggle('wrong', Boolean(problem));
  if (problem) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
}

/** Puts the reader on a field, wherever it is folded away. */
export function reach(field) {
  for (let around = field.closest('details'); around; around = around.parentElement.closest('details')) around.open = true;
  field.focus();
}

/** The browser's own checks are told as the server's are, and are forgotten once somebody mends what they named. */
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

/** Addresses of databases and keys are long: whoever types one may look at it. */
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

/** What was typed into a form's fields for secrets, which the server never sends back. Current passwords are typed anew. */
export function secrets(form) {
  const kept = ({ type, autocomplete, dataset }) => 'secret' in dataset || (type === 'password' && autocomplete !== 'current-password');
  return [...form.elements].filter((field) => kept(field) && field.value);
}
