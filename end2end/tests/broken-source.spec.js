// A source that is down only affects its own charts.
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { ACME, expected, RATES } from '../support/data.js';
import { expect, test } from '../support/fixtures.js';

test('a chart whose source is down says so, and `Try again` brings it back', async ({ open, service }) => {
  const source = join(service.folder, 'fragile.db');
  await rename(source, `${source}.away`);
  const dashboard = await open(ACME, { parameters: { dashboardId: service.dashboard('Fragile') } });
  expect(dashboard.response.status()).toBe(200);
  const chart = dashboard.chart('Fragile rates');
  await expect(chart).toHaveAttribute('data-state', 'error');
  await expect(chart.getByText(/sqlite|fragile\.db|unable to open|error code/i)).toHaveCount(0);
  await expect(dashboard.chart('Revenue')).toHaveAttribute('data-state', 'ready');
  expect(await dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME));

  await chart.getByRole('button', { name: 'Try again' }).click();
  await expect(chart).toHaveAttribute('data-state', 'error');
  await rename(`${source}.away`, source);
  await chart.getByRole('button', { name: 'Try again' }).click();
  await expect(chart).toHaveAttribute('data-state', 'ready');
  expect(await dashboard.rows('Fragile rates')).toEqual(RATES.map(({ currency, rate }) => [currency, rate]));
});
