// A filter whose choices cannot be listed does not affect the rest of the page.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import initSqlJs from 'sql.js';
import { ACME, expected, TABLES } from '../support/data.js';
import { expect, inWorld } from '../support/fixtures.js';
import { FILTERED, project, UNFILTERED } from '../support/project.js';

/** The tests' own project with an additional filter on a column that no chart reads. */
function withCurrency(hostOrigin) {
  const made = project(hostOrigin);
  const currency = { key: 'currency', label: 'Currency', column: 'fragile.rates.currency', control: 'select' };
  for (const { dashboards } of made.applications) dashboards[0].filters = [...dashboards[0].filters, currency];
  return made;
}

const test = inWorld({ project: withCurrency, databases: { 'warehouse.db': TABLES, 'fragile.db': TABLES } });

// The browser's own line about the refused request.
test.use({ allowedErrors: [/status of (4|5)\d\d .*\/share\/fn\/filter-choices/] });

/** Renames a column of a database, without the service's knowledge. */
async function rename(file, table, from, to) {
  const { Database } = await initSqlJs();
  const database = new Database(await readFile(file));
  database.run(`alter table ${table} rename column ${from} to ${to}`);
  await writeFile(file, database.export());
  database.close();
}

test('a filter whose column was renamed says so, and the dashboard stays', async ({ open, service }) => {
  await rename(join(service.folder, 'fragile.db'), 'rates', 'currency', 'money');
  const dashboard = await open(ACME);
  expect(dashboard.response.status()).toBe(200);
  await dashboard.drawn();
  await expect(dashboard.title).toHaveText('Overview');

  const currency = dashboard.filters.getByRole('combobox', { name: 'Currency', exact: true });
  await currency.click();
  // The details are only for the operator.
  await expect(dashboard.filters.getByRole('status')).toHaveText('The values of this filter cannot be listed.');
  await expect(dashboard.surface.getByRole('listbox').getByRole('option')).toHaveCount(0);
  await currency.press('Escape');
  await expect(currency).toHaveAttribute('aria-expanded', 'false');

  // Everything else works: the other filters list and narrow, the charts are drawn.
  await dashboard.choose('Region', 'south');
  await expect.poll(() => dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME, { region: 'south' }));
  for (const name of [...FILTERED, ...UNFILTERED]) await expect(dashboard.chart(name)).toHaveAttribute('data-state', 'ready');
});
