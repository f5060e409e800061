// Clicking marks, by pointer and by keyboard: shows the rows behind them for roles with drill-down, filters the dashboard for
// others.
import { Bridge } from '../support/bridge.js';
import { ACME, expected, orders } from '../support/data.js';
import { expect, test } from '../support/fixtures.js';

const dialogOf = (page) => page.getByRole('dialog', { name: 'Drill down' });
const cells = (table) =>
  table
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('[data-value]')].map((cell) => cell.dataset.value)));

/** Clicks the last bar of `Revenue by region`, once it shows this many bars without motion. With four bars it is the south. */
async function clickLastBar(page, dashboard, count = 4) {
  await dashboard.drawn();
  const chart = dashboard.chart('Revenue by region');
  await chart.hover();
  // The server's drawing has no click handler.
  await expect(chart.locator('.plot > svg')).toHaveCount(0);
  // Without the pointer on it, only the bars are filled.
  await page.mouse.move(0, 0);
  const bars = async () => {
    const paths = await chart.locator('.plot path:not([fill="none"]):not([fill="transparent"])').all();
    const boxes = (await Promise.all(paths.map((path) => path.boundingBox({ timeout: 1_000 }).catch(() => null)))).filter(Boolean);
    return boxes.filter(({ width, height }) => width > 10 && height > 10).toSorted((a, b) => a.x - b.x);
  };
  let last = [];
  await expect
    .poll(async () => {
      const before = JSON.stringify(last);
      last = await bars();
      return last.length === count && JSON.stringify(last) === before;
    })
    .toBe(true);
  const bar = last.at(-1);
  await page.mouse.click(bar.x + bar.width / 2, bar.y + bar.height - 5);
}

test('Enter on a row of `Show data` lists the orders behind it', async ({ open, page }) => {
  const dashboard = await open(ACME, { role: 'Driller' });
  await dashboard.drawn();
  await dashboard.rows('Revenue by region');
  await dashboard
    .table('Revenue by region')
    .getByRole('row', { name: /^south/ })
    .focus();
  await page.keyboard.press('Enter');
  const table = dialogOf(page).getByRole('table', { name: 'Revenue by region rows' });
  await expect(table).toBeVisible();
  const wanted = orders(ACME, { region: 'south' })
    .map(({ id }) => String(id))
    .toSorted();
  expect((await cells(table)).map(([id]) => id).toSorted()).toEqual(wanted);
  await expect(dialogOf(page).getByText(`${wanted.length} rows`, { exact: true })).toBeVisible();
  const [file] = await Promise.all([page.waitForEvent('download'), dialogOf(page).getByRole('button', { name: 'Download CSV' }).click()]);
  expect(file.suggestedFilename()).toBe('Revenue by region.csv');
  await page.keyboard.press('Escape');
  await expect(dialogOf(page)).toHaveCount(0);
});

test('a click on a bar opens what is behind it, broken down by another column, and filters the dashboard', async ({ open, page }) => {
  const dashboard = await open(ACME, { role: 'Driller' });
  await dashboard.drawn();
  await clickLastBar(page, dashboard);
  const dialog = dialogOf(page);
  await expect(dialog.getByText('south', { exact: true }).first()).toBeVisible();
  await dialog.getByLabel('Break down by').selectOption('category');
  const table = dialog.getByRole('table');
  const sums = async () => Object.fromEntries((await cells(table)).map(([category, sum]) => [category, Number(sum)]));
  const own = orders(ACME, { region: 'south' });
  const wanted = Object.fromEntries(own.map(({ category }) => [category, 0]));
  for (const { category, amount } of own) wanted[category] += amount;
  await expect.poll(sums).toEqual(wanted);
  await dialog.getByRole('button', { name: 'Filter the dashboard by this' }).click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(async () => (await dashboard.rows('Revenue by region')).map(([region]) => region)).toEqual(['south']);
});

test('a list that is cut is sorted by the server, and the page sorts a list that is whole', async ({ open, page }) => {
  const dashboard = await open(ACME, { role: 'Driller' });
  await dashboard.drawn();
  const asked = [];
  page.on('request', (request) => {
    if (request.url().includes('/share/fn/drill-down')) asked.push(request.url());
  });
  await dashboard.chart('Revenue').getByRole('button', { name: 'Show the rows of Revenue' }).click();
  const dialog = dialogOf(page);
  const ids = async () => (await cells(dialog.getByRole('table'))).map(([id]) => Number(id));
  const own = orders(ACME).map(({ id }) => id);
  const wanted = own.toSorted((a, b) => b - a);
  await expect(dialog.getByText(`${own.length} rows`, { exact: true })).toBeVisible();
  await dialog.getByRole('columnheader', { name: 'id', exact: true }).getByRole('button').click();
  await expect.poll(ids).toEqual(wanted);
  expect(asked).toHaveLength(1);
  await dialog.getByLabel('Break down by').selectOption('id');
  await expect(dialog.getByText(`50 of ${own.length} values, sorted by revenue, descending`)).toBeVisible();
  const head = dialog.getByRole('columnheader', { name: 'id', exact: true });
  await head.getByRole('button').press('Enter');
  await expect(dialog.getByText(`50 of ${own.length} values, sorted by id, descending`)).toBeVisible();
  await expect.poll(ids).toEqual(wanted.slice(0, 50));
  await expect(head).toHaveAttribute('aria-sort', 'descending');
  await expect(head.getByRole('button'), 'the header keeps the focus').toBeFocused();
  await page.keyboard.press('Enter');
  await expect.poll(ids).toEqual(wanted.toReversed().slice(0, 50));
});

