// The console's form of a chart: the columns of its query are known before it is tried.
import { expect, hydrated, test } from '../support/fixtures.js';

const QUERY = 'select region, count(*) as orders, sum(amount) as revenue from orders group by region';
const field = (page, name) => page.getByLabel(name, { exact: true });
const choices = (page, name) => field(page, name).evaluate((input) => [...input.list.options].map(({ value }) => value));
const given = (page) => page.locator('[data-columns]');

async function openChart(page, service, path) {
  await service.operate(page);
  await page.goto(`${service.url}/console/projects/${service.project.projectId}/charts/${path}`);
}

test('a saved chart offers the columns of its query at once', async ({ page, service }) => {
  await openChart(page, service, service.project.charts['Revenue by region']);
  await hydrated(page);
  await expect(given(page)).toHaveText('The query returns region, revenue.');
  for (const name of ['Horizontal (x)', 'Vertical (y)', 'Series', 'Label', 'Value']) {
    expect(await choices(page, name), name).toEqual(['region', 'revenue']);
  }
});

test('a query that is typed offers its columns when it is left, and takes nothing that was typed', async ({ page, service }) => {
  await openChart(page, service, 'new');
  await hydrated(page);
  await field(page, 'Name').fill('Regions');
  await field(page, 'Connection').selectOption({ label: 'warehouse' });
  await field(page, 'Horizontal (x)').fill('regoin');
  await field(page, 'Query').fill(QUERY);
  expect(await choices(page, 'Series')).toEqual([]);
  await field(page, 'Query').press('Tab');
  await expect(given(page)).toHaveText('The query returns region, orders, revenue.');
  expect(await choices(page, 'Series')).toEqual(['region', 'orders', 'revenue']);
  await expect(field(page, 'Name')).toHaveValue('Regions');
  await expect(field(page, 'Connection').locator('option:checked')).toHaveText('warehouse');
  await expect(field(page, 'Query')).toHaveValue(QUERY);

  const x = field(page, 'Horizontal (x)');
  await expect(x).toHaveAttribute('aria-invalid', 'true');
  await expect(x).toHaveAccessibleDescription(
    /names `regoin`, but the query does not return that column; it returns region, orders, revenue/i,
  );
  await x.fill('region');
  await x.press('Tab');
  await expect(x).not.toHaveAttribute('aria-invalid', 'true');

  // Completion in a field of several columns continues after the last comma.
  const y = field(page, 'Vertical (y)');
  await y.fill('orders, ');
  expect(await choices(page, 'Vertical (y)')).toEqual(['orders, region', 'orders, revenue']);
  await y.fill('orders, profit');
  await y.press('Tab');
  await expect(y).toHaveAccessibleDescription(/names `profit`/i);
  await y.fill('orders, revenue');

  // An error is shown beside the query. The last known columns stay until it is fixed.
  await field(page, 'Query').fill('select region from ordres');
  await field(page, 'Query').press('Tab');
  await expect(field(page, 'Query')).toHaveAccessibleDescription(/ordres/);
  await expect(given(page)).toHaveText('The query returns region, orders, revenue.');
  await field(page, 'Query').fill(QUERY);
  await field(page, 'Query').press('Tab');
  await expect(field(page, 'Query')).not.toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('button', { name: 'Create chart' }).click();
  await expect(page.getByText('Saved. You can add the chart to dashboards now.')).toBeVisible();
  expect(await choices(page, 'Value')).toEqual(['region', 'orders', 'revenue']);
});

test.describe('without a script', () => {
  // The browser's own line about the refused form.
  test.use({ javaScriptEnabled: false, allowedErrors: [/status of 400/] });

  test('a saved chart offers its columns, and a refused one keeps them', async ({ page, service }) => {
    await openChart(page, service, service.project.charts['Stock by depot']);
    await expect(given(page)).toHaveText('The query returns depot, units.');
    await expect(page.locator('#query-columns option')).toHaveCount(2);
    await field(page, 'Horizontal (x)').fill('dept');
    await page.getByRole('button', { name: 'Save as a new version' }).click();
    await expect(page.getByText(/names `dept`, but the query does not return that column/i).first()).toBeVisible();
    await expect(page.locator('#query-columns option')).toHaveCount(2);
  });
});
