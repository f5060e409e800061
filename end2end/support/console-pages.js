// Every page of the management console, found by following links from its first page. The router lists what exists.
import { readFile } from 'node:fs/promises';
import { hydrated } from './fixtures.js';

const ROUTES = new URL('../../src/faces/console/routes.rs', import.meta.url);

/** The paths of the console's routes with a method, `get` or `post`, as in the router. */
export async function routes(method) {
  const [, ...calls] = (await readFile(ROUTES, 'utf8')).split('.route(');
  const taken = calls.filter((call) => new RegExp(`\\b${method}\\(`).test(call));
  return taken.map((call) => call.match(/"([^"]+)"/)[1]);
}

/** The route of a URL: the most specific one. */
export function routeOf(all, address) {
  const path = new URL(address, 'http://console').pathname;
  const fits = (route) => new RegExp(`^${route.replace(/\{\*\w+\}/g, '.+').replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
  const named = (route) => route.replace(/\{\*?\w+\}/g, '').length;
  return all.filter(fits).sort((a, b) => named(b) - named(a))[0];
}

/**
 * Follows the links of the open page, and of each page of a new route. Calls `visit` with each page, its route and its URL.
 * Returns the visited routes.
 */
export async function follow(page, visit) {
  const all = await routes('get');
  const met = new Map();
  const waiting = [page.url()];
  while (waiting.length > 0) {
    const address = waiting.shift();
    const route = routeOf(all, address);
    if (met.has(route)) continue;
    met.set(route, address);
    if (page.url() !== address) await page.goto(address);
    await hydrated(page);
    const links = await page.locator('a[href^="/console"]:not([href$="/download"])').evaluateAll((found) => found.map((link) => link.href));
    waiting.push(...links.filter((link) => !met.has(routeOf(all, link))));
    await visit(route, address);
  }
  return met;
}
