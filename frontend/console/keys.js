// Keyboard shortcuts: `/` focuses the search, `?` lists the shortcuts, Escape closes what is open. `Ctrl K` is in palette.js.

const KEYS = [
  ['Ctrl K', 'Go to a page or an entry of a list'],
  ['/', 'Search'],
  ['?', 'Show these keys'],
  ['Esc', 'Close what is open'],
  ['Tab', 'Go to the next control'],
];

function button(text, kind = '') {
  return Object.assign(document.createElement('button'), { type: 'button', className: `button ${kind}`, textContent: text });
}

/** A dialog with this content. It closes on Escape, its button or a click beside it; the browser restores the focus. */
export function dialog(name, content) {
  const made = document.createElement('dialog');
  made.setAttribute('aria-label', name);
  made.append(content);
  made.addEventListener('click', ({ target }) => {
    if (target === made) made.close();
  });
  return made;
}

/** Confirmations open as dialogs. The initial focus is on a harmless button, so that Enter deletes nothing. */
export function dialogs(root) {
  for (const details of root.querySelectorAll('details[data-dialog]')) {
    const [summary, box] = details.children;
    const asked = dialog(box.getAttribute('aria-label'), box);
    const [open, cancel] = [button(summary.textContent, 'danger'), button('Cancel')];
    box.removeAttribute('role');
    box.removeAttribute('aria-label');
    box.querySelector('form').prepend(cancel);
    cancel.autofocus = true;
    open.setAttribute('aria-haspopup', 'dialog');
    open.addEventListener('click', () => asked.showModal());
    cancel.addEventListener('click', () => asked.close());
    details.replaceWith(open, asked);
  }
}

/** Menus, and the navigation on narrow screens: Escape closes them, and so does leaving them. */
export function menus(root) {
  for (const menu of root.querySelectorAll('details.switch')) {
    closing(
      menu,
      menu,
      () => {
        menu.open = false;
      },
      menu.querySelector('summary'),
    );
  }
  const navigation = root.querySelector('#menu');
  if (!navigation) return;
  const sidebar = document.querySelector('.sidebar');
  closing(
    sidebar,
    navigation,
    () => {
      navigation.checked = false;
    },
    navigation,
  );
  navigation.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') navigation.click();
    if (event.key === 'Escape') navigation.checked = false;
  });
}

function closing(area, owner, close, back) {
  area.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    close();
    back.focus();
  });
  area.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget && relatedTarget !== owner && !area.contains(relatedTarget)) close();
  });
}

/** Lists the shortcuts. */
function help() {
  const [list, shut] = [document.createElement('dl'), button('Close')];
  list.className = 'keys';
  for (const [key, does] of KEYS) {
    const [term, told] = [document.createElement('dt'), document.createElement('dd')];
    term.append(Object.assign(document.createElement('kbd'), { textContent: key }));
    told.textContent = does;
    list.append(term, told);
  }
  const box = document.createElement('div');
  box.className = 'ask-box';
  box.append(Object.assign(document.createElement('h3'), { textContent: 'Keys' }), list, shut);
  const made = dialog('Keys', box);
  shut.addEventListener('click', () => made.close());
  made.addEventListener('close', () => made.remove());
  document.body.append(made);
  made.showModal();
}

/** `/` focuses the page's search, `?` lists the shortcuts. */
export function keys(root) {
  root.addEventListener('keydown', (event) => {
    if (event.target.closest('input, textarea, select, dialog') || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '?') help();
    const field = event.key === '/' && root.querySelector('[data-search]');
    if (!field) return;
    event.preventDefault();
    field.focus();
  });
}
