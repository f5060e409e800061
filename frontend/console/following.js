// What goes on by itself and takes its time: its part of the page is had anew until it is done.
import { times } from './reading.js';

const PAUSE = 1500;

/** Follows every part of a page that says that something is under way. */
export function following(root) {
  for (const area of root.querySelectorAll('[data-follow]')) void follow(area);
}

async function follow(area) {
  // Who has just begun something wants to see it.
  if (document.querySelector('.notice') && area.querySelector('[data-under-way]'))
    requestAnimationFrame(() => area.scrollIntoView({ block: 'nearest' }));
  while (area.isConnected && area.querySelector('[data-under-way]')) {
    await new Promise((wake) => {
      setTimeout(wake, PAUSE);
    });
    const answer = await fetch(area.dataset.follow, { credentials: 'same-origin' }).catch(() => undefined);
    // A connection that is lost, or a service that is busy, comes back.
    if (!answer || answer.status >= 429) continue;
    // Signed out, or gone: what stands there stays.
    if (answer.redirected || !answer.ok) return;
    put(area, await answer.text());
  }
}

/** Puts what came into a part; what was opened there stays open, and the button that had the focus keeps it. */
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
