// A row rule with a property that nobody has: asked about once, saved on the second press, warned about afterwards.
import { ACME } from '../support/data.js';
import { expect, hydrated, withService } from '../support/fixtures.js';

const test = withService({});

// The browser's own line about the form that is not saved at once.
test.use({ allowedErrors: [/status of 409/] });

test('a misspelled property is named with the one that is meant, and saved again it is saved', async ({ page, service }) => {
  await service.signIn(ACME, { properties: { company: ACME, region: 'north' } });
  await service.operate(page);
  const { projectId, connections, tables } = service.project;
  await page.goto(`${service.url}/console/projects/${projectId}/connections/${connections.warehouse}/tables/${tables.orders}`);
  await hydrated(page);
  const rule = page.getByLabel('Row rule', { exact: true });
  const typed = 'company = {{organization.company}} and region = {{organization.regoin}}';
  await rule.fill(typed);
  await page.getByLabel('Label', { exact: true }).fill('Typed');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(rule).toBeFocused();
  await expect(rule).toHaveAccessibleDescription(/No customer has the property `regoin` yet\./);
  await expect(rule).toHaveAccessibleDescription(/A similar property is in use: \{\{organization\.region\}\}\./);
  await expect(rule).toHaveValue(typed);
  await expect(page.getByLabel('Label', { exact: true })).toHaveValue('Typed');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  await expect(page.locator('p.warning').filter({ hasText: 'regoin' })).toBeVisible();

  await rule.fill('company = {{organization.company}}');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.locator('p.warning').filter({ hasText: 'regoin' })).toHaveCount(0);
});
