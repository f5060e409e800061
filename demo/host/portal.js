// The portal's pages with one frame, of dashboards or of questions: who is signed in stands in its address (?airport=ATL&user=analyst&handoff=1).
import { Embed } from './embed.js';

/** An element of the page. @param {string} id @returns {any} */
const at = (id) => document.getElementById(id);
/** The account's menu, which stands in every page. */
const account = /** @type {HTMLDetailsElement} */ (document.querySelector('.account'));
const known = JSON.parse(at('portal').textContent);
/** @type {NodeListOf<HTMLInputElement>} */
const handoffs = document.querySelectorAll('[name=handoff]');
const embed = new Embed(at('stage'), hear);
/** The pages that keep who is signed in. @type {NodeListOf<HTMLAnchorElement>} */
const pages = document.querySelectorAll('.rail a:is([href="/"], [href="/ask"])');
const [name] = document.title.split(' · ');

/** What the address says, with the first airport and user where it says nothing that is known. */
function read() {
  const address = new URLSearchParams(location.search);
  const airport = known.airports.find(({ code }) => code === address.get('airport')) ?? known.airports[0];
  const user = airport.users.find(({ id }) => id === address.get('user')) ?? airport.users[0];
  return { airport, user, handoff: address.get('handoff') === '1' };
}

function go(change) {
  const { airport, user, handoff } = { ...now, ...change };
  const address = new URLSearchParams({ airport: airport.code, user: user.id, ...(handoff && { handoff: '1' }) });
  history.pushState(null, '', `?${address}`);
  show();
}

let now;
function show() {
  now = read();
  const { airport, user, handoff } = now;
  document.title = `${airport.code} ${name.toLowerCase()} · Skyport`;
  for (const page of pages) page.search = location.search;
  at('code').textContent = airport.code;
  at('airport').value = airport.code;
  at('name').textContent = user.name;
  at('title').textContent = user.title;
  at('initials').textContent = initials(user.name);
  at('users').replaceChildren(...airport.users.map((one) => userButton(one, one === user)));
  for (const input of handoffs) input.checked = input.value === String(Number(handoff));
  at('call').textContent = call(airport, user);
  at('log').replaceChildren();
  void embed.open({ airport: airport.code, user: user.id }, handoff);
}

function initials(name) {
  return name
    .split(' ')
    .map((part) => part[0])
    .join('');
}

function userButton(user, current) {
  const button = document.createElement('button');
  const avatar = Object.assign(document.createElement('span'), { className: 'avatar', textContent: initials(user.name) });
  const who = Object.assign(document.createElement('span'), { className: 'who' });
  who.append(
    Object.assign(document.createElement('b'), { textContent: user.name }),
    Object.assign(document.createElement('small'), { textContent: user.title }),
  );
  const role = Object.assign(document.createElement('span'), { className: 'role', textContent: user.role });
  button.append(avatar, who, role);
  button.setAttribute('aria-pressed', String(current));
  button.addEventListener('click', () => {
    account.open = false;
    go({ user: now.airport.users.find(({ id }) => id === user.id) });
  });
  return button;
}

/** The sign-in call as Skyport's server makes it; the browser knows neither the key nor the role's id. */
function call(airport, user) {
  const body = {
    projectId: known.projectId,
    organization: { externalId: airport.code, name: airport.name, properties: { airport: airport.code } },
    user: { externalId: user.id, name: user.name, userRoleId: `<id of ${user.role}>` },
    expiration: '1h',
  };
  return `POST /v1/api/projects/embed-token\nAuthorization: Bearer <API key>\n\n${JSON.stringify(body, null, 2)}`;
}

/** Shows what passes between the page and its frame. */
function hear({ way, type, v, address, ...fields }) {
  if (way === 'open') {
    const shown = decodeURIComponent(address.href).replace(/(jwt=.{12})[^&]*/, '$1…');
    at('address').textContent = shown.replace(/[?&]/g, '\n  $&');
    return;
  }
  const line = document.createElement('li');
  line.className = way;
  line.append(
    Object.assign(document.createElement('b'), { textContent: type }),
    Object.assign(document.createElement('code'), { textContent: JSON.stringify(fields) }),
  );
  at('log').prepend(line);
  while (at('log').children.length > 50) at('log').lastChild.remove();
}

function drawer(open) {
  at('drawer').hidden = !open;
  at('behind').setAttribute('aria-expanded', String(open));
  at(open ? 'close' : 'behind').focus();
}

at('airport').append(...known.airports.map(({ code, name }) => new Option(name, code)));
at('airport').addEventListener('change', ({ target }) => {
  const airport = known.airports.find(({ code }) => code === target.value);
  go({ airport, user: airport.users.find(({ id }) => id === now.user.id) });
});
for (const input of handoffs) {
  input.addEventListener('change', () => go({ handoff: input.value === '1' }));
}
at('behind').addEventListener('click', () => drawer(at('drawer').hidden));
at('close').addEventListener('click', () => drawer(false));
addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  if (account.open) {
    account.open = false;
    account.querySelector('summary')?.focus();
  } else if (!at('drawer').hidden) drawer(false);
});
addEventListener('click', ({ target }) => {
  if (!(target instanceof Node && account.contains(target))) account.open = false;
});
// A click inside the frame only shows as a loss of focus.
addEventListener('blur', () => {
  account.open = false;
});
addEventListener('popstate', show);
show();
