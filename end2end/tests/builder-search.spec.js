// The chart builder's search over measures and dimensions: by typing and keys, by clicks, and by drag.
import { ACME, expected } from '../support/data.js';
import { edit, newChart } from '../support/editor.js';
import { finger } from '../support/finger.js';
import { expect, test } from '../support/fixtures.js';

/** Opens the builder and its search. */
async function opened(open) {
  const dashboard = await edit(open);
  const { dialog, preview } = await newChart(dashboard);
  await expect(preview.locator('svg').first()).toBeVisible();
  const field = dialog.getByRole('combobox', { name: 'Find a measure or dimension' });
  await field.click();
  const list = dialog.getByRole('listbox', { name: 'Measures and dimensions' });
  await expect(list).toBeVisible();
  const slot = (name) => dialog.locator(`[data-slot="${name}"]`);
  return { dashboard, dialog, preview, field, list, slot, option: (name) => list.getByRole('option', { name }) };
}

/** The names of the groups that the form has. */
const groups = (dialog) => dialog.getByRole('combobox', { name: 'Group', exact: true }).locator('option:checked').allTextContents();

test('measures and dimensions are found by typing and added by keys', async ({ open, page }) => {
  const { dashboard, dialog, field, list, option } = await opened(open);
  await expect(field).toHaveAttribute('aria-expanded', 'true');
  // What the chart shows is chosen.
  await expect(option(/^measure orders/)).toHaveAttribute('aria-selected', 'true');
  await expect(option(/^measure Revenue/)).toHaveAttribute('aria-selected', 'false');
  await field.fill('rev');
  await expect(dialog.getByText('1 result', { exact: true })).toBeVisible();
  await expect(option(/Revenue/).locator('mark')).toHaveText('Rev');
  await expect(list.getByRole('group', { name: 'orders' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(option(/Revenue/)).toHaveAttribute('aria-selected', 'true');
  await expect(dialog.getByRole('combobox', { name: 'Measure', exact: true })).toHaveCount(2);
  // The next search takes the place of the first, and the focus stays.
  await expect(field).toBeFocused();
  await page.keyboard.type('region');
  await expect(field).toHaveValue('region');
  await page.keyboard.press('Enter');
  await expect.poll(() => groups(dialog)).toEqual(['placed_on', 'region']);
  await expect(option(/^dimension region/)).toContainText('Series');
  // Enter again takes it out.
  await page.keyboard.press('Enter');
  await expect.poll(() => groups(dialog)).toEqual(['placed_on']);
  await field.fill('nothing of the kind');
  await expect(dialog.getByText('Nothing found', { exact: true })).toBeVisible();
  // Escape clears the search, closes the list, and only then the dialog.
  await page.keyboard.press('Escape');
  await expect(field).toHaveValue('');
  await expect(list).toBeVisible();
  await page.keyboard.press('ArrowDown');
  const current = await field.getAttribute('aria-activedescendant');
  await expect(page.locator(`#${current}`)).toHaveClass(/current/);
  await page.keyboard.press('Escape');
  await expect(list).toHaveCount(0);
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(dashboard.charts.first()).toBeVisible();
});

test('a click adds a dimension as a group and the chart shows its rows', async ({ open }) => {
  const { dashboard, dialog, preview, field, option, list } = await opened(open);
  await option(/^measure Revenue/).click();
  await option(/^measure orders/).click();
  await option(/^time placed_on/).click();
  await option(/^dimension region/).click();
  await expect.poll(() => groups(dialog)).toEqual(['region']);
  await expect(option(/^dimension region/)).toContainText('By');
  // A time goes before the other groups.
  await option(/^time placed_on/).click();
  await expect.poll(() => groups(dialog)).toEqual(['placed_on', 'region']);
  await option(/^time placed_on/).click();
  await expect.poll(() => groups(dialog)).toEqual(['region']);
  // The list closes when the focus leaves it.
  await dialog.getByLabel('Name').fill('Found revenue');
  await expect(list).toHaveCount(0);
  await expect(field).toHaveAttribute('aria-expanded', 'false');
  await expect(preview.locator('svg').first()).toBeVisible();
  await dialog.getByRole('button', { name: 'Add to dashboard' }).click();
  const revenues = new Map(expected('Revenue by region', ACME));
  await expect.poll(async () => (await dashboard.rows('Found revenue')).length).toBe(revenues.size);
  for (const [region, revenue] of await dashboard.rows('Found revenue')) expect(revenue).toBeCloseTo(revenues.get(region), 6);
});

test('a finger drags items by their handle', async ({ open, page, context }) => {
  const { dialog, option, slot } = await opened(open);
  const middle = async (locator) => {
    const { x, y, width, height } = await locator.boundingBox();
    return { x: x + width / 2, y: y + height / 2 };
  };
  const { drag, lift } = await finger(context, page);
  const item = option(/^dimension region/);
  await item.scrollIntoViewIfNeeded();
  await drag(await middle(item.locator('.drag-grip')), await middle(slot('By')));
  await lift();
  await expect.poll(() => groups(dialog)).toEqual(['region']);
});

test('items are dragged to the parts of the query that take them', async ({ open, page }) => {
  const { dialog, option, slot } = await opened(open);
  const drag = async (name, to, { drop = true } = {}) => {
    await option(name).scrollIntoViewIfNeeded();
    const [from, place] = [await option(name).boundingBox(), await slot(to).boundingBox()];
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2, { steps: 5 });
    if (drop) await page.mouse.up();
  };
  await expect(slot('Measures')).toContainText('orders');
  await drag(/^dimension region/, 'Series', { drop: false });
  await expect(slot('Series')).toHaveClass(/takes/);
  await expect(slot('Series')).toHaveClass(/over/);
  await expect(slot('Measures')).not.toHaveClass(/takes/);
  await page.mouse.up();
  await expect(slot('Series')).toContainText('region');
  await expect.poll(() => groups(dialog)).toEqual(['placed_on', 'region']);
  // A group of the query changes places with that of the slot.
  await drag(/^dimension region/, 'By');
  await expect.poll(() => groups(dialog)).toEqual(['region', 'placed_on']);
  await drag(/^measure Revenue/, 'Measures');
  await expect(slot('Measures')).toContainText('orders, Revenue');
  // What a slot does not take is not added.
  await drag(/^dimension id/, 'Measures');
  await expect.poll(() => groups(dialog)).toEqual(['region', 'placed_on']);
  await drag(/^dimension id/, 'Filter');
  await expect(slot('Filter')).toContainText('id');
  await expect(dialog.getByRole('group', { name: 'Conditions' }).getByRole('combobox', { name: 'Where' })).toHaveCount(1);
  // Escape ends a drag and nothing else.
  await drag(/^dimension id/, 'Series', { drop: false });
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await expect.poll(() => groups(dialog)).toEqual(['region', 'placed_on']);
  await expect(dialog).toBeVisible();
});

test('the search fits a page of 320 px', async ({ open, page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  const { list, slot, option, field } = await opened(open);
  await field.fill('region');
  await expect(option(/^dimension region/)).toBeVisible();
  for (const part of [list, slot('Measures'), slot('Series'), option(/^dimension region/)]) {
    const { x, width } = await part.boundingBox();
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(320);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await option(/^dimension region/).click();
  await expect(slot('Series')).toContainText('region');
});
