// The chart builder: charts of tables, of the semantic model and of SQL, made and changed.
import { ACME, expected } from '../support/data.js';
import { chooseType, edit, newChart, save } from '../support/editor.js';
import { expect, test } from '../support/fixtures.js';

test('a chart is built of a table and shows the viewer’s own rows', async ({ open }) => {
  const dashboard = await edit(open);
  const { dialog, preview } = await newChart(dashboard);
  await dialog.getByLabel('Name').fill('Orders by region');
  await dialog.getByRole('button', { name: 'Table', exact: true }).click();
  await dialog.getByRole('combobox', { name: /^Table/ }).selectOption({ label: 'orders' });
  // A question starts with the number of rows. The file keeps dates as text, so no column is known to be one.
  await expect(dialog.getByRole('combobox', { name: 'Value' }).locator('option:checked')).toHaveText('Count');
  await expect(dialog.getByRole('combobox', { name: 'Group' }).locator('option:checked')).toHaveText('company');
  await expect(preview.locator('svg').first()).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Group' }).selectOption('region');
  await expect(preview.locator('svg').first()).toBeVisible();
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
  const { dialog, preview } = await newChart(dashboard);
  const name = 'Revenue beside the quarter before';
  await expect(dialog.getByRole('button', { name: 'Measures', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await expect(dialog.getByRole('button', { name: 'SQL', exact: true })).toHaveCount(0);
  // A new chart starts with the rows of each month.
  await expect(dialog.getByRole('combobox', { name: 'Measure', exact: true }).locator('option:checked')).toHaveText('orders');
  await expect(preview.locator('svg').first()).toBeVisible();
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('combobox', { name: 'Measure', exact: true }).selectOption({ label: 'Revenue' });
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
  const { dialog, preview } = await newChart(dashboard);
  const name = 'Revenue per order';
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await chooseType(dialog, 'Table');
  await dialog.getByRole('combobox', { name: 'Group', exact: true }).selectOption({ label: 'region' });
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

test('the largest groups are shown and the rest as Other, where numbers add up', async ({ open }) => {
  const dashboard = await edit(open);
  const { dialog, preview } = await newChart(dashboard);
  await dialog.getByRole('button', { name: 'Table', exact: true }).click();
  await dialog.getByRole('combobox', { name: /^Table/ }).selectOption({ label: 'orders' });
  await dialog.getByRole('combobox', { name: 'Group' }).selectOption('category');
  const label = (text) => preview.locator('svg').getByText(text, { exact: true });
  await expect(label('Books')).toBeVisible();
  const most = dialog.getByLabel('Show the largest');
  const rest = dialog.getByLabel('The rest as Other');
  await expect(rest).toHaveCount(0);
  await most.fill('1');
  await most.blur();
  await expect(rest).toBeChecked();
  await expect(label('Other')).toBeVisible();
  await rest.uncheck();
  await expect(label('Other')).toHaveCount(0);
  await rest.check();
  await expect(label('Other')).toBeVisible();
  // An average of averages is none.
  await dialog.getByRole('combobox', { name: 'Value', exact: true }).selectOption({ label: 'Average' });
  await expect(dialog.getByText('The rest is left out: its numbers cannot be added up.')).toBeVisible();
  await expect(label('Other')).toHaveCount(0);
  await expect(preview.locator('svg').first()).toBeVisible();
  await most.fill('');
  await most.blur();
  await expect(rest).toHaveCount(0);
  await expect(label('Books')).toBeVisible();
});

test('what is removed from a list of the builder leaves the others as they are', async ({ open }) => {
  const dashboard = await edit(open);
  const { dialog, preview } = await newChart(dashboard);
  await chooseType(dialog, 'Table');
  const group = dialog.getByRole('combobox', { name: 'Group', exact: true });
  await group.selectOption({ label: 'id' });
  await dialog.getByRole('button', { name: 'Add group' }).click();
  await group.nth(1).selectOption({ label: 'region' });
  await dialog.getByRole('button', { name: 'Remove group' }).first().click();
  await expect(group).toHaveCount(1);
  await expect(group.locator('option:checked')).toHaveText('region');
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
  await chooseType(dialog, 'Table');
  await expect(dialog.getByText('SQL')).toHaveCount(0);
  await expect(dialog.getByRole('figure', { name: 'Preview' }).getByRole('table')).toBeVisible();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(dashboard.chart('Income').getByRole('table')).toBeVisible();
  await save(dashboard);
  expect(await dashboard.rows('Income')).toEqual(expected('Revenue by region', ACME));
});

test('what a type lacks is added beside the last picture, and types that fit come first', async ({ open, page }) => {
  const dashboard = await edit(open);
  const { dialog, preview } = await newChart(dashboard);
  const picture = preview.locator('.plot svg').first();
  await expect(picture).toBeVisible();
  await expect(dialog.getByRole('radio', { name: 'Bar', exact: true })).toBeChecked();
  await expect(dialog.getByRole('radio', { name: 'Line', exact: true })).toBeVisible();
  await expect(dialog.getByRole('radio', { name: 'Heatmap', exact: true })).toBeHidden();
  await chooseType(dialog, 'Heatmap');
  await expect(dialog.getByRole('status')).toHaveText('Add one more group to draw this chart.');
  await expect(picture, 'the last picture stays').toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Add to dashboard' })).toBeDisabled();
  await preview.getByRole('button', { name: 'Add a group' }).click();
  await expect(dialog.getByRole('combobox', { name: 'Group', exact: true })).toHaveCount(2);
  await expect(dialog.getByRole('status')).toHaveCount(0);
  await expect(picture).toBeVisible();
  await expect(dialog.getByRole('radio', { name: 'Heatmap', exact: true })).toBeChecked();
  await chooseType(dialog, 'Gauge');
  await expect(dialog.getByRole('status')).toHaveText('Remove 2 groups to draw this chart.');
  await preview.getByRole('button', { name: 'Remove the last group' }).click();
  await preview.getByRole('button', { name: 'Remove the last group' }).click();
  await expect(dialog.getByRole('status')).toHaveCount(0);
  // A number has a trend over time alone: the last of some regions is no number to show.
  await chooseType(dialog, 'Number');
  await expect(preview.getByText('120', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Add group' }).click();
  await dialog.getByRole('combobox', { name: 'Group', exact: true }).selectOption({ label: 'region' });
  await expect(dialog.getByRole('status')).toHaveText(/trend over time/);
  // Arrow keys choose a type, as they do among radio buttons.
  await dialog.getByRole('radio', { name: 'Bar', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(dialog.getByRole('radio', { name: 'Line', exact: true })).toBeChecked();
  await expect(dialog.getByRole('radio', { name: 'Line', exact: true })).toBeFocused();
});

test('SQL is written by those alone who may, and answers with their rows', async ({ open }) => {
  const dashboard = await edit(open, 'SQL author');
  const { dialog, preview } = await newChart(dashboard);
  await dialog.getByRole('button', { name: 'SQL', exact: true }).click();
  await chooseType(dialog, 'Table');
  await dialog.getByLabel('Connection').selectOption({ label: 'warehouse' });
  await dialog.getByRole('textbox', { name: 'SQL' }).fill('select depot, units from stock order by depot');
  await expect(preview.getByRole('row')).toHaveCount(4);
  await dialog.getByRole('textbox', { name: 'SQL' }).fill('select * from sqlite_master');
  await expect(dialog.getByText('This query was refused.')).toBeVisible();
});

/** The builder's SQL editor, for a new chart of the warehouse. */
async function writeSql(open) {
  const dashboard = await edit(open, 'SQL author');
  const { dialog } = await newChart(dashboard);
  await dialog.getByRole('button', { name: 'SQL', exact: true }).click();
  await chooseType(dialog, 'Table');
  await dialog.getByLabel('Connection').selectOption({ label: 'warehouse' });
  return { dialog, field: dialog.getByRole('textbox', { name: 'SQL' }) };
}

test('SQL is completed from the tables and columns that its writer may use', async ({ open, page }) => {
  const { dialog, field } = await writeSql(open);
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
    const { dialog, field } = await writeSql(open);
    await field.fill('select depot, units from stock order by depot');
    await expect(dialog.getByRole('figure', { name: 'Preview' }).getByRole('row')).toHaveCount(4);
    await expect(field).toHaveJSProperty('tagName', 'TEXTAREA');
  });
});
