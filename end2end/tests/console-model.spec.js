// The semantic model in the console: the picture of its tables, its numbers, and a number as a user sees it.
import { serious } from '../support/axe.js';
import { ACME, expected, GLOBEX } from '../support/data.js';
import { expect, hydrated, test } from '../support/fixtures.js';

test('a measure is found from the picture of tables, and seen as a user', async ({ page, service }) => {
  await service.signIn(ACME);
  await service.signIn(GLOBEX);
  await service.operate(page);
  await page.goto(`${service.url}/console/projects/${service.project.projectId}`);
  await page.getByRole('link', { name: 'Semantic model' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Semantic model' })).toBeVisible();
  const table = page.getByRole('region', { name: 'Tables and joins of warehouse' }).getByRole('link', { name: /orders/ });
  await table.press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: 'orders' })).toBeInViewport();
  await page.getByRole('link', { name: 'Revenue', exact: true }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Revenue' })).toBeVisible();
  await hydrated(page);
  const [[acme], [globex]] = [expected('Revenue', ACME), expected('Revenue', GLOBEX)];
  const euros = (amount) => new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR', minimumFractionDigits: 0 }).format(amount);
  for (const [company, [revenue]] of [
    [ACME, acme],
    [GLOBEX, globex],
  ]) {
    const option = page.getByLabel('User', { exact: true }).locator('option', { hasText: company });
    await page.getByLabel('User', { exact: true }).selectOption(await option.first().getAttribute('value'));
    await page.getByRole('button', { name: 'Show' }).click();
    await expect(page.locator('.model-value')).toHaveText(euros(revenue));
    await expect(page.getByRole('table', { name: 'The first rows behind it' }).getByRole('cell', { name: company }).first()).toBeVisible();
  }
  expect(await serious(page)).toEqual([]);
  await page.getByRole('link', { name: 'Semantic model' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Semantic model' })).toBeVisible();
});

test('a draft of the model is read in the project file before it is applied', async ({ page, service }) => {
  await service.operate(page);
  await page.goto(`${service.url}/console/projects/${service.project.projectId}/semantic-model`);
  await hydrated(page);
  await page.getByLabel('Connection').selectOption('fragile');
  await page.getByLabel('Propose tables that the project does not list').check();
  await page.getByRole('button', { name: 'Draft a model' }).click();
  await expect(page.getByText('Nothing is applied yet')).toBeVisible();
  await expect(page.getByRole('group', { name: 'Changes by this file' })).toContainText('fragile.stock');
  await expect(page.getByRole('textbox', { name: 'Project file' })).toHaveValue(/aggregate: average/);
  expect(await serious(page)).toEqual([]);
});
