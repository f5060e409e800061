// The frame's URL, and filters as a query. Pure.

/** @import { Filters, Options, Parameters } from '../types/inlay.js' */

/** Parameters that only the script may set: a token in a URL could be copied with it. */
const OWN = ['jwt', 'tokenHandoff', 'parentOrigin', 'autoHeight'];

/** A control's key gets the prefix `filter_`. `f_<connection>.<table>.<column>` is a column's key. @param {string} key */
const written = (key) => (/^filter_|^f_[^.]+\./.test(key) ? key : `filter_${key}`);

/** @param {string} text @returns {unknown} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * `{region: ["north"]}` → `?filter_region=%5B%22north%22%5D`; `""` without any. Keys without a value are left out.
 * @param {Filters} [filters]
 */
export function write(filters) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(filters ?? {})) {
    if (value !== undefined && value !== null) query.set(written(key), JSON.stringify(value));
  }
  const text = String(query);
  return text && `?${text}`;
}

/**
 * The inverse. Parameters that are not filters are left out.
 * @param {string} search
 * @returns {Filters}
 */
export function read(search) {
  const pairs = [...new URLSearchParams(search)].filter(([key]) => /^filter_|^f_/.test(key));
  return Object.fromEntries(pairs.map(([key, value]) => [key.replace(/^filter_/, ''), /** @type {any} */ (parsed(value))]));
}

/** Whether two queries have the same filters, in any order. @param {string} a @param {string} b */
export function same(a, b) {
  const [one, other] = [a, b].map((search) => JSON.stringify(Object.entries(read(search)).sort(([x], [y]) => (x < y ? -1 : 1))));
  return one === other;
}

/** @param {Options} options */
function page({ url, embedUrl, application, dashboard, project, workspace }) {
  if (url) return url;
  const id = encodeURIComponent;
  const share = `${String(embedUrl).replace(/\/+$/, '')}/share`;
  if (workspace && project) return `${share}/workspace/${id(project)}/${id(workspace)}`;
  if (application) return `${share}/application/${id(application)}${dashboard ? `?dashboardId=${id(dashboard)}` : ''}`;
  if (dashboard) return `${share}/dashboard/${id(dashboard)}`;
  throw new TypeError('Inlay: pass url, application, dashboard, or project and workspace');
}

/**
 * The frame's URL. `url` may be relative to `base`.
 * @param {Options} options
 * @param {{params?: Parameters, search: string, parentOrigin: string, base?: string}} now
 */
export function address(options, { params, search, parentOrigin, base }) {
  const url = new URL(page(options), base);
  // A URL with another scheme (`javascript:`) would run in the host's own page.
  if (!/^https?:$/.test(url.protocol)) throw new TypeError('Inlay: the url must begin with https: or http:');
  for (const [key, value] of Object.entries(params ?? {})) {
    const none = value === undefined || value === null || value === false;
    if (none) url.searchParams.delete(key);
    else url.searchParams.set(key, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  for (const [key, value] of new URLSearchParams(search)) url.searchParams.set(key, value);
  for (const key of OWN) url.searchParams.delete(key);
  url.searchParams.set('tokenHandoff', 'true');
  url.searchParams.set('parentOrigin', parentOrigin);
  if (options.autoHeight !== false) url.searchParams.set('autoHeight', 'true');
  return url;
}
