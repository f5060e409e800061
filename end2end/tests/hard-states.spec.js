// Hard states: long names, many values, few values, unusual numbers, small tiles, narrow pages. What must hold is measured:
// nothing scrolls sideways, nothing is cut or lies on something else, no chart fails.

import { cutOff } from '../support/dashboard.js';
import { ACME } from '../support/data.js';
import { expect, inWorld } from '../support/fixtures.js';
import { DASHBOARDS, HARD, LONG, UNBROKEN } from '../support/hard.js';
import { layoutFaults } from '../support/layout-faults.js';

const test = inWorld(HARD);
// All tests use one service.
test.describe.configure({ mode: 'default' });

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 320, height: 700 };

/** Waits until the layout has no faults: drawings follow the page's width. */
async function sound(page, what) {
  await expect.poll(() => page.evaluate(layoutFaults), what).toEqual([]);
}

/** The texts of a chart's drawing. */
const texts = (chart) => chart.locator('.plot svg text').allTextContents();

/** Opens a dashboard and measures it at 1280 and at 320 pixels. */
async function measured({ open, page, service }, { name }) {
  const dashboard = await open(ACME, { application: 'Hard', parameters: { dashboardId: service.dashboard(name, 'Hard') } });
  await expect(dashboard.title).toHaveText(name);
  await sound(page, `${name} at 1280 px`);
  await page.setViewportSize(PHONE);
  await sound(page, `${name} at 320 px`);
  return dashboard;
}

test('names of 200 characters, without spaces, from right to left, with emoji and combining characters', async ({ open, page }) => {
  const dashboard = await open(ACME, { application: 'Hard' });
  await expect(dashboard.title).toHaveText(LONG);
  await sound(page, 'at 1280 px');
  await page.setViewportSize(PHONE);
  await sound(page, 'at 320 px');
  await page.setViewportSize(DESKTOP);
  for (const title of await page.locator('.tile-title').all()) await expect(title).toHaveAttribute('title', await title.innerText());
  for (const name of ['Names of a radar', 'Names in a heatmap', 'Names in flows', 'Names in a funnel']) {
    const chart = dashboard.chart(name);
    await expect.poll(() => chart.evaluate(cutOff), `${name}: cut off`).toEqual([]);
    expect(
      (await texts(chart)).filter((text) => text.length > 60),
      `${name}: long names`,
    ).toEqual([]);
  }
  await dashboard.navigation.getByRole('link', { name: UNBROKEN }).click();
  await expect(dashboard.title).toHaveText(UNBROKEN);
  await sound(page, 'a name without spaces at 1280 px');
  await page.setViewportSize(PHONE);
  await sound(page, 'a name without spaces at 320 px');
});

test.describe('at 400 % zoom', () => {
  test.use({ viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 });

  test('names of 200 characters', async ({ open, page }) => {
    const dashboard = await open(ACME, { application: 'Hard' });
    await expect(dashboard.title).toHaveText(LONG);
    await sound(page, 'the page');
    await page.getByRole('button', { name: 'Choose a dashboard' }).click();
    await expect(dashboard.navigation.getByRole('link', { name: 'Numbers' })).toBeVisible();
    await sound(page, 'its navigation');
  });

  test('1,000 values of a filter', async ({ open, page, service }) => {
    await open(ACME, { application: 'Hard', parameters: { dashboardId: service.dashboard(DASHBOARDS.many.name, 'Hard') } });
    await page.getByRole('combobox', { name: 'Value' }).click();
    await expect(page.getByRole('option').first()).toBeVisible();
    await sound(page, 'its values');
  });
});

test('long numbers, negative ones, zero and null are whole in their cards', async ({ open, page, service }) => {
  const dashboard = await measured({ open, page, service }, DASHBOARDS.numbers);
  await expect(dashboard.chart('Null')).toContainText('–');
  await expect(dashboard.chart('Null')).toHaveAttribute('data-state', 'ready');
  await expect(dashboard.chart('Zero').locator('.number-value')).toHaveText('0');
  await expect(dashboard.chart('Zero').locator('.number-delta')).toHaveText(/^\s*Unchanged\s?from 0$/);
  await expect(dashboard.chart('15 digits with decimals').locator('.number-value')).toHaveText(/^123,456,789,012\.345\skWh$/);
  await expect(dashboard.chart('Negative').locator('.number-value')).toHaveText('−€1,234.50');
  expect((await dashboard.chart('15 digits with their course').locator('.number-spark svg').boundingBox()).height).toBeGreaterThan(30);
});