test('a click on a number lists its rows, and so does Enter', async ({ open, page }) => {
  const dashboard = await open(ACME, { role: 'Driller' });
  await dashboard.drawn();
  const number = dashboard.chart('Revenue').getByRole('button', { name: 'Show the rows of Revenue' });
  await number.focus();
  await page.keyboard.press('Enter');
  const table = dialogOf(page).getByRole('table', { name: 'Revenue rows' });
  await expect(table.locator('tbody tr')).toHaveCount(orders(ACME).length);
  await page.keyboard.press('Escape');
  await expect(dialogOf(page)).toHaveCount(0);
  await expect(number).toBeFocused();
});

test('nothing looks as if it could be clicked where a click does nothing', async ({ open, page }) => {
  const plain = await open(ACME);
  await plain.drawn();
  await expect(plain.chart('Revenue').getByRole('button', { name: 'Show the rows of Revenue' })).toHaveCount(0);
  await plain.rows('Orders by category');
  const row = plain.table('Orders by category').locator('tbody tr').first();
  expect(await row.evaluate((element) => getComputedStyle(element).cursor), 'a row answers to Enter alone').not.toBe('pointer');
  const closed = await open(ACME, { user: 'fay', role: 'Without filters' });
  await closed.drawn();
  await clickLastBar(page, closed);
  const hands = closed
    .chart('Revenue by region')
    .locator('.plot')
    .evaluate((plot) => {
      return [...plot.querySelectorAll('*')].filter((element) => getComputedStyle(element).cursor === 'pointer').length;
    });
  expect(await hands).toBe(0);
});

const FOURTH = /** @type {const} */ (['south', { region: 'south' }]);
const region = (dashboard) => dashboard.filters.getByRole('combobox', { name: 'Region', exact: true });

test('without the permission a click on a bar filters the dashboard, and a click on it again takes the filter away', async ({
  open,
  page,
}) => {
  const dashboard = await open(ACME);
  await dashboard.drawn();
  await clickLastBar(page, dashboard);
  await expect(region(dashboard)).toHaveAttribute('placeholder', FOURTH[0]);
  await expect.poll(() => dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME, FOURTH[1]));
  await expect(dialogOf(page)).toHaveCount(0);
  await clickLastBar(page, dashboard, 1);
  await expect(region(dashboard)).toHaveAttribute('placeholder', 'All');
  await expect.poll(() => dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME));
});

test('Enter on a row of `Show data` does the same, and a column without a filter of its own gets a chip', async ({ open, page }) => {
  const dashboard = await open(ACME);
  await dashboard.drawn();
  await dashboard.rows('Orders by category');
  const books = dashboard.table('Orders by category').getByRole('row', { name: /^Books/ });
  await books.focus();
  await page.keyboard.press('Enter');
  const chip = dashboard.filters.getByRole('button', { name: 'Remove filter category' });
  await expect(chip).toBeVisible();
  const wanted = orders(ACME)
    .filter(({ category }) => category === 'Books')
    .reduce((sum, { amount }) => sum + amount, 0);
  await expect.poll(() => dashboard.rows('Revenue')).toEqual([[wanted]]);
  await dashboard.drawn();
  await books.focus();
  await page.keyboard.press('Enter');
  await expect(chip).toHaveCount(0);
  await expect.poll(() => dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME));
  await dashboard.drawn();
  await books.focus();
  await page.keyboard.press('Enter');
  await expect(chip).toBeVisible();
  await dashboard.drawn();
  await books.focus();
  await page.keyboard.press('Escape');
  await expect(chip).toHaveCount(0);
  await expect(dialogOf(page)).toHaveCount(0);
});

test('the host hears of a filter that a mark set, once, and of nothing when it sends the same', async ({ page, host, service }) => {
  const bridge = await Bridge.open(page, host, service, { jwt: await service.signIn(ACME) });
  const { dashboard } = bridge;
  await dashboard.drawn();
  await clickLastBar(page, dashboard);
  const search = '?filter_region=%22south%22';
  await expect.poll(() => bridge.heard('embed:params')).toEqual([{ type: 'embed:params', v: 1, search, source: 'user' }]);
  await dashboard.drawn();
  await bridge.setParams(search);
  await bridge.settled();
  expect((await bridge.heard('embed:params')).map(({ source }) => source)).toEqual(['user']);
});

test('a role that sees no filters filters by no mark', async ({ open, page }) => {
  const dashboard = await open(ACME, { user: 'fay', role: 'Without filters' });
  await dashboard.drawn();
  const asked = [];
  page.on('request', (request) => {
    if (request.url().includes('/share/fn/')) asked.push(request.url());
  });
  await clickLastBar(page, dashboard);
  expect(await dashboard.rows('Revenue by region')).toEqual(expected('Revenue by region', ACME));
  await expect(dashboard.table('Revenue by region').locator('tbody tr[tabindex]')).toHaveCount(0);
  expect(asked).toEqual([]);
});
