// The playground: the console as a host with all settings, which shows every message.

import { reach, tell } from './fields.js';
import { LOST, tellAt } from './forms.js';
import { addressOf, Framed, token } from './frames.js';
import { parametersOf, pathOf, searchOf } from './parameters.js';

const PAUSE = 250;
const shown = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hour12: false,
});

/** Starts every playground of a page. */
export function playground(root) {
  for (const area of root.querySelectorAll('[data-playground]')) play(area);
}

function play(area) {
  const part = (name) => area.querySelector(`[data-${name}]`);
  const told = part('told');
  const say = (text) => {
    told.textContent = text;
    told.toggleAttribute('data-result', Boolean(text));
  };
  const csrf = area.querySelector('[name="csrf"]').value;
  const [user, role] = [area.querySelector('#play-user'), area.querySelector('#play-role')];
  const note = noting(part('messages'));
  /** Whether the embed has reported a failing chart. */
  let failed = false;
  const framed = new Framed(part('frame'), (direction, message) => {
    note(direction, message);
    if (direction === 'out' || message.code !== 'CHART_FAILED' || failed) return;
    failed = true;
    void check();
  });
  const inAddress = () => part('token-by').value === 'address';
  const tokens = () => token(`${area.dataset.own}/users/${user.value}/token`, csrf, { role: role.value });

  const page = () => area.dataset.embed + pathOf(area);
  const show = () => {
    part('address').textContent = addressOf(page(), parametersOf(area), inAddress() ? 'TOKEN' : undefined);
  };
  area.addEventListener('input', show);
  show();
  boards(area);
  columns(area, show);
  people(area, user);
  testUser(area, user, say);

  part('play').addEventListener('click', async () => {
    if (!user.value) return say('Choose a user first, or create a test user.');
    say('');
    failed = false;
    const [parameters, as] = [parametersOf(area), tokens];
    try {
      framed.open(page(), parameters, as, inAddress() ? await as() : undefined);
    } catch (problem) {
      say(/** @type {Error} */ (problem).message);
    }
  });
  part('send')?.addEventListener('click', () => {
    if (!framed.isOpen) return say('Sign in and frame the embed first.');
    say('');
    framed.send({ type: 'embed:set-params', search: searchOf(area) });
  });
  part('check-charts')?.addEventListener('click', check);
  part('clear').addEventListener('click', () => {
    part('messages').replaceChildren();
  });

  /** Shows why charts fail. The embed is not told the reasons. */
  async function check() {
    const place = part('reasons');
    if (!place || !part('check-charts') || place.dataset.asked) return;
    if (!user.value) {
      say('Choose a user first, or create a test user.');
      return;
    }
    place.dataset.asked = 'true';
    const fields = {
      csrf,
      user: user.value,
      role: role.value,
      path: pathOf(area),
      search: new URLSearchParams(parametersOf(area)).toString(),
    };
    try {
      const answer = await post(`${area.dataset.own}/embed/reasons`, fields, 'text/html');
      if (answer.ok) place.innerHTML = await answer.text();
      else say('The charts could not be checked.');
    } catch {
      say('The service does not respond.');
    } finally {
      delete place.dataset.asked;
    }
  }
}

function post(address, fields, accept) {
  return fetch(address, { method: 'POST', body: new URLSearchParams(fields), headers: { accept }, credentials: 'same-origin' });
}

/** Logs messages, newest first: time, direction, content. */
function noting(list) {
  return (direction, message) => {
    const [line, time] = [document.createElement('li'), document.createElement('time')];
    const now = new Date();
    time.dateTime = now.toISOString();
    time.textContent = shown.format(now);
    line.className = direction;
    line.append(time, ` ${direction === 'in' ? '← from the embed' : '→ to the embed'} ${JSON.stringify(message)}`);
    list.prepend(line);
  };
}

