// Text from hosts, viewers and rows is never markup, wherever it is shown.
import { ACME } from '../support/data.js';
import { chooseType } from '../support/editor.js';
import { expect, test } from '../support/fixtures.js';

const EVIL = '<img src=x onerror="window.caught = 1"><svg onload="window.caught = 1"></svg>{{7*7}}';

/** Checks that none of it was executed or became an element. */
async function isText(page) {
  expect(await page.evaluate(() => window.caught)).toBeUndefined();
  await expect(page.locator('img, svg[onload]')).toHaveCount(0);
}

test('a value in the address', async ({ open, page }) => {
  const dashboard = await open(ACME, { parameters: { 'f_warehouse.orders.category': EVIL, filter_region: JSON.stringify(EVIL) } });
  await expect(dashboard.chart('Revenue by region')).toHaveAttribute('data-state', 'empty');
  await expect(dashboard.filters.getByText(EVIL)).toBeVisible();
  await expect(dashboard.filters.getByRole('combobox', { name: 'Region' })).toHaveAttribute('placeholder', EVIL);
  await isText(page);
});

test('names and rows: in the chart, its table, its tooltip, the dashboard’s title and the navigation', async ({ open, page }) => {
  const dashboard = await open(ACME, { role: 'SQL author', user: `writer-${process.pid}-${Date.now()}` });
  await dashboard.drawn();
  await page.getByRole('button', { name: 'Actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Rename', exact: true }).click();
  await page.getByRole('dialog', { name: 'Rename dashboard' }).getByLabel('Name').fill(EVIL);
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await expect(dashboard.title).toHaveText(EVIL);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'New chart', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'New chart' });
  await dialog.getByLabel('Name').fill(EVIL);
  await dialog.getByRole('button', { name: 'SQL', exact: true }).click();
  await chooseType(dialog, 'Bar');
  await dialog.getByLabel('Connection').selectOption({ label: 'warehouse' });
  await dialog.getByRole('textbox', { name: 'SQL' }).fill(`select '${EVIL}' as "${EVIL.replaceAll('"', '""')}", 5 as n from rates limit 1`);
  await expect(dialog.getByRole('checkbox', { name: 'n', exact: true })).toBeVisible();
  await dialog.getByRole('checkbox', { name: 'n', exact: true }).check();
  await dialog.getByRole('combobox').filter({ hasText: EVIL }).first().selectOption(EVIL);
  const picture = dialog.getByRole('figure', { name: 'Preview' });
  await expect(picture.locator('svg').first()).toBeVisible();
  const box = await picture.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 5 });
  await isText(page);
  await dialog.getByRole('button', { name: 'Add to dashboard' }).click();
  await expect(dashboard.chart(EVIL)).toHaveAttribute('data-state', 'ready');
  expect(await dashboard.rows(EVIL)).toEqual([[EVIL, 5]]);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dashboard.navigation.getByRole('link', { name: EVIL })).toBeVisible();
  await isText(page);
});
