// Drill-down: from a mark to the rows behind it, by pointer and by keyboard, for those whose role has it.
import { ACME, orders } from '../support/data.js';
import { expect, test } from '../support/fixtures.js';

const dialogOf = (page) => page.getByRole('dialog', { name: 'Drill down' });
const cells = (table) => table.locator('tbody tr').evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('[data-value]')].map((cell) => cell.dataset.value)));

test('Enter on a row of `Show data` lists the orders behind it', async ({ open, page }) => {
  const dashboard = await open(ACME, { role: 'Driller' });
  await dashboard.drawn();
  await dashboard.rows('Revenue by region');
  await dashboard.table('Revenue by region').getByRole('row', { name: /^south/ }).focus();
  await page.keyboard.press('Enter');
  const table = dialogOf(page).getByRole('table', { name: 'Revenue by region rows' });
  await expect(table).toBeVisible();
  const wanted = orders(ACME, { region: 'south' }).map(({ id }) => String(id)).toSorted();
  expect((await cells(table)).map(([id]) => id).toSorted()).toEqual(wanted);
  await page.keyboard.press('Escape');
  await expect(dialogOf(page)).toHaveCount(0);
});

test('a click on a bar opens what is behind it, broken down by another column, and filters the dashboard', async ({ open, page }) => {
  const dashboard = await open(ACME, { role: 'Driller' });
  await dashboard.drawn();
  await dashboard.chart('Revenue by region').hover();
  const box = await dashboard.drawing('Revenue by region');
  // The fourth of four bars.
  await page.mouse.click(box.x + box.width * 0.9, box.y + box.height * 0.8);
  const dialog = dialogOf(page);
  await expect(dialog.getByText('south', { exact: true }).first()).toBeVisible();
  await dialog.getByLabel('Break down by').selectOption('category');
  const table = dialog.getByRole('table');
  await expect.poll(async () => (await cells(table)).length).toBeLessThanOrEqual(3);
  const sums = new Map((await cells(table)).map(([category, sum]) => [category, Number(sum)]));
  for (const [category, sum] of sums) {
    const own = orders(ACME, { region: 'south' }).filter((order) => order.category === category);
    expect(sum, category).toBe(own.reduce((total, order) => total + order.amount, 0));
  }
  await dialog.getByRole('button', { name: 'Filter the dashboard by this' }).click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(async () => (await dashboard.rows('Revenue by region')).map(([region]) => region)).toEqual(['south']);
});

test('without the permission neither a click nor Enter opens anything', async ({ open, page }) => {
  const dashboard = await open(ACME);
  await dashboard.drawn();
  const box = await dashboard.drawing('Revenue by region');
  await page.mouse.click(box.x + box.width * 0.9, box.y + box.height * 0.8);
  await dashboard.rows('Revenue by region');
  await expect(dashboard.table('Revenue by region').locator('tbody tr[tabindex]')).toHaveCount(0);
  await expect(dialogOf(page)).toHaveCount(0);
});
