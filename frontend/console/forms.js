// Sends forms with fetch: the response replaces the page, and what was typed survives a lost connection.
import { carry, typedSince, unsent, valuesOf } from './carry.js';
import { reach, secrets, tell } from './fields.js';
import { encoded, hush } from './live.js';

const CHANGED = 'changed';
/** A form whose session ended after it was drawn. */
const STALE = 'stale';
export const LOST = 'The connection is lost. What you typed is still here: try again when you are online.';
const AWAY = 'The service does not respond. What you typed is still here: try again in a moment.';
const ENDED = 'Your session has ended. What you typed is still here: sign in in another tab, then send it again.';

const address = () => location.pathname + location.search;
/** The URL of the current page. */
let shown = address();

/** Sends every form of the page that changes something. `ready` is called with each new page. */
export function forms(root, ready) {
  root.addEventListener('input', (event) => {
    const form = event.target.closest('form.form');
    if (form) form.dataset[CHANGED] = 'true';
  });
  addEventListener('beforeunload', (event) => {
    if (root.querySelector(`form[data-${CHANGED}]`)) event.preventDefault();
  });
  // A link within the page, such as the skip link, does not leave it.
  addEventListener('popstate', () => {
    if (address() !== shown) location.reload();
  });
  root.addEventListener('submit', (event) => {
    const form = event.target;
    if (form.method !== 'post' || event.defaultPrevented) return;
    event.preventDefault();
    void send(form, event.submitter, ready);
  });
}

async function send(form, submitter, ready) {
  if (form.getAttribute('aria-busy') === 'true') return;
  if (tooLarge(form, submitter)) return;
  form.setAttribute('aria-busy', 'true');
  const pressed = submitter?.matches('.unseen') ? form.querySelector('.actions .button') : submitter;
  if (pressed) pressed.dataset.pressed = '';
  const target = submitter?.hasAttribute('formaction') ? submitter.formAction : form.action;
  try {
    if (form.dataset[STALE]) await renew(form);
    // Only a form with files is sent as multipart.
    const sent = valuesOf(form);
    const fields = form.enctype === 'multipart/form-data' ? new FormData(form, submitter) : encoded(form, submitter);
    hush();
    const answer = await fetch(target, { method: 'POST', body: fields, redirect: 'follow', credentials: 'same-origin' });
    take(answer, await answer.text(), { form, submitter, sent }, ready);
  } catch {
    tellAt(form, LOST);
  } finally {
    form.removeAttribute('aria-busy');
    delete pressed?.dataset.pressed;
  }
}

/** Shows an error beside a file that exceeds the size limit. Nothing is sent then. */
function tooLarge(form, submitter) {
  const file = form.dataset.most && form.querySelector('input[type="file"]');
  if (!file) return false;
  const around = 256;
  const weigh = (value) => (typeof value === 'string' ? new TextEncoder().encode(value.replace(/\r?\n/g, '\r\n')).length : value.size);
  const weight = [...new FormData(form, submitter).values()].reduce((sum, value) => sum + weigh(value) + around, 0);
  if (weight <= Number(form.dataset.most)) return false;
  tell(file, form.dataset.tooLarge);
  reach(file);
  return true;
}

/** Updates a form with the CSRF token of a session that was started in another tab. */
async function renew(form) {
  const answer = await fetch(location.href, { credentials: 'same-origin' });
  /** @type {HTMLInputElement | null} */
  const token = parsed(await answer.text()).querySelector('main form [name="csrf"]');
  if (!token || new URL(answer.url).pathname !== location.pathname) return;
  form.elements.csrf.value = token.value;
  delete form.dataset[STALE];
}

function take(answer, html, sending, ready) {
  const { form } = sending;
  const ended = answer.redirected && new URL(answer.url).searchParams.has('ended');
  if (ended) {
    form.dataset[STALE] = 'true';
    tellAt(form, ENDED, answer.url);
  } else if (answer.redirected) {
    go(answer.url, html, sending, ready);
  } else {
    show(html, sending, ready);
  }
}

const parsed = (html) => new DOMParser().parseFromString(html, 'text/html');

/** Shows the page that the response redirected to. It is already loaded, with its notice. */
function go(target, html, { form, sent }, ready) {
  const page = parsed(html);
  const typed = [...unsent(form), ...typedSince(form, sent)];
  history.pushState(null, '', target);
  shown = address();
  document.title = page.title;
  document.body.replaceChildren(...document.adoptNode(page.body).childNodes);
  ready(document);
  carry(typed);
  scrollTo(0, 0);
  document.querySelector('main')?.focus();
}

/** Replaces the current page by the response. A page that only contains an error does not replace a form. */
function show(html, { form, submitter, sent }, ready) {
  const page = parsed(html);
  const [old, fresh] = [document.querySelector('main'), page.querySelector('main')];
  if (!old || !fresh?.querySelector('form')) {
    tellAt(form, fresh?.querySelector('[role="alert"]')?.textContent ?? AWAY);
    return;
  }
  const hidden = secrets(form);
  const typed = [...unsent(form), ...typedSince(form, sent)];
  document.title = page.title;
  old.replaceWith(document.adoptNode(fresh));
  /** @type {HTMLFormElement | null} */
  const again = fresh.querySelector(`form[action="${form.getAttribute('action')}"]`);
  for (const { name, value } of hidden) {
    const field = /** @type {HTMLInputElement | null | undefined} */ (again?.elements.namedItem(name));
    if (field) field.value = value;
  }
  if (again?.querySelector('.refused')) again.dataset[CHANGED] = 'true';
  ready(fresh);
  carry(typed);
  settle(fresh, again, submitter);
}

/** Moves the focus to the first invalid field, to the message, or to the button that was pressed. */
function settle(fresh, again, submitter) {
  const wrong = fresh.querySelector('[aria-invalid="true"]');
  const told = fresh.querySelector('.refused[role="alert"], .secret, [data-result], .notice');
  if (wrong) {
    reach(wrong);
    return;
  }
  const pressed = submitter?.name ? again?.querySelector(`button[name="${submitter.name}"]`) : again?.querySelector('.actions button');
  if (told) told.tabIndex = -1;
  (told ?? pressed ?? fresh).focus({ preventScroll: true });
  told?.scrollIntoView({ block: 'center' });
}

/** Shows an error above a form. What was typed stays. `way` is a link to where the cause can be fixed. */
export function tellAt(form, text, way) {
  const place = form.matches('.form') ? form : (form.closest('.ask-box') ?? document.querySelector('main'));
  place.querySelector(':scope > .lost')?.remove();
  const told = document.createElement('p');
  told.className = 'refused lost';
  told.setAttribute('role', 'alert');
  told.textContent = text;
  if (way) {
    const link = Object.assign(document.createElement('a'), { href: way, target: '_blank', textContent: 'Sign in' });
    told.append(' ', link);
  }
  place.prepend(told);
  told.scrollIntoView({ block: 'center' });
}
