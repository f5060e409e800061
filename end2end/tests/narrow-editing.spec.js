// Editing on narrow pages: charts are moved and resized by their menu, because in one column there is nothing to drag.
import { ACME } from '../support/data.js';
import { expect, test } from '../support/fixtures.js';

let users = 0;
const STEPS = ['Move up', 'Move down', 'Full width', 'Half width'];

/** Opens the Overview as a new editor on a page of this width. */
async function edit(open, page, width = 390) {
  users += 1;
  await page.setViewportSize({ width, height: 800 });
  const who = { role: 'Editor', user: `narrow-${process.pid}-${users}` };
  const dashboard = await open(ACME, who);
  await dashboard.drawn();
  return { dashboard, who };
}

/** The names of the charts from top to bottom. */
const order = (dashboard) =>
  dashboard.charts.evaluateAll((figures) =>
    figures
      .map((figure) => ({ name: figure.getAttribute('aria-label'), top: figure.getBoundingClientRect().top }))
      .toSorted((a, b) => a.top - b.top)
      .map(({ name }) => name),
  );

const choose = async (dashboard, chart, step) => (await dashboard.menuItem(chart, step)).click();

async function save(page) {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible();
}

test('a chart moves up and down in the column, and stays there after a save', async ({ open, page }) => {
  const { dashboard, who } = await edit(open, page);
  const before = await order(dashboard);
  const [first, second, third] = before;
  await choose(dashboard, second, 'Move up');
  await expect.poll(() => order(dashboard)).toEqual([second, first, ...before.slice(2)]);
  await expect(page.getByRole('status').filter({ hasText: 'Moved up' })).toBeVisible();
  await expect(dashboard.menuButton(second), 'the focus stays with the chart').toBeFocused();
  await choose(dashboard, second, 'Move down');
  await expect.poll(() => order(dashboard)).toEqual(before);
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toHaveCount(0);
  await choose(dashboard, first, 'Move up');
  await expect(page.getByRole('status').filter({ hasText: 'Already the first chart' })).toBeVisible();
  await choose(dashboard, third, 'Move up');
  const wanted = [first, third, second, ...before.slice(3)];
  await expect.poll(() => order(dashboard)).toEqual(wanted);
  await save(page);
  const again = await open(ACME, who);
  await again.drawn();
  expect(await order(again)).toEqual(wanted);
});

test('a chart takes the full and the half width of wider screens', async ({ open, page }) => {
  const { dashboard, who } = await edit(open, page);
  await choose(dashboard, 'Revenue by region', 'Full width');
  await expect(page.getByRole('status').filter({ hasText: 'Full width on wider screens' })).toBeVisible();
  await save(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  const wide = await open(ACME, who);
  await wide.drawn();
  const width = async (name) => (await wide.chart(name).boundingBox()).width;
  const [full, half] = [await width('Revenue by region'), await width('Revenue')];
  expect(full).toBeGreaterThan(half * 2);
  await page.setViewportSize({ width: 390, height: 800 });
  await choose(wide, 'Revenue by region', 'Half width');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(() => width('Revenue by region')).toBe(half);
});

test('the steps are reached by keyboard on narrow pages, and not offered on wide ones', async ({ open, page }) => {
  const { dashboard } = await edit(open, page);
  const before = await order(dashboard);
  await dashboard.menuButton(before[1]).focus();
  await page.keyboard.press('Enter');
  for (const step of STEPS) await expect(page.getByRole('menuitem', { name: step, exact: true })).toBeVisible();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: 'Half width' })).toBeFocused();
  for (let steps = 0; steps < 4; steps += 1) await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('menuitem', { name: 'Move up' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await order(dashboard)).slice(0, 2)).toEqual([before[1], before[0]]);
  await page.keyboard.press('Control+z');
  await expect.poll(() => order(dashboard)).toEqual(before);
  await page.setViewportSize({ width: 1280, height: 800 });
  await dashboard.menuButton(before[1]).focus();
  await page.keyboard.press('Enter');
  // The menu moves the focus to its first item once it is open.
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: 'Move to bottom' }), 'the way to an end is offered everywhere').toBeFocused();
  for (const step of STEPS) await expect(page.getByRole('menuitem', { name: step, exact: true })).toBeHidden();
});

test('a viewer cannot move charts', async ({ open, page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const dashboard = await open(ACME);
  await dashboard.menuButton('Revenue').click();
  await expect(page.getByRole('menuitem', { name: 'Show data' })).toBeVisible();
  for (const step of STEPS) await expect(page.getByRole('menuitem', { name: step, exact: true })).toHaveCount(0);
});