for (const [what, dashboard] of Object.entries({
  'one row, and series of one point': DASHBOARDS.one,
  'dates before 1900': DASHBOARDS.old,
  '60 charts': DASHBOARDS.sixty,
})) {
  test(what, async ({ open, page, service }) => {
    const { charts } = await measured({ open, page, service }, dashboard);
    await expect(charts).toHaveCount(dashboard.charts.length);
    await expect(page.locator('figure[data-state="ready"]')).toHaveCount(dashboard.charts.length);
  });
}

test('bars and lines over centuries name their years', async ({ open, page, service }) => {
  const dashboard = await open(ACME, { application: 'Hard', parameters: { dashboardId: service.dashboard(DASHBOARDS.old.name, 'Hard') } });
  for (const [name, year] of [
    ['Years since 1700', '1800'],
    ['Bars since 1700', '1790'],
  ]) {
    await expect(page.locator('figure[data-state="ready"]')).toHaveCount(DASHBOARDS.old.charts.length);
    const shown = await texts(dashboard.chart(name));
    expect(shown, name).toContain(year);
    expect(shown, name).not.toContain('Mar');
  }
});

test('no value but null: a gauge says so as a number does, a table is a table, all others have no data', async ({
  open,
  page,
  service,
}) => {
  const dashboard = await measured({ open, page, service }, DASHBOARDS.nulls);
  const drawn = ['gauge', 'table', 'pivot'].map((type) => dashboard.chart(`All null: ${type}`));
  for (const chart of drawn) await expect(chart).toHaveAttribute('data-state', 'ready');
  expect(await texts(drawn[0])).toContain('–');
  const empty = page.locator('figure[data-state="empty"]').getByText('No data yet.');
  await expect(empty).toHaveCount(DASHBOARDS.nulls.charts.length - drawn.length);
});

test('no row', async ({ open, page, service }) => {
  await measured({ open, page, service }, DASHBOARDS.none);
  await expect(page.locator('figure[data-state="empty"]').getByText('No data yet.')).toHaveCount(DASHBOARDS.none.charts.length);
});

test('many values: a filter, slices, categories, series, wide columns', async ({ open, page, service }) => {
  const dashboard = await measured({ open, page, service }, DASHBOARDS.many);
  const table = dashboard.chart('A table of 12 wide columns');
  await expect(table.getByRole('columnheader')).toHaveCount(12);
  const scroller = table.getByRole('group', { name: 'scrollable' });
  expect(await scroller.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true);
  const across = dashboard.chart('200 categories across').locator('.plot');
  await across.scrollIntoViewIfNeeded();
  await across.hover();
  // The card scrolls to bars that have room for their names, also by keys.
  await expect(across).toHaveAttribute('tabindex', '0');
  await expect.poll(() => across.evaluate(({ scrollHeight }) => scrollHeight)).toBeGreaterThan(200 * 18);
  await across.focus();
  await page.keyboard.press('End');
  await expect(across.getByText('Category 200', { exact: true })).toBeInViewport();
  await expect(across.getByText('Category 1', { exact: true })).not.toBeInViewport();
  const names = dashboard.chart('Bars of 200 categories').locator('.plot svg text', { hasText: /^Category/ });
  const boxes = await names.evaluateAll((found) => found.map((name) => name.getBoundingClientRect().toJSON()));
  expect(boxes.length).toBeGreaterThan(1);
  const row = boxes.toSorted((a, b) => a.left - b.left);
  expect(row.filter((box, at) => at > 0 && box.left < row[at - 1].right)).toEqual([]);
  const filter = page.getByRole('combobox', { name: 'Value' });
  await filter.click();
  await expect(page.getByRole('option')).toHaveCount(200);
  await sound(page, 'its values at 320 px');
  await filter.fill('0999');
  await expect(page.getByRole('option')).toHaveCount(1);
});

test('tiles of two columns and rows', async ({ open, page, service }) => {
  const dashboard = await measured({ open, page, service }, DASHBOARDS.small);
  await page.setViewportSize(DESKTOP);
  const pages = dashboard.chart('Airlines').locator('.table-pages');
  await expect(pages).not.toBeInViewport();
  // A menu is above the tiles that follow.
  const item = await dashboard.menuItem('Flights', 'Download image');
  await item.click({ trial: true });
});