/** Shows only the fields of the chosen page, and the filters of the dashboard that it opens. */
function boards(area) {
  const choice = area.querySelector('[data-page]');
  const fields = [...area.querySelectorAll('[data-of-page]')];
  const filters = [...area.querySelectorAll('[data-filters]')];
  const settle = () => {
    for (const one of fields) one.hidden = one.dataset.ofPage !== choice.value;
    const board = fields.find(({ hidden }) => !hidden)?.querySelector('[data-board]').value;
    const shown = filters.find(({ dataset }) => dataset.filters === board) ?? filters[0];
    for (const one of filters) one.hidden = one !== shown;
  };
  for (const one of [choice, ...area.querySelectorAll('[data-board]')]) one?.addEventListener('input', settle);
}

/** Adds another filter by column. */
function columns(area, show) {
  const [button, first] = [area.querySelector('[data-add-column]'), area.querySelector('[data-by-column]')];
  button?.addEventListener('click', () => {
    const more = first.cloneNode(true);
    for (const field of more.querySelectorAll('input')) field.value = '';
    button.before(more);
    more.querySelector('input').focus();
    show();
  });
}

/** Searches customers and users while their name or id is typed. */
function people(area, user) {
  const customer = area.querySelector('#play-customer');
  const [findCustomer, findUser] = [area.querySelector('[data-find-customer]'), area.querySelector('[data-find-user]')];
  const at = `${area.dataset.own}/embed/people`;
  let asked = 0;
  const ask = async (fresh) => {
    asked += 1;
    const own = asked;
    const search = new URLSearchParams({ customers: findCustomer.value, users: findUser.value, customer: customer.value });
    const answer = await fetch(`${at}?${search}`, { headers: { accept: 'application/json' }, credentials: 'same-origin' }).catch(
      () => undefined,
    );
    if (!answer?.ok || own !== asked) return;
    const { data } = await answer.json();
    if (fresh) fill(customer, data.customers, [{ id: '', name: 'Any customer' }]);
    fill(user, data.users, []);
  };
  findCustomer.addEventListener(
    'input',
    later(async () => {
      await ask(true);
      // The typed name means the first customer that it finds.
      if (findCustomer.value && customer.options.length > 1 && !customer.value) {
        customer.selectedIndex = 1;
        await ask(false);
      }
    }),
  );
  findUser.addEventListener(
    'input',
    later(() => ask(false)),
  );
  customer.addEventListener('change', () => ask(false));
}

function later(act) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, PAUSE);
  };
}

/** Replaces the options of a select. The chosen one stays chosen if it still exists. */
function fill(list, found, first) {
  const chosen = list.value;
  list.replaceChildren(...[...first, ...found].map(({ id, name }) => new Option(name, id, false, id === chosen)));
  if (list.selectedIndex < 0) list.selectedIndex = 0;
}

/** Creates a test user without leaving the page, so that all other settings stay. */
function testUser(area, user, say) {
  const box = area.parentElement.querySelector('[data-test-user]');
  const form = box?.querySelector('form');
  form?.addEventListener('submit', async (event) => {
    event.preventDefault();
    form.querySelector(':scope > .lost')?.remove();
    for (const field of form.querySelectorAll('[aria-invalid]')) tell(field, '');
    const made = await post(form.action, [...new FormData(form), ['scripted', 'true']], 'application/json').then(read, () => undefined);
    if (!made?.data) {
      refused(form, made?.error);
      return;
    }
    delete form.dataset.changed;
    user.prepend(new Option(made.data.name, made.data.id, true, true));
    box.open = false;
    box.querySelector('summary').textContent = 'Create a test user';
    say(`${made.data.name} selected.`);
    area.querySelector('[data-play]').focus();
  });
}

/** Parses the service's response. A response that is not its own has no message. */
const read = (answer) => answer.json().catch(() => ({}));

/** Shows errors beside their fields, or above the form. */
function refused(form, error) {
  const wrong = Object.entries(error?.details ?? {}).filter(([name]) => form.elements[name]);
  for (const [name, problem] of wrong) tell(form.elements[name], String(problem));
  if (wrong.length > 0) reach(form.elements[wrong[0][0]]);
  else tellAt(form, error?.message ?? LOST);
}
