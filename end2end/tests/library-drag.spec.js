// A chart is dragged from the library to its place: the others make room, and go back if it is dropped elsewhere.
import { button, choose, edit, save } from '../support/editor.js';
import { finger } from '../support/finger.js';
import { expect, test } from '../support/fixtures.js';

const library = (page) => page.getByRole('dialog', { name: 'Add a chart' });
const entry = (page) => library(page).getByRole('button', { name: /^Largest orders/ });

/** The left and upper edge of every chart, by name. */
const places = (dashboard) =>
  dashboard.charts.evaluateAll((figures) =>
    Object.fromEntries(
      figures
        .filter((figure) => !figure.hidden)
        .map((figure) => {
          const { left, top } = figure.getBoundingClientRect();
          return [figure.getAttribute('aria-label'), [Math.round(left), Math.round(top + scrollY)]];
        }),
    ),
  );

const middle = async (locator) => {
  const { x, y, width, height } = await locator.boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
};

/** Takes the chart up in the open library, and holds it over a point. */
async function carry(page, to) {
  await entry(page).scrollIntoViewIfNeeded();
  const from = await middle(entry(page));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 12, from.y + 12);
  await page.mouse.move(to.x, to.y, { steps: 4 });
}

/** A point over the left half of the first row of charts. */
const first = async (dashboard) => {
  const { x, y, width } = await dashboard.chart('Revenue').boundingBox();
  return { x: x + width / 2, y: y + 10 };
};

test('over the grid the others make room, and the chart is added where it is dropped, in one step', async ({ open, page }) => {
  const dashboard = await edit(open);
  const before = await places(dashboard);
  await choose(dashboard, 'Add', 'Chart from library');
  await carry(page, await first(dashboard));
  await expect.poll(() => places(dashboard)).not.toEqual(before);
  const place = await page.locator('.library-place').boundingBox();
  await page.mouse.up();
  await expect(library(page)).toHaveCount(0);
  const added = dashboard.chart('Largest orders');
  await expect(added).toHaveAttribute('data-state', 'ready');
  const after = await places(dashboard);
  expect(after['Largest orders']).toEqual(before.Revenue);
  expect(Math.round(place.x)).toBe(after['Largest orders'][0]);
  expect(Math.round(place.width)).toBe(Math.round((await added.boundingBox()).width));
  expect(after.Revenue).not.toEqual(before.Revenue);
  await page.keyboard.press('Control+z');
  await expect.poll(() => places(dashboard)).toEqual(before);
  await choose(dashboard, 'Actions', 'Redo');
  await expect.poll(() => places(dashboard)).toEqual(after);
  await save(dashboard);
});

test('dropped elsewhere, or given up by Escape, nothing changes', async ({ open, page }) => {
  const dashboard = await edit(open);
  const before = await places(dashboard);
  await choose(dashboard, 'Add', 'Chart from library');
  await carry(page, await first(dashboard));
  await expect.poll(() => places(dashboard)).not.toEqual(before);
  await page.mouse.move(4, 4);
  await expect.poll(() => places(dashboard)).toEqual(before);
  await page.mouse.up();
  await expect(entry(page), 'the library is still there').toBeVisible();
  await carry(page, await first(dashboard));
  await expect.poll(() => places(dashboard)).not.toEqual(before);
  await page.keyboard.press('Escape');
  await expect.poll(() => places(dashboard)).toEqual(before);
  await page.mouse.up();
  await expect(entry(page), 'Escape ends the drag and nothing else').toBeVisible();
  await page.keyboard.press('Escape');
  await expect(library(page)).toHaveCount(0);
  await expect(dashboard.chart('Largest orders')).toHaveCount(0);
  await expect(button(dashboard, 'Save')).toHaveCount(0);
});

test('a finger drags by the handle, and scrolls the list elsewhere', async ({ open, page, context }) => {
  const dashboard = await edit(open);
  await choose(dashboard, 'Add', 'Chart from library');
  await entry(page).scrollIntoViewIfNeeded();
  const { drag, lift } = await finger(context, page);
  const to = await first(dashboard);
  await drag(await middle(entry(page).locator('.library-title')), to);
  await expect(page.locator('.library-carried')).toHaveCount(0);
  await lift();
  await expect(library(page)).toBeVisible();
  await drag(await middle(entry(page).locator('.drag-grip')), to);
  await expect(page.locator('.library-place')).toBeVisible();
  await lift();
  await expect(dashboard.chart('Largest orders')).toBeVisible();
});
