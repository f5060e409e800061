// Times in the reader's own zone, tables that are narrowed and scrolled, buttons that copy, choices that are remembered.

const shown = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Shows times in the reader's zone and language. */
export function times(root) {
  for (const time of root.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    time.title = time.dateTime;
    time.textContent = shown.format(at);
  }
}

/** Narrows a table to the rows that hold what is typed; what is ticked stays ticked. */
export function narrowing(root) {
  for (const field of root.querySelectorAll('[data-narrow]')) {
    const rows = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-narrowed] tbody tr'))];
    const texts = rows.map((row) => row.textContent.toLowerCase());
    field.addEventListener('input', () => {
      const wanted = field.value.trim().toLowerCase();
      rows.forEach((row, at) => {
        row.hidden = !texts[at].includes(wanted);
      });
    });
  }
}

/** Areas that scroll are reached by keyboard; those that show all of themselves are no stop on the way. */
export function scrolling(root) {
  const told = new ResizeObserver((entries) => {
    for (const entry of entries) {
      const target = /** @type {HTMLElement} */ (entry.target);
      const scrolls = target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight;
      if (scrolls) target.tabIndex = 0;
      else if (target !== document.activeElement) target.removeAttribute('tabindex');
    }
  });
  for (const area of root.querySelectorAll('.scroll, .copied pre, .diff')) told.observe(area);
}

/** Gives each block of code a button that copies it. */
export function copying(root) {
  for (const block of root.querySelectorAll('[data-copy]:not(:has(> button))')) {
    const [button, text] = [document.createElement('button'), block.querySelector('pre')];
    const told = Object.assign(document.createElement('span'), { className: 'unseen' });
    told.setAttribute('role', 'status');
    Object.assign(button, { type: 'button', className: 'button copy', textContent: 'Copy' });
    button.setAttribute('aria-description', text.getAttribute('aria-label'));
    button.addEventListener('click', async () => {
      const copied = await navigator.clipboard.writeText(text.textContent).then(
        () => true,
        () => false,
      );
      if (!copied) getSelection()?.selectAllChildren(text);
      button.textContent = copied ? 'Copied' : 'Press Ctrl+C';
      told.textContent = button.textContent;
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2000);
    });
    block.append(button, told);
  }
}

/** A choice that the browser remembers, such as the language of code. */
export function remembering(root) {
  for (const group of root.querySelectorAll('[data-remember]')) {
    const name = `inlay-${group.dataset.remember}`;
    const known = remembered(() => localStorage.getItem(name));
    const choice = [...group.querySelectorAll('input[type="radio"]')].find(({ value }) => value === known);
    if (choice) choice.checked = true;
    group.addEventListener('change', ({ target }) => remembered(() => localStorage.setItem(name, target.value)));
  }
}

/** What the browser's memory answers; nothing where it keeps none. */
function remembered(ask) {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
