// Each customer's user sees only that customer's rows: the page equals the expected data, chart by chart.

import { Dashboard } from '../support/dashboard.js';
import { ACME, EXPECTED, expected, GLOBEX } from '../support/data.js';
import { embed, expect, test } from '../support/fixtures.js';

for (const company of [ACME, GLOBEX]) {
  test(`a user of ${company} sees the rows of ${company}, chart by chart`, async ({ open }) => {
    const dashboard = await open(company);
    await dashboard.drawn();
    for (const chart of Object.keys(EXPECTED)) {
      expect(await dashboard.rows(chart), chart).toEqual(expected(chart, company));
    }
  });
}

test('two embeds of two users stand on one page and do not mix', async ({ page, host, service }) => {
  const [acme, globex] = await Promise.all([service.signIn(ACME), service.signIn(GLOBEX)]);
  await page.goto(host.page({ src: service.applicationPage(acme) }, { src: service.applicationPage(globex) }));
  const [first, second] = [new Dashboard(await embed(page, 0)), new Dashboard(await embed(page, 1))];
  await Promise.all([first.drawn(), second.drawn()]);
  await first.choose('Region', 'north');
  await expect.poll(() => first.rows('Revenue')).toEqual(expected('Revenue', ACME, { region: 'north' }));
  expect(await second.rows('Revenue')).toEqual(expected('Revenue', GLOBEX));
  await expect(second.filters.getByRole('button', { name: 'Clear filters' })).not.toBeVisible();
});

test('a property that the row rule needs and the user lacks shows no rows', async ({ open }) => {
  const dashboard = await open('nobody', { properties: {} });
  await expect(dashboard.chart('Revenue')).toHaveAttribute('data-state', 'error');
  await expect(dashboard.chart('Stock by depot')).toHaveAttribute('data-state', 'error');
  await expect(dashboard.chart('Exchange rates')).toHaveAttribute('data-state', 'ready');
  await expect(dashboard.charts.getByText(/company|orders\b.*from|select/i)).toHaveCount(0);
});
