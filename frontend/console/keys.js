// Keys: `/` goes to the search, Escape closes what asks.

/** Questions that are asked before something is deleted: Escape closes them and gives the focus back. */
export function dialogs(root) {
  for (const details of root.querySelectorAll('details[data-dialog]')) {
    details.addEventListener('toggle', () => {
      if (details.open) details.querySelector('form button')?.focus();
    });
    details.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !details.open) return;
      details.open = false;
      details.querySelector('summary').focus();
    });
  }
}

/** `/` goes to the page's search. */
export function searching(root) {
  root.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input, textarea, select')) return;
    const field = root.querySelector('[data-search]');
    if (!field) return;
    event.preventDefault();
    field.focus();
  });
}
