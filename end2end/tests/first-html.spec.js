// The first HTML contains the charts: a viewer sees them before scripts have run, or without scripts.

import { Dashboard } from '../support/dashboard.js';
import { ACME, expected, ORDERS } from '../support/data.js';
import { expect, hydrated, test } from '../support/fixtures.js';
import { FILTERED, UNFILTERED } from '../support/project.js';

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('every chart is drawn by the server', async ({ page, service }) => {
    await page.goto(service.applicationPage(await service.signIn(ACME)));
    const dashboard = new Dashboard(page);
    await expect(dashboard.charts).toHaveCount(FILTERED.length + UNFILTERED.length);
    for (const name of [...FILTERED, ...UNFILTERED].filter((chart) => chart !== 'Revenue')) {
      await expect(dashboard.chart(name)).toHaveAttribute('data-state', 'ready');
      const box = await dashboard.drawing(name);
      expect(box.width, name).toBeGreaterThan(200);
      expect(box.height, name).toBeGreaterThan(100);
    }
    const [[revenue]] = expected('Revenue', ACME);
    expect((await dashboard.chart('Revenue').innerText()).replaceAll(',', '')).toContain(String(Math.trunc(revenue)).slice(0, 2));
  });
});

test('a filter of the address narrows the first HTML', async ({ request, service }) => {
  const token = await service.signIn(ACME);
  const drawn = async (parameters) => (await request.get(service.applicationPage(token, parameters))).text();
  const [all, narrowed] = [await drawn({}), await drawn({ filter_region: '"north"' })];
  const south = ORDERS.find((order) => order.region === 'south').region;
  const barChart = (html) => html.match(/<figure(?:(?!<\/figure>)[\s\S])*?Revenue by region[\s\S]*?<\/figure>/)[0];
  expect(barChart(all)).toContain(south);
  expect(barChart(narrowed)).toContain('north');
  expect(barChart(narrowed)).not.toContain(south);
});

test('hydration takes the charts over where they stand, without an error', async ({ open, page }) => {
  const dashboard = await open(ACME);
  await dashboard.drawn();
  const chart = dashboard.chart('Revenue by region');
  const before = await chart.boundingBox();
  await chart.hover({ position: { x: before.width / 2, y: before.height / 2 } });
  expect(await chart.boundingBox()).toEqual(before);
  expect((await dashboard.drawing('Revenue by region')).height).toBeGreaterThan(100);
  expect(await page.evaluate(() => document.documentElement.dataset.hydrated)).toBeDefined();
});

test('the tooltip of a mark names its value', async ({ open, page }) => {
  const dashboard = await open(ACME);
  await dashboard.drawn();
  await dashboard.chart('Exchange rates').scrollIntoViewIfNeeded();
  const box = await dashboard.drawing('Exchange rates');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 5 });
  await expect(page.getByText('0.5', { exact: true }).last()).toBeVisible();
});

test.describe('in a browser that never rests', () => {
  test.beforeEach(({ page }) =>
    page.addInitScript(() => {
      window.requestIdleCallback = () => 0;
    }),
  );

  test('the server’s pictures stay, and whoever comes near has the chart at once', async ({ page, service }) => {
    await page.goto(service.applicationPage(await service.signIn(ACME)));
    await hydrated(page);
    const dashboard = new Dashboard(page);
    const [near, far] = ['Revenue by region', 'Stock by depot'];
    const taken = (name) => dashboard.chart(name).locator('.plot > div');
    await page.waitForLoadState('networkidle');
    await expect(taken(near), 'the server’s picture').toHaveCount(0);
    await dashboard.chart(near).hover();
    await expect(taken(near)).toHaveCount(1);
    await expect(taken(far), 'another chart').toHaveCount(0);
    await dashboard.chart(far).getByRole('button').first().focus();
    await expect(taken(far), 'by keyboard').toHaveCount(1);
  });

  test('rows that change are drawn without waiting', async ({ page, service }) => {
    await page.goto(service.applicationPage(await service.signIn(ACME), { filter_region: '"north"' }));
    await hydrated(page);
    const dashboard = new Dashboard(page);
    const chart = dashboard.chart('Revenue by region');
    await expect(chart.locator('.plot > div')).toHaveCount(0);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(chart.locator('.plot > div')).toHaveCount(1);
    const south = ORDERS.find((order) => order.region === 'south').region;
    await expect(chart.locator('svg').getByText(south).first()).toBeVisible();
  });
});

test('a page that is never painted comes alive all the same', async ({ page, service }) => {
  await page.addInitScript(() => {
    window.PerformanceObserver = /** @type {any} */ (
      class {
        static supportedEntryTypes = ['paint'];
        observe() {}
      }
    );
  });
  await page.goto(service.applicationPage(await service.signIn(ACME)));
  await hydrated(page);
});
