// Updates while the user types: checks of fields, previews beside forms.
import { tell } from './fields.js';

const PAUSE = 350;

let asking = new AbortController();

/**
 * Drops all questions about what was typed: those that wait and those that are under way. Called when a form is sent or the page
 * is left, since what they are about may be gone: nobody asks for a preview of a deleted application.
 */
export function hush() {
  asking.abort();
  asking = new AbortController();
}
addEventListener('beforeunload', hush);

/** Calls back after a pause without further calls, with a signal that aborts at `hush`. @param {(signal: AbortSignal) => void} act */
export function calm(act) {
  let timer;
  return () => {
    clearTimeout(timer);
    const { signal } = asking;
    timer = setTimeout(() => signal.aborted || act(signal), PAUSE);
  };
}

let pressing = false;
/** @type {Function[]} */
const waiting = [];
addEventListener(
  'pointerdown',
  () => {
    pressing = true;
  },
  true,
);
for (const end of ['pointerup', 'pointercancel']) {
  addEventListener(
    end,
    () => {
      pressing = false;
      // The click event at the end of a press comes first.
      setTimeout(() => {
        for (const go of waiting.splice(0)) go();
      });
    },
    true,
  );
}

/** Waits until no button is pressed: if content moves during a press, the click is lost. */
export const released = () =>
  pressing
    ? new Promise((go) => {
        waiting.push(go);
      })
    : undefined;

/** The values of a form, encoded like a form without files. @param {HTMLFormElement} form @param {HTMLElement | null} [submitter] */
export const encoded = (form, submitter) => new URLSearchParams(/** @type {[string, string][]} */ ([...new FormData(form, submitter)]));

/** The server's response to the current values. Undefined if it refuses. @param {AbortSignal} [signal] */
export async function post(address, fields, accept, signal) {
  const answer = await fetch(address, { method: 'POST', body: fields, headers: { accept }, credentials: 'same-origin', signal });
  // If the session has ended, the response is the sign-in page, which must not be inserted.
  return answer.ok && !answer.redirected ? answer : undefined;
}

/** Checks fields on the server while they are edited. Only the response to the latest request is used. */
export function checks(root) {
  for (const field of root.querySelectorAll('[data-check]')) {
    let asked = 0;
    field.addEventListener(
      'input',
      calm(async (signal) => {
        asked += 1;
        const own = asked;
        const fields = new URLSearchParams({ csrf: field.form.elements.csrf.value, value: field.value });
        const answer = await post(field.dataset.check, fields, 'application/json', signal).catch(() => undefined);
        const judged = await answer?.json().catch(() => undefined);
        if (!judged || own !== asked) return;
        await released();
        tell(field, judged.data.problem ?? '');
      }),
    );
  }
}

/** Updates previews while their form is edited. */
export function previews(root) {
  for (const area of root.querySelectorAll('[data-preview-at]')) {
    const form = area.closest('form');
    const preview = area.querySelector('[data-preview]');
    let asked = 0;
    form.addEventListener(
      'input',
      calm(async (signal) => {
        asked += 1;
        const own = asked;
        const answer = await post(area.dataset.previewAt, encoded(form), 'text/html', signal).catch(() => undefined);
        const drawn = await answer?.text().catch(() => undefined);
        if (drawn === undefined || own !== asked) return;
        await released();
        preview.innerHTML = drawn;
        looks(preview);
        preview.dispatchEvent(new Event('drawn'));
      }),
    );
  }
}

/** Applies the custom properties of theme examples. The policy forbids inline styles, but a script may set them. */
export function looks(root) {
  for (const look of root.querySelectorAll('[data-variables]')) {
    for (const pair of look.dataset.variables.split(';')) {
      const at = pair.indexOf(':');
      if (at > 0) look.style.setProperty(pair.slice(0, at), pair.slice(at + 1));
    }
  }
}

/** Marks the result of a test as soon as its form is edited: it belongs to what was typed before. */
export function outdating(root) {
  const results = [...root.querySelectorAll('[data-result]')];
  if (root instanceof Element && root.matches('[data-result]')) results.push(root);
  for (const result of results) {
    const before = result.previousElementSibling;
    const form = result.closest('form') ?? (before?.matches('form') ? before : undefined);
    form?.addEventListener(
      'input',
      () => {
        const told = Object.assign(document.createElement('p'), { className: 'muted', role: 'status' });
        told.textContent = 'This result is from before your last change.';
        result.classList.add('outdated');
        result.prepend(told);
      },
      { once: true },
    );
  }
}
