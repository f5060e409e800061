// Local times, table filters and scrolling, copy buttons, remembered choices.

const shown = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Shows times in the user's time zone and language. */
export function times(root) {
  for (const time of root.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    time.title = time.dateTime;
    time.textContent = shown.format(at);
  }
}

/** Filters a table's rows by the typed text. Ticked rows stay ticked. */
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

/** Makes areas that scroll focusable for keyboard users. Others are not a tab stop. */
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

/** Adds a copy button to each code block. */
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

/** A choice that is stored in the browser, such as the language of code. */
export function remembering(root) {
  for (const group of root.querySelectorAll('[data-remember]')) {
    const name = `inlay-${group.dataset.remember}`;
    const known = remembered(() => localStorage.getItem(name));
    const choice = [...group.querySelectorAll('input[type="radio"]')].find(({ value }) => value === known);
    if (choice) choice.checked = true;
    group.addEventListener('change', ({ target }) => remembered(() => localStorage.setItem(name, target.value)));
  }
}

/** Reads the browser's storage. Undefined if it is not available. */
function remembered(ask) {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
