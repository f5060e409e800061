// Refreshes a part of the page while something is in progress on the server.
import { times } from './reading.js';

const PAUSE = 1500;

/** Follows every part of a page that is marked as in progress. */
export function following(root) {
  for (const area of root.querySelectorAll('[data-follow]')) void follow(area);
}

async function follow(area) {
  // The user has just started it: scroll it into view.
  if (document.querySelector('.notice') && area.querySelector('[data-under-way]'))
    requestAnimationFrame(() => area.scrollIntoView({ block: 'nearest' }));
  while (area.isConnected && area.querySelector('[data-under-way]')) {
    await new Promise((wake) => {
      setTimeout(wake, PAUSE);
    });
    const answer = await fetch(area.dataset.follow, { credentials: 'same-origin' }).catch(() => undefined);
    // Retries after a lost connection or a busy service.
    if (!answer || answer.status >= 429) continue;
    // Signed out or deleted: the part stays as it is.
    if (answer.redirected || !answer.ok) return;
    put(area, await answer.text());
  }
}

/** Replaces the content of a part. Open details stay open, and the focused button keeps the focus. */
function put(area, html) {
  const focused = area.contains(document.activeElement) ? document.activeElement?.closest('form')?.action : undefined;
  const open = new Set([...area.querySelectorAll('details[open][data-key]')].map((one) => one.dataset.key));
  area.innerHTML = html;
  for (const details of area.querySelectorAll('details[data-key]')) details.open = open.has(details.dataset.key);
  times(area);
  if (focused)
    [...area.querySelectorAll('form')]
      .find((form) => form.action === focused)
      ?.querySelector('button')
      .focus();
}
