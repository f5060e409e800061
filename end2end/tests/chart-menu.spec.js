// A chart's menu by keyboard, its data table, and its download.
import { readFile } from 'node:fs/promises';
import { ACME, expected } from '../support/data.js';
import { expect, test } from '../support/fixtures.js';

test('the menu opens, moves and closes by keyboard, and the focus returns', async ({ open, page }) => {
  const dashboard = await open(ACME);
  const button = dashboard.menuButton('Revenue by region');
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Show data' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Download CSV' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(button).toBeFocused();
});

test('a menu has the focus as soon as it is opened, so that no quick key is lost', async ({ open, page }) => {
  const dashboard = await open(ACME);
  // No frame is drawn between the click and the look at the focus.
  const focused = await dashboard.menuButton('Revenue by region').evaluate((button) => {
    button.focus();
    button.click();
    return document.activeElement.textContent.trim();
  });
  expect(focused).toBe('Show data');
  await expect(page.getByRole('menu')).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Show data' })).toBeFocused();
});

test('`Show data` by keyboard turns the chart into its table', async ({ open, page }) => {
  const dashboard = await open(ACME);
  await dashboard.menuButton('Revenue by region').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(dashboard.table('Revenue by region')).toBeVisible();
  expect(await dashboard.columns('Revenue by region')).toEqual(['region', 'revenue']);
  expect(await dashboard.rows('Revenue by region')).toEqual(expected('Revenue by region', ACME));
});

test('`Download CSV` holds the rows that are shown', async ({ open, page }) => {
  const dashboard = await open(ACME, { parameters: { filter_region: '"south"' } });
  const item = await dashboard.menuItem('Orders by category', 'Download CSV');
  const [download] = await Promise.all([page.waitForEvent('download'), item.click()]);
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
  const lines = (await readFile(await download.path(), 'utf8'))
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/);
  const rows = expected('Orders by category', ACME, { region: 'south' });
  expect(lines).toEqual(['category,orders', ...rows.map((row) => row.join(','))]);
});

test('a table sorts by its header', async ({ open, service }) => {
  const dashboard = await open(ACME, { parameters: { dashboardId: service.dashboard('Details') } });
  await dashboard.drawn();
  const table = dashboard.chart('Largest orders').getByRole('table');
  const ids = async () =>
    await table.locator('tbody tr').evaluateAll((rows) => rows.map((row) => Number(row.querySelector('[data-value]').dataset.value)));
  const sorted = (await ids()).toSorted((a, b) => a - b);
  expect(await ids()).not.toEqual(sorted);
  await table.getByRole('columnheader', { name: /^id/i }).getByRole('button').click();
  await expect.poll(ids).toEqual(sorted.toReversed());
  await table.getByRole('columnheader', { name: /^id/i }).getByRole('button').click();
  await expect.poll(ids).toEqual(sorted);
});
