// Two airports beside each other: the same dashboards, each with its own rows
// (?left=ATL&right=SEA&leftUser=analyst&rightUser=viewer&handoff=1).
import { Embed } from './embed.js';

/** An element of the page. @param {string} id @returns {any} */
const at = (id) => document.getElementById(id);
const known = JSON.parse(at('portal').textContent);
const address = new URLSearchParams(location.search);
const first = { left: ['ATL', 'analyst'], right: ['SEA', 'viewer'] };

for (const [side, [code, id]] of Object.entries(first)) {
  const pane = at(side);
  pane.append(at('pane').content.cloneNode(true));
  const [airports, users] = pane.querySelectorAll('select');
  const embed = new Embed(pane.querySelector('.stage'));

  airports.append(...known.airports.map(({ code, name }) => new Option(name, code)));
  airports.value = known.airports.some((airport) => airport.code === address.get(side)) ? address.get(side) : code;

  const show = (user) => {
    const airport = known.airports.find(({ code }) => code === airports.value);
    const person = airport.users.find((one) => one.id === user) ?? airport.users[0];
    users.replaceChildren(...airport.users.map(({ id, name, role }) => new Option(`${name} · ${role}`, id)));
    users.value = person.id;
    pane.setAttribute('aria-label', airport.name);
    pane.querySelector('.code').textContent = airport.code;
    pane.querySelector('.avatar').textContent = person.name
      .split(' ')
      .map((part) => part[0])
      .join('');
    void embed.open({ airport: airport.code, user: person.id }, address.get('handoff') === '1');
  };
  const change = () => {
    address.set(side, airports.value);
    address.set(`${side}User`, users.value);
    history.replaceState(null, '', `?${address}`);
    show(users.value);
  };
  airports.addEventListener('change', change);
  users.addEventListener('change', change);
  show(address.get(`${side}User`) ?? id);
}
