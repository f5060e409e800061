// Forms are sent by fetch: what comes back takes the page's place, and what was typed survives a lost connection.

const CHANGED = 'changed';

/** Sends every form of the page that changes something. `ready` is called with each page that comes back. */
export function forms(root, ready) {
  root.addEventListener('input', (event) => {
    const form = event.target.closest('form.form');
    if (form) form.dataset[CHANGED] = 'true';
  });
  root.addEventListener('change', (event) => {
    event.target.closest('form[data-autosubmit]')?.requestSubmit();
  });
  addEventListener('beforeunload', (event) => {
    if (root.querySelector(`form[data-${CHANGED}]`)) event.preventDefault();
  });
  addEventListener('popstate', () => location.reload());
  root.addEventListener('submit', (event) => {
    const form = event.target;
    if (form.method !== 'post' || event.defaultPrevented) return;
    event.preventDefault();
    send(form, event.submitter, ready);
  });
}

async function send(form, submitter, ready) {
  if (form.getAttribute('aria-busy') === 'true') return;
  form.setAttribute('aria-busy', 'true');
  const fields = new URLSearchParams(new FormData(form, submitter));
  const address = submitter?.hasAttribute('formaction') ? submitter.formAction : form.action;
  try {
    const answer = await fetch(address, { method: 'POST', body: fields, redirect: 'follow', credentials: 'same-origin' });
    const html = await answer.text();
    delete form.dataset[CHANGED];
    if (answer.redirected) go(answer.url, html, ready);
    else show(html, ready);
  } catch {
    lost(form);
  } finally {
    form.removeAttribute('aria-busy');
  }
}

/** Opens the page that the browser was sent to: it is here already, with the notice of what was done. */
function go(address, html, ready) {
  const page = new DOMParser().parseFromString(html, 'text/html');
  history.pushState(null, '', address);
  document.title = page.title;
  document.body.replaceChildren(...document.adoptNode(page.body).childNodes);
  ready(document);
  scrollTo(0, 0);
  document.querySelector('main').focus();
}

/** Puts the page that came back into the place of the one that stands. */
function show(html, ready) {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const [old, fresh] = [document.querySelector('main'), page.querySelector('main')];
  if (!fresh) return;
  document.title = page.title;
  old.replaceWith(document.adoptNode(fresh));
  ready(fresh);
  const told = fresh.querySelector('.refused[role="alert"], .secret, [data-result], .notice');
  const wrong = fresh.querySelector('[aria-invalid="true"]');
  if (wrong) wrong.focus();
  told?.scrollIntoView({ block: 'center' });
}

/** Says that the connection is lost; what was typed stays. */
function lost(form) {
  form.querySelector('.lost')?.remove();
  const told = document.createElement('p');
  told.className = 'refused lost';
  told.setAttribute('role', 'alert');
  told.textContent = 'The connection is lost. What you typed is still here: try again when you are online.';
  form.prepend(told);
  told.scrollIntoView({ block: 'center' });
}
