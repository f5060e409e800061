// Every type of chart, in light and dark colours, from phone to desktop: it is drawn, nothing is cut off, axe finds nothing
// serious.
import { serious } from '../support/axe.js';
import { cutOff } from '../support/dashboard.js';
import { ACME } from '../support/data.js';
import { expect, inItsFont, inWorld } from '../support/fixtures.js';
import { DRAWN, GALLERY } from '../support/gallery.js';

const test = inWorld(GALLERY);

for (const application of ['Gallery', 'Gallery at night']) {
  for (const width of [390, 1440]) {
    test(`${application} at ${width} px`, async ({ open, page }) => {
      await page.setViewportSize({ width, height: 900 });
      /** @type {import('../support/dashboard.js').Dashboard} */
      let dashboard = null;
      // Text in a fallback font is wider than charts leave space for.
      await inItsFont(page, async () => {
        dashboard = await open(ACME, { application });
        await dashboard.drawn();
      });
      expect(await dashboard.charts.count()).toBe(DRAWN.length);
      const cut = {};
      for (const name of DRAWN) cut[name] = await dashboard.chart(name).evaluate(cutOff);
      expect(cut).toEqual(Object.fromEntries(DRAWN.map((name) => [name, []])));
      const { scrolled, inside } = await page.evaluate(() => ({
        scrolled: document.documentElement.scrollWidth,
        inside: document.documentElement.clientWidth,
      }));
      expect(scrolled).toBeLessThanOrEqual(inside);
      expect(await serious(page)).toEqual([]);
    });
  }

  test(`${application}: charts without rows say why`, async ({ open, page, service }) => {
    const dashboard = await open(ACME, { application, parameters: { dashboardId: service.dashboard('States', application) } });
    const says = async (name, state, text) => {
      await expect(dashboard.chart(name)).toHaveAttribute('data-state', state);
      await expect(dashboard.chart(name).getByText(text)).toBeVisible();
    };
    await says('Without rows', 'empty', 'No data yet.');
    await says('Number without rows', 'empty', 'No data yet.');
    await says('Unfit', 'ready', 'The settings of this chart do not match its data.');
    await expect(dashboard.chart('Locked')).toHaveAttribute('data-state', 'error');
    await expect(dashboard.chart('Locked').getByRole('button', { name: 'Try again' })).toBeVisible();
    expect(await serious(page)).toEqual([]);
  });
}

test('a number shows its course, and what it is held against', async ({ open, page }) => {
  const dashboard = await open(ACME, { application: 'Gallery' });
  const chart = dashboard.chart('Flights this month');
  await expect(chart).toContainText('53,800');
  await expect(chart).toContainText('from 47,100');
  const line = await chart.locator('.number-spark svg').boundingBox();
  expect(line.width).toBeGreaterThan(200);
  expect(line.height).toBeGreaterThan(20);
  await expect(dashboard.chart('Flights').locator('.number-spark')).toHaveCount(0);
  await page.emulateMedia({ media: 'print' });
  await expect(chart.locator('.number-spark svg')).toBeVisible();
});

test('a map names what it does not know', async ({ open }) => {
  const dashboard = await open(ACME, { application: 'Gallery' });
  await dashboard.drawn();
  await expect(dashboard.chart('Passengers by country')).toContainText('Not on the map: Atlantis');
  await dashboard.chart('Passengers by country').hover();
  await expect(dashboard.chart('Passengers by country').locator('.plot > svg'), 'the server’s picture').toHaveCount(0);
  await expect(dashboard.chart('Passengers by country')).toContainText('Not on the map: Atlantis');
  // Puerto Rico is not a state. The other two do not exist.
  await expect(dashboard.chart('Arrivals by state')).toContainText('Not on the map: PR, VI, NA');
});

test('a table goes from page to page, sorts as a whole, and has its totals below', async ({ open }) => {
  const dashboard = await open(ACME, { application: 'Gallery' });
  await dashboard.drawn();
  const chart = dashboard.chart('Airlines');
  const table = chart.getByRole('table', { name: 'Airlines', exact: true });
  const names = () => table.locator('tbody tr td:first-child').allInnerTexts();
  const status = chart.getByRole('status');
  await expect(status).toHaveText('1–10 of 12');
  await expect(chart.getByRole('button', { name: 'Previous page' })).toBeDisabled();
  await chart.getByRole('button', { name: 'Next page' }).click();
  await expect(status).toHaveText('11–12 of 12');
  expect(await names()).toEqual(['Aloha', 'Hawaiian']);
  await expect(chart.getByRole('button', { name: 'Next page' })).toBeDisabled();
  const flights = table.getByRole('columnheader', { name: 'Flights' });
  await flights.getByRole('button').click();
  await expect(flights).toHaveAttribute('aria-sort', 'descending');
  await expect(status).toHaveText('1–10 of 12');
  expect(await names()).not.toContain('Aloha');
  await flights.getByRole('button').click();
  expect((await names()).slice(0, 3)).toEqual(['Aloha', 'Hawaiian', 'TWA']);
  await expect(table.locator('tfoot td').first()).toHaveText('Total of 12 rows');
  await expect(table.locator('tfoot td').nth(1)).toHaveAttribute('data-value', '114570');
});

test('conditions and depth shade a table’s cells', async ({ open }) => {
  const dashboard = await open(ACME, { application: 'Gallery' });
  await dashboard.drawn();
  const cell = (value) => dashboard.chart('Airlines').locator(`td[data-value="${value}"]`);
  const ground = (value) => cell(value).evaluate((element) => getComputedStyle(element).backgroundColor);
  await expect(cell('0.312')).toHaveAttribute('data-shade', 'bad');
  await expect(cell('0.231')).toHaveAttribute('data-shade', 'warning');
  await expect(cell('21740')).toHaveAttribute('data-shade', 'heat5');
  const grounds = await Promise.all(['0.312', '0.231', '21740', '8120', '0.182'].map(ground));
  expect(new Set(grounds).size).toBe(grounds.length);
});
