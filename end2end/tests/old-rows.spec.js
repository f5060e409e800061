// While a data source does not answer, charts show their last rows and when these were read, if the operator allows it.
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { ACME, RATES, TABLES } from '../support/data.js';
import { expect, withService } from '../support/fixtures.js';
import { project } from '../support/project.js';

const WORLD = {
  databases: { 'warehouse.db': TABLES, 'fragile.db': TABLES },
  project: (origin) => {
    const made = project(origin);
    const connections = made.connections.map((one) => (one.name === 'fragile' ? { ...one, cacheSeconds: 0, staleSeconds: 600 } : one));
    return { ...made, connections };
  },
};
// The other tests' services remember no results.
const test = withService({ world: WORLD, environment: { INLAY_QUERY_CACHE_SECONDS: '30' } });

const rows = RATES.map(({ currency, rate }) => [currency, rate]);

/** The name of a chart's CSV file. */
async function csvName(page, dashboard, chart) {
  const item = await dashboard.menuItem(chart, 'Download CSV');
  const [download] = await Promise.all([page.waitForEvent('download'), item.click()]);
  return download.suggestedFilename();
}

test('a chart of a silent source has its last rows with their age, until the source answers', async ({ open, page, service }) => {
  const there = { parameters: { dashboardId: service.dashboard('Fragile') } };
  const before = await open(ACME, there);
  await before.drawn();
  await expect(page.getByText(/^As of/)).toHaveCount(0);
  const source = join(service.folder, 'fragile.db');
  await rename(source, `${source}.away`);
  await page.clock.install();
  const dashboard = await open(ACME, there);
  await dashboard.drawn();
  const chart = dashboard.chart('Fragile rates');
  const age = chart.getByText(/^As of \d\d:\d\d$/);
  await expect(age).toBeVisible();
  await expect(age).toHaveAttribute('title', /^The data source does not answer\. These rows were read at .*\d/);
  await expect(dashboard.chart('Revenue').getByText(/^As of/)).toHaveCount(0);
  expect(await dashboard.rows('Fragile rates')).toEqual(rows);
  expect(await csvName(page, dashboard, 'Fragile rates')).toMatch(/^As of \d{4}-\d\d-\d\d \d\d-\d\d UTC Fragile rates\.csv$/);
  expect(await csvName(page, dashboard, 'Revenue')).toBe('Revenue.csv');

  await rename(`${source}.away`, source);
  // A chart that somebody is in stays as it is.
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
  // The page asks again by itself. A source that did not answer is left alone for some seconds.
  for (let minute = 0; minute < 10 && (await age.count()) > 0; minute += 1) {
    await page.clock.fastForward(61_000);
    await page.evaluate(async () => {
      for (let i = 0; i < 20; i += 1) await fetch('/healthz');
    });
  }
  await expect(age).toHaveCount(0);
  await expect(chart).toHaveAttribute('data-state', 'ready');
});
