// The palette: `Ctrl K` leads to any page of the navigation and to whatever the lists of the project hold, by its name.
import { dialog } from './keys.js';

/** The lists of a project whose entries are offered, and what one entry is. Of long lists, their first page. */
const LISTS = {
  connections: 'Connection',
  charts: 'Chart',
  applications: 'Application',
  workspaces: 'Workspace',
  roles: 'Role',
  customers: 'Customer',
};
const MOST = 10;

/** @typedef {{ name: string, kind: string, href: string }} Place */

const target = (link) => link.getAttribute('href') ?? '';

/** The address of the open page's project. */
function project() {
  const link = document.querySelector('.sidebar a.nav-link[href^="/console/projects/"]');
  return link && target(link).match(/^\/console\/projects\/[^/]+/)?.[0];
}

/** The pages of the navigation, and the other projects and organizations. @returns {Place[]} */
function navigation() {
  const places = [];
  let kind = '';
  for (const part of document.querySelectorAll('.sidebar > *')) {
    const isSwitch = part.matches('.switch');
    if (isSwitch) kind = part.querySelector('strong')?.textContent ?? '';
    const what = isSwitch ? (part.querySelector('small')?.textContent ?? '') : kind;
    for (const link of part.querySelectorAll('a[href]')) {
      places.push({ name: link.textContent.trim(), kind: what, href: target(link) });
    }
  }
  return places;
}

/** The lists that were requested since the last change, by address. @type {Map<string, Promise<Place[]>>} */
const known = new Map();

/** The entries of one of the project's lists, requested once. */
function entries(base, list) {
  const address = `${base}/${list}`;
  const found = known.get(address) ?? request(address, list);
  known.set(address, found);
  return found;
}

/** The entries of a list. None if the server does not respond: the navigation still works. @returns {Promise<Place[]>} */
async function request(address, list) {
  const answer = await fetch(address, { credentials: 'same-origin' }).catch(() => undefined);
  if (!answer?.ok || answer.redirected) {
    known.delete(address);
    return [];
  }
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const links = [...page.querySelectorAll('main table a[href^="/console/"]')];
  return links.map((link) => ({ name: link.textContent.trim(), kind: LISTS[list], href: target(link) }));
}

/** The places that hold every word of a text, those that begin with it first. Each target once. */
function matching(places, text) {
  const wanted = text.trim().toLowerCase();
  const words = wanted.split(/\s+/);
  const holds = ({ name, kind }) => words.every((word) => `${name} ${kind}`.toLowerCase().includes(word));
  const rank = ({ name }) => (name.toLowerCase().startsWith(wanted) ? 0 : 1);
  const once = [...new Map(places.filter(({ name }) => name).map((place) => [place.href, place])).values()];
  return once
    .filter(holds)
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MOST);
}

function option({ name, kind, href }, at) {
  const line = Object.assign(document.createElement('li'), { id: `palette-${at}`, role: 'option' });
  line.dataset.href = href;
  line.append(
    Object.assign(document.createElement('span'), { textContent: name }),
    Object.assign(document.createElement('small'), { textContent: kind }),
  );
  return line;
}

/** Opens the palette. */
function open() {
  const places = navigation();
  const field = Object.assign(document.createElement('input'), { type: 'text', role: 'combobox', autocomplete: 'off', spellcheck: false });
  const list = Object.assign(document.createElement('ul'), { id: 'palette-list', role: 'listbox', ariaLabel: 'Pages' });
  const told = Object.assign(document.createElement('p'), { className: 'muted', role: 'status' });
  for (const [name, value] of Object.entries({ label: 'Go to', autocomplete: 'list', expanded: 'true', controls: list.id })) {
    field.setAttribute(`aria-${name}`, value);
  }
  field.placeholder = 'Go to a page, chart, role, …';
  const box = Object.assign(document.createElement('div'), { className: 'palette' });
  box.append(field, list, told);
  const made = dialog('Go to', box);
  let current = 0;
  const mark = () => {
    [...list.children].forEach((line, at) => {
      line.ariaSelected = String(at === current);
    });
    const line = list.children[current];
    if (line) field.setAttribute('aria-activedescendant', line.id);
    else field.removeAttribute('aria-activedescendant');
    line?.scrollIntoView({ block: 'nearest' });
  };
  const draw = () => {
    list.replaceChildren(...matching(places, field.value).map(option));
    told.textContent = list.children.length === 0 ? 'No matches' : '';
    current = 0;
    mark();
  };
  const go = (line) => {
    if (line) location.assign(line.dataset.href);
  };
  field.addEventListener('input', draw);
  field.addEventListener('keydown', (event) => {
    const count = list.children.length;
    const step = { ArrowDown: 1, ArrowUp: count - 1 }[event.key];
    if (event.key === 'Enter') go(list.children[current]);
    else if (step !== undefined && count > 0) current = (current + step) % count;
    else return;
    event.preventDefault();
    mark();
  });
  list.addEventListener('click', ({ target }) => go(target instanceof Element && target.closest('li')));
  made.addEventListener('close', () => made.remove());
  document.body.append(made);
  draw();
  made.showModal();
  field.focus();
  const base = project();
  for (const name of base ? Object.keys(LISTS) : []) {
    void entries(base, name).then((found) => {
      places.push(...found);
      // Whoever has moved to another line keeps it.
      if (current === 0) draw();
    });
  }
}

/** `Ctrl K`, on a Mac `⌘ K`, opens the palette from anywhere but a dialog. */
export function palette(root) {
  // A sent form may have changed the lists.
  root.addEventListener('submit', () => known.clear());
  root.addEventListener('keydown', (event) => {
    const pressed = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k';
    if (!pressed || !root.querySelector('.sidebar') || root.querySelector('dialog[open]')) return;
    event.preventDefault();
    open();
  });
}
