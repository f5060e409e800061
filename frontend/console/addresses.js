// The address of a connection: shows the fields of the chosen kind of database, and fills them in from a pasted address.
import { tell } from './fields.js';

/** The kind that a scheme names. `http` and `https` name two: the chosen one of them counts. */
const SCHEMES = {
  postgres: 'postgres',
  postgresql: 'postgres',
  cockroachdb: 'postgres',
  cockroach: 'postgres',
  redshift: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
  clickhouse: 'clickhouse',
  trino: 'trino',
  sqlite: 'sqlite',
  duckdb: 'duckdb',
};
/** The default ports of servers that speak PostgreSQL's protocol under a scheme of their own. */
const PORTS = { cockroachdb: '26257', cockroach: '26257', redshift: '5439' };
const OVER_HTTP = ['clickhouse', 'trino'];
/** PostgreSQL's parameters that name a part. */
const NAMED = { host: 'host', hostaddr: 'host', port: 'port', user: 'user', password: 'password', dbname: 'database' };
const MODES = ['sslmode', 'ssl-mode'];
const ENCRYPTING = ['require', 'verify-ca', 'verify-full', 'required', 'verify_ca', 'verify_identity'];
const PARTS = ['host', 'port', 'database', 'catalog', 'schema', 'user', 'password', 'encrypted', 'path', 'parameters'];

/** Decodes percent signs. Text that is not encoded stays as it is. */
function decoded(text = '') {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function ofFile(kind, rest) {
  if (kind === 'duckdb') return { path: rest };
  const [path, parameters = ''] = rest.replace(/^\/\//, '').split(/\?(.*)/s);
  return { path: decoded(path), parameters };
}

/** The parameters of a driver: those that are parts, encryption, and the rest. */
function ofQuery(kind, query) {
  /** @type {Record<string, any>} */
  const found = {};
  let all = [...new URLSearchParams(query)];
  if (kind === 'postgres') {
    for (const [name, value] of all) if (Object.hasOwn(NAMED, name)) found[NAMED[name]] = value;
    all = all.filter(([name]) => !Object.hasOwn(NAMED, name));
  }
  const mode = all.findLast(([name]) => MODES.includes(name))?.[1].toLowerCase();
  found.encrypted = ENCRYPTING.includes(mode ?? '');
  if (mode === 'require' || mode === 'required') all = all.filter(([name]) => !MODES.includes(name));
  return { ...found, parameters: new URLSearchParams(all).toString() };
}

function ofPath(kind, path) {
  const [first, second] = path.split('/').filter(Boolean).map(decoded);
  return kind === 'trino' ? { catalog: first, schema: second } : { database: first };
}

function ofServer(kind, scheme, rest) {
  // The last @ ends the password, as in every parser of URLs.
  const found = /^\/\/(?:([^/?#]*)@)?([^/?#@]*)([^?#]*)(?:\?([^#]*))?/.exec(rest);
  if (!found) return undefined;
  const [, person = '', place, path, query = ''] = found;
  const [, user, password] = /^([^:]*):?(.*)$/s.exec(person) ?? [];
  const [, host, named] = /^(.*?)(?::(\d*))?$/.exec(place) ?? [];
  const port = named || PORTS[scheme] || '';
  const parts = { host: decoded(host).replace(/^\[(.*)\]$/, '$1'), port, user: decoded(user), password: decoded(password) };
  if (!OVER_HTTP.includes(kind)) return { ...parts, database: decoded(path.replace(/^\/+/, '')), ...ofQuery(kind, query) };
  const asks = [...new URLSearchParams(query)].some(([name, value]) => /^(secure|ssl)$/i.test(name) && value === 'true');
  return { ...parts, ...ofPath(kind, path), encrypted: scheme === 'https' || asks };
}

/** The kind and the parts of an address. Undefined if it names no kind. `chosen` decides where a scheme names two. */
export function partsOf(address, chosen) {
  const [, begin, rest] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(address.trim()) ?? [];
  const scheme = begin?.toLowerCase();
  const kind = /^https?$/.test(scheme ?? '') && OVER_HTTP.includes(chosen) ? chosen : SCHEMES[scheme ?? ''];
  if (!kind) return undefined;
  const parts = ['sqlite', 'duckdb'].includes(kind) ? ofFile(kind, rest) : ofServer(kind, scheme, rest);
  return parts && { kind, parts };
}

/** Handles the form of a connection. */
export function addresses(root) {
  for (const area of root.querySelectorAll('[data-address-parts]')) follow(area, area.closest('form'));
}

function follow(area, form) {
  const { url, kind, port } = form.elements;
  const ports = Object.fromEntries(area.dataset.ports.split(' ').map((one) => one.split('=')));
  const told = area.querySelector('[data-filled]');

  const show = () => {
    for (const part of area.querySelectorAll('[data-kinds]')) part.hidden = !part.dataset.kinds.split(' ').includes(kind.value);
    port.placeholder = ports[kind.value] ?? '';
  };
  const fill = () => {
    const found = partsOf(url.value, kind.value);
    if (!found || ![...kind.options].some(({ value }) => value === found.kind)) return;
    kind.value = found.kind;
    for (const name of PARTS) {
      const [field, value] = [form.elements[name], found.parts[name]];
      if (field.type === 'checkbox') field.checked = Boolean(value);
      else field.value = value ?? '';
      tell(field, '');
    }
    show();
    told.textContent = 'The fields below are filled in from the address.';
  };
  // The server would take the address and not the fields.
  const forget = () => {
    if (!url.value) return;
    url.value = '';
    tell(url, '');
    told.textContent = '';
  };

  url.addEventListener('input', () => {
    if (url.value) fill();
  });
  kind.addEventListener('input', () => {
    const named = partsOf(url.value, kind.value)?.kind;
    if (named === kind.value) fill();
    else if (named) forget();
    show();
  });
  area.addEventListener('input', ({ target }) => {
    if (PARTS.includes(target.name)) forget();
  });
  show();
  // The page kept the address when the server refused it.
  if (url.value) fill();
}
