// A filter's default applies when the address names no other value, and the host is told (docs/spec/contract.md, section 6).

import { Bridge } from '../support/bridge.js';
import { ACME, TABLES } from '../support/data.js';
import { expect, inWorld } from '../support/fixtures.js';
import { project } from '../support/project.js';

const withDefault = (hostOrigin) => {
  const shop = project(hostOrigin);
  /** @type {any} */ (shop.applications[0].dashboards[0]).filters[0].default = 'north';
  return shop;
};

const test = inWorld({ project: withDefault, databases: { 'warehouse.db': TABLES, 'fragile.db': TABLES } });

test('the host hears of a default as such, of its own filter and of the user’s as theirs', async ({ page, host, service }) => {
  const bridge = await Bridge.open(page, host, service, { jwt: await service.signIn(ACME) });
  const told = (region, source) => ({ type: 'embed:params', v: 1, search: `?filter_region=%22${region}%22`, source });
  const heard = () => bridge.heard('embed:params');
  await bridge.dashboard.drawn();
  await bridge.shows(['north']);
  await expect.poll(heard).toEqual([told('north', 'default')]);
  await bridge.setParams('?filter_region=%22south%22');
  await expect.poll(heard).toEqual([told('north', 'default'), told('south', 'host')]);
  await bridge.dashboard.filters.getByRole('button', { name: 'Clear filters' }).click();
  const cleared = { type: 'embed:params', v: 1, search: '', source: 'user' };
  await expect.poll(heard).toEqual([told('north', 'default'), told('south', 'host'), cleared]);
});

test('a value in the address takes the place of the default', async ({ page, host, service }) => {
  const bridge = await Bridge.open(page, host, service, { jwt: await service.signIn(ACME), filter_region: '"east"' });
  await bridge.dashboard.drawn();
  await bridge.shows(['east']);
  await bridge.settled();
  expect(await bridge.heard('embed:params')).toEqual([]);
});
