// Editing by role: adding, moving, changing, removing, saving. Changes are never lost without a confirmation.

import { Dashboard } from '../support/dashboard.js';
import { ACME, expected } from '../support/data.js';
import { embed, expect, hydrated, test } from '../support/fixtures.js';

let users = 0;

/** Opens the Overview as a new user with a role, so that tests do not share copies. */
async function edit(open, role = 'Editor', options = {}) {
  users += 1;
  const dashboard = await open(ACME, { role, user: `editor-${process.pid}-${users}`, ...options });
  await dashboard.drawn();
  return dashboard;
}

const button = (dashboard, name) => dashboard.surface.getByRole('button', { name, exact: true });

async function choose(dashboard, menu, item) {
  await button(dashboard, menu).click();
  await dashboard.surface.getByRole('menuitem', { name: item, exact: true }).click();
}

async function save(dashboard) {
  await button(dashboard, 'Save').click();
  await expect(dashboard.surface.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible();
  await expect(button(dashboard, 'Save')).toHaveCount(0);
}

test('a view-only page holds no tools and none of their code', async ({ open, page }) => {
  const scripts = [];
  page.on('request', (request) => {
    if (/inlay[\w-]*\.(js|wasm)$/.test(request.url())) scripts.push(request.url().split('/').at(-1));
  });
  const dashboard = await open(ACME);
  await dashboard.drawn();
  for (const name of ['Add', 'Actions', 'Save', 'Discard']) await expect(button(dashboard, name)).toHaveCount(0);
  await dashboard.chart('Revenue').hover();
  await dashboard.menuButton('Revenue').click();
  for (const name of ['Edit', 'Remove']) await expect(page.getByRole('menuitem', { name, exact: true })).toHaveCount(0);
  expect(scripts.filter((name) => name.includes('editor'))).toEqual([]);
});

test('a chart of the library is added, stays after a save, and only for this user', async ({ open, page }) => {
  const dashboard = await edit(open);
  const before = await dashboard.charts.count();
  await expect(button(dashboard, 'Save')).toHaveCount(0);
  await choose(dashboard, 'Add', 'Chart from library');
  await page
    .getByRole('dialog', { name: 'Add a chart' })
    .getByRole('button', { name: /^Largest orders/ })
    .click();
  await expect(dashboard.chart('Largest orders')).toHaveAttribute('data-state', 'ready');
  await expect(button(dashboard, 'Discard')).toBeVisible();
  await save(dashboard);
  expect(await dashboard.rows('Largest orders')).toHaveLength(25);
  const address = new URL(page.url());
  await page.goto('about:blank');
  const again = await open(ACME, { role: 'Editor', user: `editor-${process.pid}-${users}` });
  await again.drawn();
  expect(await again.charts.count()).toBe(before + 1);
  expect(address.search).not.toContain('jwt');
  const other = await edit(open);
  expect(await other.charts.count()).toBe(before);
});

test('a chart is taken off, brought back by undo, and taken off for good', async ({ open, page }) => {
  const dashboard = await edit(open);
  await (await dashboard.menuItem('Exchange rates', 'Remove')).click();
  await expect(dashboard.chart('Exchange rates')).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(dashboard.chart('Exchange rates')).toBeVisible();
  await expect(button(dashboard, 'Save')).toHaveCount(0);
  await choose(dashboard, 'Actions', 'Redo');
  await expect(dashboard.chart('Exchange rates')).toHaveCount(0);
  await save(dashboard);
});

test('`Discard` brings back what is stored', async ({ open }) => {
  const dashboard = await edit(open);
  await (await dashboard.menuItem('Exchange rates', 'Remove')).click();
  await (await dashboard.menuItem('Stock by depot', 'Remove')).click();
  await button(dashboard, 'Discard').click();
  await expect(dashboard.chart('Exchange rates')).toBeVisible();
  await expect(dashboard.chart('Stock by depot')).toBeVisible();
  await expect(button(dashboard, 'Discard')).toHaveCount(0);
});

test('charts are moved and resized by pointer and by keyboard', async ({ open, page }) => {
  const dashboard = await edit(open);
  const box = () => dashboard.chart('Revenue').boundingBox();
  const [before, other] = [await box(), await dashboard.chart('Revenue by month').boundingBox()];
  await dashboard.chart('Revenue').hover();
  const grip = await page.getByRole('button', { name: 'Move Revenue', exact: true }).boundingBox();
  await page.mouse.move(grip.x + 10, grip.y + 10);
  await page.mouse.down();
  await page.mouse.move(grip.x + 10 + (other.x - before.x), grip.y + 12, { steps: 8 });
  await page.mouse.up();
  await expect.poll(async () => Math.round((await box()).x)).toBe(Math.round(other.x));
  await expect(button(dashboard, 'Save')).toBeVisible();
  await page.getByRole('button', { name: 'Move Revenue', exact: true }).focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await expect.poll(async () => (await box()).width).toBeLessThan(before.width - 40);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(async () => (await box()).x).toBeLessThan(other.x - 40);
  const moved = await box();
  await save(dashboard);
  const again = await open(ACME, { role: 'Editor', user: `editor-${process.pid}-${users}` });
  await again.drawn();
  expect(await again.chart('Revenue').boundingBox()).toEqual(moved);
});

test('a chart is built of a table and shows the viewer’s own rows', async ({ open, page }) => {
  const dashboard = await edit(open);
  await choose(dashboard, 'Add', 'New chart');
  const dialog = page.getByRole('dialog', { name: 'New chart' });
  await dialog.getByLabel('Name').fill('Orders by region');
  await dialog.getByRole('button', { name: 'Table', exact: true }).click();
  await dialog.getByRole('combobox', { name: /^Table/ }).selectOption({ label: 'orders' });
  await expect(dialog.getByRole('status')).toHaveText('Choose what to show.');
  await dialog.getByRole('button', { name: 'Add value' }).click();
  await dialog.getByRole('button', { name: 'Add group' }).click();
  await dialog.getByRole('combobox', { name: 'Group' }).selectOption('region');
  await expect(dialog.getByRole('figure', { name: 'Preview' }).locator('svg').first()).toBeVisible();
  await dialog.getByRole('button', { name: 'Add to dashboard' }).click();
  const rows = (await dashboard.rows('Orders by region')).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const wanted = expected('Revenue by region', ACME).map(([region]) => region);
  expect(rows.map(([region]) => region)).toEqual(wanted);
  expect(rows.reduce((sum, [, count]) => sum + count, 0)).toBe(120);
  await save(dashboard);
  expect((await dashboard.rows('Orders by region')).length).toBe(wanted.length);
});

test('a chart is built of measures, beside the period before, and its order can be changed later', async ({ open, page }) => {
  const dashboard = await edit(open);
  await choose(dashboard, 'Add', 'New chart');
  const dialog = page.getByRole('dialog', { name: 'New chart' });
  const preview = dialog.getByRole('figure', { name: 'Preview' });
  const name = 'Revenue beside the quarter before';
  await expect(dialog.getByRole('button', { name: 'Measures', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await expect(dialog.getByRole('button', { name: 'SQL', exact: true })).toHaveCount(0);
  await expect(dialog.getByRole('status')).toHaveText('Choose what to show.');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Add measure' }).click();
  await dialog.getByRole('combobox', { name: 'Measure', exact: true }).selectOption({ label: 'Revenue' });
  await dialog.getByRole('button', { name: 'Add group' }).click();
  await expect(dialog.getByRole('combobox', { name: 'Group', exact: true }).locator('option:checked')).toHaveText('placed_on');
  await expect(preview.locator('svg').first()).toBeVisible();
  // A comparison needs a period: it comes with one, which can be changed to that of the data.
  await dialog.getByRole('combobox', { name: 'Compare with' }).selectOption({ label: 'The period before' });
  const conditions = dialog.getByRole('group', { name: 'Conditions' });
  await expect(conditions.getByRole('combobox', { name: 'Period' })).toHaveValue('last_12_months');
  await conditions.getByRole('combobox', { name: 'Period' }).selectOption({ label: 'Dates' });
  await conditions.getByLabel('First day').fill('2024-04-01');
  await conditions.getByLabel('First day').blur();
  await conditions.getByLabel('Last day').fill('2024-06-30');
  await conditions.getByLabel('Last day').blur();
  await expect(preview.locator('svg').first()).toBeVisible();
  await dialog.getByRole('button', { name: 'Add to dashboard' }).click();
  const before = expected('Revenue by month', ACME, { from: '2024-01-01', to: '2024-04-01' });
  const wanted = expected('Revenue by month', ACME, { from: '2024-04-01', to: '2024-07-01' });
  expect(await dashboard.rows(name)).toEqual(wanted.map(([month, revenue], at) => [month, revenue, before[at][1]]));
  await save(dashboard);
  // The stored chart opens with its query, and the highest month comes first.
  await (await dashboard.menuItem(name, 'Edit')).click();
  const again = page.getByRole('dialog', { name: 'Edit chart' });
  await expect(again.getByRole('combobox', { name: 'Compare with' }).locator('option:checked')).toHaveText('The period before');
  await expect(again.getByLabel('Last day')).toHaveValue('2024-06-30');
  await again.getByRole('combobox', { name: 'Compare with' }).selectOption({ label: 'Nothing' });
  await again.getByRole('combobox', { name: 'Order' }).selectOption({ label: 'Revenue, highest first' });
  await again.getByRole('button', { name: 'Apply' }).click();
  const highest = wanted.toSorted(([, a], [, b]) => b - a);
  await expect.poll(() => dashboard.rows(name)).toEqual(highest);
});

test('a calculation, conditions on measures and several orders are built without SQL, and open again', async ({ open, page }) => {
  const dashboard = await edit(open);
  await choose(dashboard, 'Add', 'New chart');
  const dialog = page.getByRole('dialog', { name: 'New chart' });
  const preview = dialog.getByRole('figure', { name: 'Preview' });
  const name = 'Revenue per order';
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByLabel('Type').selectOption({ label: 'Table' });
  await dialog.getByRole('button', { name: 'Add group' }).click();
  await dialog.getByRole('combobox', { name: 'Group', exact: true }).selectOption({ label: 'region' });
  await dialog.getByRole('button', { name: 'Add measure' }).click();
  await dialog.getByRole('combobox', { name: 'Measure', exact: true }).selectOption({ label: 'Revenue' });
  await dialog.getByRole('button', { name: 'Add calculation' }).click();
  await dialog.getByLabel('Name of the calculation').fill('Per order');
  // The form is drawn anew once a field is left.
  await dialog.getByLabel('Name of the calculation').blur();
  await expect(preview.getByRole('columnheader', { name: 'Per order' })).toBeVisible();
  await dialog.getByLabel('Formula', { exact: true }).fill('revenue /');
  await dialog.getByLabel('Formula', { exact: true }).blur();
  await expect(preview).toContainText('formula');
  await dialog.getByRole('combobox', { name: 'Insert measure' }).selectOption({ label: 'orders' });
  await expect(dialog.getByLabel('Formula', { exact: true })).toHaveValue('revenue / orders');
  await expect(preview.getByRole('columnheader', { name: 'Per order' })).toBeVisible();
  const all = expected('Revenue by region', ACME);
  await expect(preview.getByRole('row')).toHaveCount(1 + all.length);
  // What is typed elsewhere, and the tab key, find the fields where they were.
  await dialog.getByLabel('Formula', { exact: true }).fill('revenue / orders * 1');
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('combobox', { name: 'Insert measure' })).toBeFocused();
  const least = all.map(([, revenue]) => revenue).toSorted((a, b) => a - b)[0];
  await dialog.getByRole('button', { name: 'Limit a measure' }).click();
  await dialog.getByRole('combobox', { name: 'Measure of the condition' }).selectOption({ label: 'Revenue' });
  await dialog.getByLabel('Than').fill(String(least));
  // The click that ends the typing counts, and so does what was typed.
  await dialog.getByRole('button', { name: 'Limit a measure' }).click();
  await expect(dialog.getByLabel('Than')).toHaveCount(2);
  await expect(dialog.getByLabel('Than').first()).toHaveValue(String(least));
  await dialog.getByRole('button', { name: 'Remove condition on a measure' }).last().click();
  await expect(preview.getByRole('row')).toHaveCount(all.length);
  await dialog.getByRole('combobox', { name: 'Order', exact: true }).selectOption({ label: 'Per order, highest first' });
  await dialog.getByRole('combobox', { name: 'Then by' }).first().selectOption({ label: 'region, lowest first' });
  await dialog.getByRole('button', { name: 'Add to dashboard' }).click();
  const wanted = all.filter(([, revenue]) => revenue > least);
  await expect.poll(async () => (await dashboard.rows(name)).length).toBe(wanted.length);
  const rows = await dashboard.rows(name);
  const revenues = new Map(wanted);
  for (const [region, revenue] of rows) expect(revenue).toBeCloseTo(revenues.get(region), 6);
  const ratios = rows.map(([, , ratio]) => ratio);
  expect(ratios).toEqual(ratios.toSorted((a, b) => b - a));
  for (const [, revenue, ratio] of rows) expect(revenue / ratio).toBeCloseTo(Math.round(revenue / ratio), 6);
  await save(dashboard);
  await (await dashboard.menuItem(name, 'Edit')).click();
  const again = page.getByRole('dialog', { name: 'Edit chart' });
  await expect(again.getByLabel('Name of the calculation')).toHaveValue('Per order');
  await expect(again.getByRole('combobox', { name: 'Then by' }).first().locator('option:checked')).toHaveText('region, lowest first');
  // Another kind keeps the measures; a calculation that goes takes its order along.
  await again.getByRole('combobox', { name: 'Calculation', exact: true }).selectOption({ label: 'Share of total' });
  await expect(again.getByRole('combobox', { name: 'Share of' }).locator('option:checked')).toHaveText('Revenue');
  await expect(again.getByRole('figure', { name: 'Preview' })).toContainText('%');
  await again.getByRole('button', { name: 'Remove calculation' }).click();
  await expect(again.getByRole('combobox', { name: 'Order', exact: true }).locator('option:checked')).toHaveText('region, lowest first');
  await again.getByRole('button', { name: 'Apply' }).click();
  await expect.poll(async () => (await dashboard.rows(name))[0]?.length).toBe(2);
});

test('what is removed from a list of the builder leaves the others as they are', async ({ open, page }) => {
  const dashboard = await edit(open);
  await choose(dashboard, 'Add', 'New chart');
  const dialog = page.getByRole('dialog', { name: 'New chart' });
  await dialog.getByLabel('Type').selectOption({ label: 'Table' });
  await dialog.getByRole('button', { name: 'Add measure' }).click();
  await dialog.getByRole('button', { name: 'Add group' }).click();
  const group = dialog.getByRole('combobox', { name: 'Group', exact: true });
  await group.selectOption({ label: 'id' });
  await dialog.getByRole('button', { name: 'Add group' }).click();
  await group.nth(1).selectOption({ label: 'region' });
  await dialog.getByRole('button', { name: 'Remove group' }).first().click();
  await expect(group).toHaveCount(1);
  await expect(group.locator('option:checked')).toHaveText('region');
  const preview = dialog.getByRole('figure', { name: 'Preview' });
  await expect(preview.getByRole('row')).toHaveCount(1 + expected('Revenue by region', ACME).length);
  await dialog.getByRole('combobox', { name: 'Condition' }).waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Add condition' }).click();
  await dialog.getByRole('combobox', { name: 'Where' }).selectOption({ label: 'region' });
  await dialog.getByRole('textbox', { name: 'Any of' }).fill('north, south');
  await dialog.getByRole('textbox', { name: 'Any of' }).blur();
  await expect(preview.getByRole('row')).toHaveCount(3);
  await dialog.getByRole('combobox', { name: 'Condition' }).selectOption({ label: 'is not' });
  await expect(preview.getByRole('row', { name: /north|south/ })).toHaveCount(0);
});

test('a chart is edited: its name and its type change, its query stays', async ({ open, page }) => {
  const dashboard = await edit(open);
  await (await dashboard.menuItem('Revenue by region', 'Edit')).click();
  const dialog = page.getByRole('dialog', { name: 'Edit chart' });
  await dialog.getByLabel('Name').fill('Income');
  await dialog.getByLabel('Type').selectOption({ label: 'Table' });
  await expect(dialog.getByText('SQL')).toHaveCount(0);
  await expect(dialog.getByRole('figure', { name: 'Preview' }).getByRole('table')).toBeVisible();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(dashboard.chart('Income').getByRole('table')).toBeVisible();
  await save(dashboard);
  expect(await dashboard.rows('Income')).toEqual(expected('Revenue by region', ACME));
});

test('SQL is written by those alone who may, and answers with their rows', async ({ open, page }) => {
  const dashboard = await edit(open, 'SQL author');
  await choose(dashboard, 'Add', 'New chart');
  const dialog = page.getByRole('dialog', { name: 'New chart' });
  await dialog.getByRole('button', { name: 'SQL', exact: true }).click();
  await dialog.getByLabel('Type').selectOption({ label: 'Table' });
  await dialog.getByLabel('Connection').selectOption({ label: 'warehouse' });
  await dialog.getByRole('textbox', { name: 'SQL' }).fill('select depot, units from stock order by depot');
  await expect(dialog.getByRole('figure', { name: 'Preview' }).getByRole('row')).toHaveCount(4);
  await dialog.getByRole('textbox', { name: 'SQL' }).fill('select * from sqlite_master');
  await expect(dialog.getByText('This query was refused.')).toBeVisible();
});

/** The builder's SQL editor, for a new chart of the warehouse. */
async function writeSql(open, page) {
  const dashboard = await edit(open, 'SQL author');
  await choose(dashboard, 'Add', 'New chart');
  const dialog = page.getByRole('dialog', { name: 'New chart' });
  await dialog.getByRole('button', { name: 'SQL', exact: true }).click();
  await dialog.getByLabel('Type').selectOption({ label: 'Table' });
  await dialog.getByLabel('Connection').selectOption({ label: 'warehouse' });
  return { dialog, field: dialog.getByRole('textbox', { name: 'SQL' }) };
}

test('SQL is completed from the tables and columns that its writer may use', async ({ open, page }) => {
  const { dialog, field } = await writeSql(open, page);
  await expect(field).toHaveAttribute('contenteditable', 'true');
  const offered = (name) => page.getByRole('option', { name, exact: true });
  await field.click();
  await page.keyboard.type('select * from sto');
  // A list of completions ignores keys right after it has opened, since the user may not have seen it.
  const choose = async (key) => {
    await page.evaluate(
      () =>
        new Promise((done) => {
          setTimeout(done, 100);
        }),
    );
    await page.keyboard.press(key);
  };
  await expect(offered('stock')).toBeVisible();
  await choose('Enter');
  await page.keyboard.type(' where uni');
  await expect(offered('units')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(offered('units')).toHaveCount(0);
  await expect(dialog, 'Escape closed the list alone').toBeVisible();
  await page.keyboard.type('t');
  await expect(offered('units')).toBeVisible();
  await choose('Tab');
  await page.keyboard.type(' > 0 order by depot');
  await expect(field).toHaveText('select * from stock where units > 0 order by depot');
  await expect(dialog.getByRole('figure', { name: 'Preview' }).getByRole('row')).toHaveCount(4);
  // Only tables of the catalogue are offered, and Tab moves on if there is nothing to complete.
  await page.keyboard.type(' sqlite_');
  await expect(page.getByRole('option', { name: /sqlite_/ })).toHaveCount(0);
  await page.keyboard.press('Tab');
  await expect(field).not.toBeFocused();
  // Another connection has other tables.
  await dialog.getByLabel('Connection').selectOption({ label: 'fragile' });
  await field.fill('');
  await page.keyboard.type('select * from ra');
  await expect(offered('rates')).toBeVisible();
  await field.fill('');
  await page.keyboard.type('select * from sto');
  await expect(offered('stock')).toHaveCount(0);
});

test.describe('where the field with completion does not load', () => {
  test.use({ allowedErrors: [/sql\.js|ERR_FAILED/] });

  test('a plain one does', async ({ open, page }) => {
    await page.route('**/sql.js', (route) => route.abort());
    const { dialog, field } = await writeSql(open, page);
    await field.fill('select depot, units from stock order by depot');
    await expect(dialog.getByRole('figure', { name: 'Preview' }).getByRole('row')).toHaveCount(4);
    await expect(field).toHaveJSProperty('tagName', 'TEXTAREA');
  });
});

test('a dashboard is renamed, duplicated and made the default', async ({ open, page }) => {
  const dashboard = await edit(open);
  await choose(dashboard, 'Actions', 'Rename');
  await page.getByRole('dialog', { name: 'Rename dashboard' }).getByLabel('Name').fill('My shop');
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await expect(dashboard.title).toHaveText('My shop');
  await save(dashboard);
  await expect(dashboard.navigation.getByRole('link', { name: 'My shop' })).toBeVisible();
  await choose(dashboard, 'Actions', 'Duplicate');
  await page.getByRole('dialog', { name: 'Duplicate dashboard' }).getByRole('button', { name: 'Duplicate' }).click();
  await expect(dashboard.title).toHaveText('My shop (Copy)');
  await dashboard.drawn();
  await choose(dashboard, 'Actions', 'Set as default');
  await expect(page.getByRole('status').filter({ hasText: 'Set as your default dashboard' })).toBeVisible();
  const again = await open(ACME, { role: 'Editor', user: `editor-${process.pid}-${users}` });
  await expect(again.title).toHaveText('My shop (Copy)');
});

test('a new dashboard is empty and takes charts', async ({ open, page }) => {
  const dashboard = await edit(open);
  await choose(dashboard, 'Add', 'Dashboard');
  await page.getByRole('dialog', { name: 'New dashboard' }).getByLabel('Name').fill('Fresh');
  await page.keyboard.press('Enter');
  await expect(dashboard.title).toHaveText('Fresh');
  await choose(dashboard, 'Add', 'Chart from library');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Exchange rates/ })
    .click();
  await save(dashboard);
  expect(await dashboard.rows('Exchange rates')).toEqual(expected('Exchange rates', ACME));
});

test('another dashboard opens only after the question what becomes of the changes', async ({ open, page }) => {
  const dashboard = await edit(open);
  await (await dashboard.menuItem('Exchange rates', 'Remove')).click();
  await dashboard.navigation.getByText('Details', { exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Unsaved changes' });
  await question.getByRole('button', { name: 'Stay here' }).click();
  await expect(dashboard.title).toHaveText('Overview');
  await dashboard.navigation.getByText('Details', { exact: true }).click();
  await question.getByRole('button', { name: 'Save changes' }).click();
  await expect(dashboard.title).toHaveText('Details');
  await dashboard.navigation.getByText('Overview', { exact: true }).click();
  await expect(dashboard.title).toHaveText('Overview');
  await dashboard.drawn();
  await expect(dashboard.chart('Exchange rates')).toHaveCount(0);
});

test.describe('two windows', () => {
  test.use({ allowedErrors: [/status of 409/] });

  /** The same dashboard in another window of the editor that `edit` signed in. */
  async function secondWindow(context, service) {
    const page = await context.newPage();
    const token = await service.signIn(ACME, { role: 'Editor', user: `editor-${process.pid}-${users}` });
    await page.goto(service.applicationPage(token));
    await hydrated(page);
    const dashboard = new Dashboard(page);
    await dashboard.drawn();
    return { page, dashboard };
  }

  test('the later save sees a clear conflict and can be kept as a dashboard of its own', async ({ open, context, service, page }) => {
    const first = await edit(open);
    const { page: other, dashboard: second } = await secondWindow(context, service);
    await (await first.menuItem('Exchange rates', 'Remove')).click();
    await save(first);
    await (await second.menuItem('Stock by depot', 'Remove')).click();
    await button(second, 'Save').click();
    const conflict = other.getByRole('dialog', { name: 'Save conflict' });
    await conflict.getByRole('button', { name: 'Save mine as a new dashboard' }).click();
    await expect(second.title).toHaveText('Overview (Mine)');
    await expect(second.chart('Exchange rates')).toBeVisible();
    await expect(second.chart('Stock by depot')).toHaveCount(0);
    await page.bringToFront();
  });

  test('the newer version of a renamed dashboard renames it in the navigation', async ({ open, context, service, page }) => {
    const first = await edit(open);
    const { page: other, dashboard: second } = await secondWindow(context, service);
    await button(first, 'Actions').click();
    await expect(page.getByRole('menuitem', { name: 'Undo' })).toHaveAttribute('aria-disabled', 'true');
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Overview B');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await button(first, 'Actions').click();
    await expect(page.getByRole('menuitem', { name: 'Undo' })).not.toHaveAttribute('aria-disabled', 'true');
    await page.keyboard.press('Escape');
    await save(first);
    await (await second.menuItem('Stock by depot', 'Remove')).click();
    await button(second, 'Save').click();
    await other.getByRole('dialog', { name: 'Save conflict' }).getByRole('button', { name: 'Load the newer version' }).click();
    await expect(second.title).toHaveText('Overview B');
    await expect(second.navigation.getByRole('link', { name: 'Overview B', exact: true })).toBeVisible();
    await expect(second.navigation.getByRole('link', { name: 'Overview', exact: true })).toHaveCount(0);
  });
});

test.describe('without the server', () => {
  test.use({ allowedErrors: [/ERR_INTERNET_DISCONNECTED|Failed to fetch/] });

  test('changes are kept, and saved once it is back', async ({ open, context, page }) => {
    const dashboard = await edit(open);
    await (await dashboard.menuItem('Exchange rates', 'Remove')).click();
    await context.setOffline(true);
    await button(dashboard, 'Save').click();
    await expect(page.getByRole('status').filter({ hasText: 'Your changes are kept here.' })).toBeVisible();
    await context.setOffline(false);
    await save(dashboard);
  });
});

test('a filter is added, narrows at once, and is there after a save', async ({ open, page }) => {
  const dashboard = await edit(open);
  await dashboard.filters.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('dialog', { name: 'Add filter' }).getByRole('button', { name: 'category' }).click();
  await dashboard.choose('category', 'Books');
  await expect.poll(async () => (await dashboard.rows('Orders by category')).map(([name]) => name)).toEqual(['Books']);
  await save(dashboard);
  const again = await open(ACME, { role: 'Editor', user: `editor-${process.pid}-${users}` });
  await expect(again.filters.getByRole('combobox', { name: 'category' })).toBeVisible();
});

test('a page whose token comes by message gets the tools with it', async ({ page, host, service }) => {
  const parameters = { tokenHandoff: 'true', parentOrigin: host.origin };
  await page.goto(host.page({ src: service.page(`/share/application/${service.application()}`, parameters) }));
  const frame = await embed(page);
  const token = await service.signIn(ACME, { role: 'Editor', user: `editor-handed-${process.pid}` });
  const send = (text) => page.evaluate((one) => frames[0].postMessage({ type: 'embed:set-token', v: 1, token: one }, '*'), text);
  await send(token);
  const dashboard = new Dashboard(frame);
  await dashboard.drawn();
  await expect(button(dashboard, 'Add')).toBeVisible();
  const types = await page.evaluate(() => window.messages.map(({ data }) => data.type));
  expect(types.filter((type) => type === 'embed:ready')).toHaveLength(1);
  expect(types).toContain('embed:loaded');
  await send(await service.signIn(ACME, { role: 'Editor', user: `editor-handed-${process.pid}` }));
  await (await dashboard.menuItem('Exchange rates', 'Remove')).click();
  await save(dashboard);
});

test('what was changed is there again when an expired session is revived', async ({ page, host, service }) => {
  const user = `editor-revived-${process.pid}`;
  const claims = (token) => JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
  const token = await service.signIn(ACME, { role: 'Editor', user });
  await page.clock.install();
  const src = service.page(`/share/application/${service.application()}`, { parentOrigin: host.origin, jwt: token });
  await page.goto(host.page({ src }));
  const frame = await embed(page);
  const dashboard = new Dashboard(frame);
  await dashboard.drawn();
  await (await dashboard.menuItem('Exchange rates', 'Remove')).click();
  await page.clock.fastForward((claims(token).exp - claims(token).iat + 1) * 1000);
  await expect(frame.getByRole('alert')).toHaveText('Session expired');
  const fresh = await service.signIn(ACME, { role: 'Editor', user });
  await page.evaluate((one) => frames[0].postMessage({ type: 'embed:set-token', v: 1, token: one }, '*'), fresh);
  await expect(button(dashboard, 'Save')).toBeVisible();
  await expect(dashboard.chart('Exchange rates')).toHaveCount(0);
  await save(dashboard);
});
