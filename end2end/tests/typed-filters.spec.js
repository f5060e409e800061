// Filters with text inputs: ranges of numbers, and texts.
import { ACME, orders, TABLES } from '../support/data.js';
import { expect, inWorld } from '../support/fixtures.js';
import { project } from '../support/project.js';

const FILTERS = [
  { key: 'amount', label: 'Amount', column: 'warehouse.orders.amount', control: 'number-range' },
  { key: 'category', label: 'Category', column: 'warehouse.orders.category', control: 'text' },
];

const typed = (hostOrigin) => {
  const shop = project(hostOrigin);
  shop.applications[0].dashboards[0].filters = FILTERS;
  return shop;
};
const test = inWorld({ project: typed, databases: { 'warehouse.db': TABLES, 'fragile.db': TABLES } });

const revenue = (rows) => [[rows.reduce((sum, { amount }) => sum + amount, 0)]];
const [{ category }] = orders(ACME);
const amounts = orders(ACME)
  .map(({ amount }) => amount)
  .toSorted((a, b) => a - b);
const [low, high] = [amounts[Math.floor(amounts.length / 4)], amounts[Math.floor((3 * amounts.length) / 4)]];

test('a range of numbers holds its first and not its second, and each end may be open', async ({ open, page }) => {
  const dashboard = await open(ACME);
  await dashboard.drawn();
  await page.getByRole('spinbutton', { name: 'Amount from' }).fill(String(low));
  await page.keyboard.press('Tab');
  await expect.poll(() => dashboard.rows('Revenue')).toEqual(revenue(orders(ACME).filter(({ amount }) => amount >= low)));
  await page.getByRole('spinbutton', { name: 'Amount to' }).fill(String(high));
  await page.keyboard.press('Tab');
  await expect.poll(() => dashboard.rows('Revenue')).toEqual(revenue(orders(ACME).filter(({ amount }) => amount >= low && amount < high)));
  await page.getByRole('spinbutton', { name: 'Amount from' }).fill('');
  await page.keyboard.press('Tab');
  await expect.poll(() => dashboard.rows('Revenue')).toEqual(revenue(orders(ACME).filter(({ amount }) => amount < high)));
});

test('a text is the whole value, a quote in it included, and the host can set both', async ({ open, page }) => {
  const dashboard = await open(ACME, { parameters: { filter_amount: JSON.stringify({ from: low }) } });
  await dashboard.drawn();
  await expect(page.getByRole('spinbutton', { name: 'Amount from' })).toHaveValue(String(low));
  const field = page.getByRole('textbox', { name: 'Category' });
  await field.fill(` ${category} `);
  await page.keyboard.press('Enter');
  await expect
    .poll(() => dashboard.rows('Revenue'))
    .toEqual(revenue(orders(ACME).filter((row) => row.amount >= low && row.category === category)));
  await field.fill("it's none");
  await page.keyboard.press('Enter');
  await expect(dashboard.chart('Revenue by region').getByText('No data', { exact: true })).toBeVisible();
  await page.getByRole('region', { name: 'Filters' }).getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => dashboard.rows('Revenue')).toEqual(revenue(orders(ACME)));
});
