// Right-to-left languages: the page is mirrored, axes are not, and signs stay before their digits.
import { serious } from '../support/axe.js';
import { ACME } from '../support/data.js';
import { expect, inWorld } from '../support/fixtures.js';
import { ARABIC_DASHBOARD, GALLERY } from '../support/gallery.js';

const test = inWorld(GALLERY);
const ARABIC = { locale: 'ar' };

/** A left edge. Waits while the browser's drawing replaces the server's. */
async function left(locator) {
  /** @type {{ x: number }} */
  let box = null;
  await expect(async () => {
    box = await locator.boundingBox();
    expect(box).not.toBeNull();
  }).toPass();
  return box.x;
}

test('the page is mirrored: navigation, header, grid, menus', async ({ open, page }) => {
  const dashboard = await open(ACME, { application: 'Gallery', parameters: ARABIC });
  await dashboard.drawn();
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar');
  expect(await left(dashboard.navigation)).toBeGreaterThan(await left(dashboard.charts.first()));
  expect(await left(dashboard.charts.nth(0))).toBeGreaterThan(await left(dashboard.charts.nth(1)));
  expect(await left(dashboard.title)).toBeGreaterThan(await left(page.getByRole('button', { name: 'Download PDF' })));
  const name = await dashboard.charts.nth(0).getAttribute('aria-label');
  await dashboard.menuItem(name, 'Show data');
  const [menu, chart] = [await page.getByRole('menu').boundingBox(), await dashboard.chart(name).boundingBox()];
  expect(menu.x).toBeGreaterThanOrEqual(chart.x);
  expect(menu.x + menu.width).toBeLessThan(chart.x + chart.width * 0.75);
  const { scrolled, inside } = await page.evaluate(() => ({
    scrolled: document.documentElement.scrollWidth,
    inside: document.documentElement.clientWidth,
  }));
  expect(scrolled).toBeLessThanOrEqual(inside);
});

test('arrows move to the tab that they point at', async ({ open, page }) => {
  const dashboard = await open(ACME, { application: 'Gallery', parameters: ARABIC });
  await dashboard.drawn();
  await dashboard.tabs.getByRole('tab').first().focus();
  await page.keyboard.press('ArrowLeft');
  await expect(dashboard.tabs.getByRole('tab').nth(1)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(dashboard.tabs.getByRole('tab').first()).toBeFocused();
});

for (const application of ['Gallery', 'Gallery at night']) {
  test(`${application}: axes run on from left to right, and a sign stays before its digits`, async ({ open, page, service }) => {
    const parameters = { ...ARABIC, dashboardId: service.dashboard(ARABIC_DASHBOARD, application) };
    const dashboard = await open(ACME, { application, parameters });
    await dashboard.drawn();
    const months = dashboard.chart('الإيرادات حسب الشهر').locator('svg text');
    const place = async (name) => left(months.filter({ hasText: name }).first());
    expect(await place('مارس')).toBeLessThan(await place('نوفمبر'));
    // The positions of the sign and the digits, by text ranges.
    const places = await dashboard
      .chart('التغيّر')
      .locator('.number-value')
      .evaluate((value) => {
        const walker = document.createTreeWalker(value, NodeFilter.SHOW_TEXT);
        const found = {};
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          [.../** @type {Text} */ (node).data].forEach((letter, at) => {
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + 1);
            found[letter] ??= range.getBoundingClientRect().left;
          });
        }
        return found;
      });
    expect(places['−']).toBeLessThan(places['3']);
    expect(places['3']).toBeLessThan(places['2']);
    expect(places['2']).toBeLessThan(places['%']);
    const cells = dashboard.chart('كل المدن').locator('tbody tr').first().locator('td');
    expect(await left(cells.first())).toBeGreaterThan(await left(cells.last()));
    expect(await serious(page)).toEqual([]);
  });
}

test('other languages run from left to right', async ({ open, page }) => {
  const dashboard = await open(ACME, { application: 'Gallery', parameters: { locale: 'de' } });
  await dashboard.drawn();
  await expect(page.locator('html')).not.toHaveAttribute('dir', 'rtl');
});

test('a chart is moved to where the arrow points', async ({ open, page, service }) => {
  const parameters = { ...ARABIC, dashboardId: service.dashboard(ARABIC_DASHBOARD, 'Gallery') };
  const dashboard = await open(ACME, { application: 'Gallery', role: 'Editor', user: 'mover', parameters });
  await dashboard.drawn();
  const place = () => left(dashboard.chart('التغيّر'));
  const before = await place();
  await page.getByRole('button', { name: 'Move التغيّر', exact: true }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(place).toBeLessThan(before - 40);
  await page.keyboard.press('ArrowRight');
  await expect.poll(place).toBe(before);
});
