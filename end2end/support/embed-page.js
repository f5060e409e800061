// Fixtures for the console's Embed page: a host's site, and a service whose rules read user properties.
import { ACME, orders, TABLES } from './data.js';
import { test as base, expect } from './fixtures.js';
import { project } from './project.js';
import { Service } from './service.js';
import { Site } from './site.js';

export { expect };

/** The tests' project with rules that read properties of customer and user. Some names must be quoted in code. */
const WORLD = {
  databases: { 'warehouse.db': TABLES, 'fragile.db': TABLES },
  project: (origin) => {
    const made = project(origin);
    const rowRule = 'company = {{organization.company}} and quantity >= {{organization.zone-min}} and id > {{user.o\'clock "#$x"}}';
    return { ...made, tables: made.tables.map((table) => (table.table === 'orders' ? { ...table, rowRule } : table)) };
  },
};
/** @type {import('./types.js').TestWith<{ host: Site }>} */
export const test = base.extend(
  /** @type {any} */ ({
    host: [
      async ({}, use) => {
        const site = await Site.start();
        await use(site);
        await site.stop();
      },
      { scope: 'worker' },
    ],
    service: [
      async ({ host }, use) => {
        const service = await Service.start(host.origin, { world: WORLD });
        await use(service);
        await service.stop();
      },
      { scope: 'worker' },
    ],
  }),
);

/** A user whose properties are the examples in the code. */
export async function meet(service) {
  const answer = await fetch(`${service.url}/v1/api/projects/embed-token`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      projectId: service.project.projectId,
      organization: { externalId: ACME, properties: { company: ACME, 'zone-min': 3 } },
      user: { externalId: 'ann', properties: { 'o\'clock "#$x"': 0 } },
    }),
  });
  expect(answer.status).toBe(200);
}

/** The revenue that a user with these properties sees. */
export const revenue = () =>
  orders(ACME)
    .filter(({ quantity }) => quantity >= 3)
    .reduce((total, { amount }) => total + amount, 0);
