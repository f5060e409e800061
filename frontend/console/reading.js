// Times in the reader's own zone, and buttons that copy.

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
    const rows = [...document.querySelectorAll('[data-narrowed] tbody tr')];
    const texts = rows.map((row) => row.textContent.toLowerCase());
    field.addEventListener('input', () => {
      const wanted = field.value.trim().toLowerCase();
      rows.forEach((row, at) => { row.hidden = !texts[at].includes(wanted); });
    });
  }
}

/** Gives each block of code a button that copies it. */
export function copying(root) {
  for (const block of root.querySelectorAll('[data-copy]:not(:has(> button))')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('pre').textContent).then(
        () => { button.textContent = 'Copied'; },
        () => { getSelection().selectAllChildren(block.querySelector('pre')); button.textContent = 'Press Ctrl+C'; },
      );
      setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    });
    block.append(button);
  }
}
