// Two customers beside each other: the same dashboards, each with its own rows
// (?left=ATL&right=SEA&leftUser=analyst&rightUser=viewer&handoff=1).
import { Embed } from './embed.js';

/** An element of the page. @param {string} id @returns {any} */
const at = (id) => document.getElementById(id);
const known = JSON.parse(at('portal').textContent);
const address = new URLSearchParams(location.search);
const first = { left: [known.compared[0], 'analyst'], right: [known.compared[1], 'viewer'] };

for (const [side, [usual, id]] of Object.entries(first)) {
  const pane = at(side);
  pane.append(at('pane').content.cloneNode(true));
  const [customers, users] = pane.querySelectorAll('select');
  const embed = new Embed(pane.querySelector('.stage'), known);

  customers.append(...known.customers.map(({ id, name }) => new Option(name, id)));
  customers.value = known.customers.some((customer) => customer.id === address.get(side)) ? address.get(side) : usual;

  const show = (user) => {
    const customer = known.customers.find(({ id }) => id === customers.value);
    const person = customer.users.find((one) => one.id === user) ?? customer.users[0];
    users.replaceChildren(...customer.users.map(({ id, name, role }) => new Option(`${name} · ${role}`, id)));
    users.value = person.id;
    pane.setAttribute('aria-label', customer.name);
    pane.querySelector('.code').textContent = known.codes ? customer.id : '';
    pane.querySelector('.avatar').textContent = person.name
      .split(' ')
      .map((part) => part[0])
      .join('');
    void embed.open(customer, person, { handoff: address.get('handoff') === '1' });
  };
  const change = () => {
    address.set(side, customers.value);
    address.set(`${side}User`, users.value);
    history.replaceState(null, '', `?${address}`);
    show(users.value);
  };
  customers.addEventListener('change', change);
  users.addEventListener('change', change);
  show(address.get(`${side}User`) ?? id);
}
