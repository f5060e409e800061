// The pages with one frame, of dashboards or of questions. Their address says who is signed in and what is around the frame
// (?airport=ATL&user=analyst&frame=phone&handoff=1).
import { Embed } from './embed.js';

/** An element of the page. @param {string} id @returns {any} */
const at = (id) => document.getElementById(id);
/** The account's menu, which stands in every page. */
const account = /** @type {HTMLDetailsElement} */ (document.querySelector('.account'));
const known = JSON.parse(at('portal').textContent);
/** @type {NodeListOf<HTMLInputElement>} */
const handoffs = document.querySelectorAll('[name=handoff]');
/** @type {NodeListOf<HTMLInputElement>} */
const frames = document.querySelectorAll('[name=frame]');
const embed = new Embed(at('stage'), known, hear);
/** The pages that keep who is signed in. @type {NodeListOf<HTMLAnchorElement>} */
const pages = document.querySelectorAll('.rail > a:not([href$="/compare"], [href$="/how"])');
/** Those to the products, which keep the user's role and the frame. @type {NodeListOf<HTMLAnchorElement>} */
const products = document.querySelectorAll('.products a');
const [name] = document.title.split(' · ');

/** What the address says, with the first of all where it says nothing that is known. */
function read() {
  const address = new URLSearchParams(location.search);
  const customer = known.customers.find(({ id }) => id === address.get(known.property)) ?? known.customers[0];
  const user = customer.users.find(({ id }) => id === address.get('user')) ?? customer.users[0];
  const frame = [...frames].find(({ value }) => value === address.get('frame'))?.value ?? 'desktop';
  return { customer, user, frame, handoff: address.get('handoff') === '1' };
}

/** What stays in the address of another product: all but the customer. */
const kept = ({ user, frame, handoff }) => ({ user: user.id, ...(frame !== 'desktop' && { frame }), ...(handoff && { handoff: '1' }) });

function go(change) {
  const next = { ...now, ...change };
  history.pushState(null, '', `?${new URLSearchParams({ [known.property]: next.customer.id, ...kept(next) })}`);
  show();
}

let now;
function show() {
  now = read();
  const { customer, user, frame, handoff } = now;
  document.title = `${known.codes ? customer.id : customer.name} ${name.toLowerCase()} · ${known.name}`;
  for (const page of pages) page.search = location.search;
  for (const product of products) product.search = `${new URLSearchParams(kept(now))}`;
  at('code').textContent = known.codes ? customer.id : '';
  at('customer').value = customer.id;
  at('name').textContent = user.name;
  at('title').textContent = user.title;
  at('initials').textContent = initials(user.name);
  at('users').replaceChildren(...customer.users.map((one) => userButton(one, one === user)));
  for (const input of handoffs) input.checked = input.value === String(Number(handoff));
  for (const input of frames) input.checked = input.value === frame;
  at('stage').dataset.frame = frame;
  at('call').textContent = call(customer, user);
  at('log').replaceChildren();
  void embed.open(customer, user, { handoff, device: frame !== 'desktop' });
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
    go({ user: now.customer.users.find(({ id }) => id === user.id) });
  });
  return button;
}

/** The sign-in call as the product's server makes it; the browser knows neither the key nor the role's id. */
function call(customer, user) {
  const body = {
    projectId: known.projectId,
    organization: { externalId: customer.id, name: customer.name, properties: { [known.property]: customer.id } },
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

at('customer').append(...known.customers.map(({ id, name }) => new Option(name, id)));
at('customer').addEventListener('change', ({ target }) => {
  const customer = known.customers.find(({ id }) => id === target.value);
  go({ customer, user: customer.users.find(({ id }) => id === now.user.id) });
});
for (const input of handoffs) {
  input.addEventListener('change', () => go({ handoff: input.value === '1' }));
}
for (const input of frames) {
  input.addEventListener('change', () => go({ frame: input.value }));
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
