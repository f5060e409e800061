// The forms of the semantic model: from a listed table without a model to a measure that a user sees.
import { serious } from '../support/axe.js';
import { ACME, expected } from '../support/data.js';
import { expect, hydrated, test } from '../support/fixtures.js';

// The browser's own line about the form that is refused.
test.use({ allowedErrors: [/status of 400/] });

/** Whether the page is wider than the window. */
const overflows = (page) => page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

test('a listed table without a model gets a measure, which is tested, shown and removed', async ({ page, service }) => {
  await service.signIn(ACME);
  await service.operate(page);
  const model = `${service.url}/console/projects/${service.project.projectId}/semantic-model`;
  await page.goto(model);
  await page.getByRole('table', { name: 'Tables outside the model' }).getByRole('link', { name: 'stock' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Model of stock' })).toBeVisible();
  await hydrated(page);

  await page.getByLabel('Key', { exact: true }).fill('number');
  await page.getByLabel('depot is part of the model').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Key', { exact: true })).toHaveAccessibleDescription(/has no column `number`/);
  await expect(page.getByLabel('depot is part of the model')).toBeChecked();
  await page.getByLabel('Key', { exact: true }).fill('id');
  await page.getByText('Add a dimension').click();
  await page.getByLabel('Name of dimension 1').fill('size');
  await page.getByLabel('SQL of dimension 1').fill("case when units >= 100 then 'large' else 'small' end");
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  expect(await serious(page)).toEqual([]);

  await page.getByRole('link', { name: 'Add measure' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'New measure' })).toBeVisible();
  await hydrated(page);
  await page.getByLabel('Name', { exact: true }).fill('units_in_stock');
  await page.getByLabel('Computed as').selectOption({ label: 'Sum' });
  await page.getByLabel('Of', { exact: true }).fill('units');
  await page.getByLabel('Label', { exact: true }).fill('Units in stock');
  await page.getByLabel('Unit', { exact: true }).fill('pcs');
  const option = page.getByLabel('Test as…').locator('option', { hasText: ACME });
  await page.getByLabel('Test as…').selectOption(await option.first().getAttribute('value'));
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  const units = expected('Stock by depot', ACME).reduce((all, [, count]) => all + count, 0);
  await expect(page.locator('.model-value')).toHaveText(`${new Intl.NumberFormat('en').format(units)}\u00a0pcs`);
  await expect(page.getByRole('table', { name: 'The first rows behind it' }).getByRole('cell', { name: ACME }).first()).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('units_in_stock');
  const outdated = page.getByText('This result is from before your last change.');
  await page.getByLabel('Unit', { exact: true }).fill('pieces');
  await expect(outdated).toBeVisible();
  await page.getByLabel('Unit', { exact: true }).fill('pcs');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(outdated).toHaveCount(0);
  await expect(page.locator('.model-value')).toContainText('pcs');
  expect(await serious(page)).toEqual([]);
  await page.getByRole('button', { name: 'Add measure' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Units in stock' })).toBeVisible();

  await page.goto(model);
  const numbers = page.getByRole('table', { name: 'Measures of stock' });
  await expect(numbers.getByRole('row', { name: /Units in stock.*sum of units/ })).toBeVisible();
  await numbers.getByRole('link', { name: 'Units in stock' }).click();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await hydrated(page);
  await page.getByText('Remove measure').first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove measure' }).click();
  await expect(page.getByText('Removed.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Units in stock' })).toHaveCount(0);

  await page.getByRole('link', { name: 'Edit stock' }).click();
  await hydrated(page);
  await page.getByLabel('Key', { exact: true }).fill('');
  await page.getByText('size', { exact: true }).click();
  await page.getByLabel('Remove dimension 1').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
});

test('a metric of some rows is made on a narrow screen without scripts', async ({ browser, service }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await service.operate(page);
  const model = `${service.url}/console/projects/${service.project.projectId}/semantic-model`;
  await page.goto(`${model}/metrics/new`);
  await page.getByRole('link', { name: 'Some rows only' }).click();
  await page.getByLabel('Name', { exact: true }).fill('northern');
  await page.getByLabel('Number', { exact: true }).selectOption('revenue');
  await page.getByLabel('Dimension of condition 1').fill('orders.planet');
  await page.getByLabel('Values of condition 1').fill('North\nSouth');
  await page.getByRole('button', { name: 'Add metric' }).last().click();
  await expect(page.getByLabel('Dimension of condition 1')).toHaveAccessibleDescription(/planet/);
  await expect(page.getByLabel('Values of condition 1')).toHaveValue('North\nSouth');
  await page.getByLabel('Dimension of condition 1').fill('orders.region');
  await page.getByRole('button', { name: 'Add metric' }).last().click();
  await expect(page.getByText('revenue where orders.region is North or South')).toBeVisible();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  for (const address of [page.url(), `${model}/metrics/new`, `${model}/revenue/edit`, model]) {
    await page.goto(address);
    expect.soft(await overflows(page), address).toBe(false);
  }
  await page.goto(`${model}/northern/edit`);
  await page.locator('summary', { hasText: 'Remove metric' }).click();
  await page.locator('.ask-box').getByRole('button', { name: 'Remove metric' }).click();
  await expect(page.getByText('northern')).toHaveCount(0);
  await context.close();
});
