// What answers while somebody types: checks of a field, previews beside a form.
import { tell } from './fields.js';

const PAUSE = 350;

/** Calls back when nothing has happened for a moment. */
export function calm(act) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, PAUSE);
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
      // The click that ends a press comes first.
      setTimeout(() => {
        for (const go of waiting.splice(0)) go();
      });
    },
    true,
  );
}

/** Waits until nothing is being pressed: what moves under a press takes the click away from where it was meant. */
export const released = () =>
  pressing
    ? new Promise((go) => {
        waiting.push(go);
      })
    : undefined;

/** What a form holds, as a browser sends a form without files. @param {HTMLFormElement} form @param {HTMLElement | null} [submitter] */
export const encoded = (form, submitter) => new URLSearchParams(/** @type {[string, string][]} */ ([...new FormData(form, submitter)]));

/** What the server answers to what is typed; nothing where it refuses. */
export async function post(address, fields, accept) {
  const answer = await fetch(address, { method: 'POST', body: fields, headers: { accept }, credentials: 'same-origin' });
  // Where the session has ended the answer is the way in, which belongs on no page.
  return answer.ok && !answer.redirected ? answer : undefined;
}

/** Checks fields on the server while they are filled in. The newest question's answer counts. */
export function checks(root) {
  for (const field of root.querySelectorAll('[data-check]')) {
    let asked = 0;
    field.addEventListener(
      'input',
      calm(async () => {
        asked += 1;
        const own = asked;
        const fields = new URLSearchParams({ csrf: field.form.elements.csrf.value, value: field.value });
        const answer = await post(field.dataset.check, fields, 'application/json').catch(() => undefined);
        if (!answer || own !== asked) return;
        const { problem } = (await answer.json()).data;
        await released();
        tell(field, problem ?? '');
      }),
    );
  }
}

/** Draws previews anew while the form around them is filled in. */
export function previews(root) {
  for (const area of root.querySelectorAll('[data-preview-at]')) {
    const form = area.closest('form');
    const preview = area.querySelector('[data-preview]');
    let asked = 0;
    form.addEventListener(
      'input',
      calm(async () => {
        asked += 1;
        const own = asked;
        const answer = await post(area.dataset.previewAt, encoded(form), 'text/html').catch(() => undefined);
        if (!answer || own !== asked) return;
        const drawn = await answer.text();
        await released();
        preview.innerHTML = drawn;
        looks(preview);
        preview.dispatchEvent(new Event('drawn'));
      }),
    );
  }
}

/** Gives examples of a look their custom properties: a policy without inline styles lets a script do it. */
export function looks(root) {
  for (const look of root.querySelectorAll('[data-variables]')) {
    for (const pair of look.dataset.variables.split(';')) {
      const at = pair.indexOf(':');
      if (at > 0) look.style.setProperty(pair.slice(0, at), pair.slice(at + 1));
    }
  }
}
