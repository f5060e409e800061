// Rows of a table chart can be activated like marks: by a click or Enter. The same again or Escape undoes it.
import { ACME, expected, TABLES } from '../support/data.js';
import { expect, inWorld } from '../support/fixtures.js';
import { project } from '../support/project.js';

const REGIONS = {
  name: 'Regions',
  connection: 'warehouse',
  type: 'table',
  sql: 'select region, count(*) as orders, sum(amount) as revenue from orders group by region order by region',
};

/** The tests' own project with a table on the Overview. */
function withTable(hostOrigin) {
  const made = project(hostOrigin);
  made.charts.push(REGIONS);
  for (const { dashboards } of made.applications) dashboards[0].charts.push({ chart: REGIONS.name, x: 0, y: 24, w: 6, h: 6 });
  return made;
}

const test = inWorld({ project: withTable, databases: { 'warehouse.db': TABLES, 'fragile.db': TABLES } });

const regions = (page) => page.getByRole('table', { name: 'Regions', exact: true });
const south = (page) => regions(page).getByRole('row', { name: /^south/ });
const filter = (dashboard) => dashboard.filters.getByRole('combobox', { name: 'Region', exact: true });

test('a click on a row filters the other charts, and a click on it again takes the filter away', async ({ open, page }) => {
  const dashboard = await open(ACME);
  await dashboard.drawn();
  await expect(regions(page).getByRole('row')).toHaveCount(5);
  await south(page).click();
  await expect(filter(dashboard)).toHaveAttribute('placeholder', 'south');
  await expect.poll(() => dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME, { region: 'south' }));
  await expect(page.locator('[aria-live]').filter({ hasText: 'Filtered by south' })).toHaveCount(1);
  await expect(regions(page).getByRole('row')).toHaveCount(2);
  await south(page).click();
  await expect(filter(dashboard)).toHaveAttribute('placeholder', 'All');
  await expect.poll(() => dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME));
  await expect(page.locator('[aria-live]').filter({ hasText: 'Filter removed' })).toHaveCount(1);
});

test('Enter does the same, the focus stays on the row, and Escape takes the filter away', async ({ open, page }) => {
  const dashboard = await open(ACME);
  await dashboard.drawn();
  await south(page).focus();
  await page.keyboard.press('Enter');
  await expect(filter(dashboard)).toHaveAttribute('placeholder', 'south');
  await expect(regions(page).getByRole('row')).toHaveCount(2);
  await expect(south(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(filter(dashboard)).toHaveAttribute('placeholder', 'All');
  await expect(regions(page).getByRole('row')).toHaveCount(5);
  await expect(south(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect.poll(() => dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME));
});

test('Escape leaves a filter that was set elsewhere where it is', async ({ open, page }) => {
  const dashboard = await open(ACME);
  await dashboard.drawn();
  await dashboard.choose('Region', 'south');
  await expect(regions(page).getByRole('row')).toHaveCount(2);
  await south(page).focus();
  await page.keyboard.press('Escape');
  await expect(filter(dashboard)).toHaveAttribute('placeholder', 'south');
});

test('a role with drill-down sees the rows behind a row, and a role that sees no filters follows none', async ({ open, page }) => {
  const dashboard = await open(ACME, { role: 'Driller' });
  await dashboard.drawn();
  await south(page).click();
  await expect(page.getByRole('dialog', { name: 'Drill down' }).getByRole('table', { name: 'Regions rows' })).toBeVisible();
  await expect(filter(dashboard)).toHaveAttribute('placeholder', 'All');
  const blind = await open(ACME, { user: 'fay', role: 'Without filters' });
  await blind.drawn();
  await expect(south(page)).toBeVisible();
  await expect(regions(page).locator('tbody tr[tabindex]')).toHaveCount(0);
});
