// Questions about what is typed (checks of fields, previews) whose form is sent before they are answered.
import { submit } from '../support/console.js';
import { ACME } from '../support/data.js';
import { expect, hydrated, withService } from '../support/fixtures.js';

const test = withService({});

/** Holds requests back until their page gives them up. */
async function hold(page, pattern) {
  await page.route(pattern, async (route) => {
    await page.waitForEvent('requestfailed', (failed) => failed === route.request());
    await route.abort().catch(() => {});
  });
  return page.waitForRequest(pattern);
}

test.describe('a check', () => {
  // The browser's own line about the form that is not saved.
  test.use({ allowedErrors: [/status of 409/] });

  test('is given up when its form is sent, and the errors of that form stay', async ({ page, service }) => {
    await service.signIn(ACME, { properties: { company: ACME, region: 'north' } });
    await service.operate(page);
    const { projectId, connections, tables } = service.project;
    await page.goto(`${service.url}/console/projects/${projectId}/connections/${connections.warehouse}/tables/${tables.orders}`);
    await hydrated(page);
    const asked = hold(page, '**/check');
    const rule = page.getByLabel('Row rule', { exact: true });
    await rule.fill('region = {{organization.regoin}}');
    const givenUp = page.waitForEvent('requestfailed', (failed) => failed.url().endsWith('/check'));
    await asked;
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await givenUp;
    await expect(rule).toHaveAccessibleDescription(/No customer has the property `regoin` yet\./);
    // The page's own work with the answer comes before this one.
    await page.evaluate(() => new Promise((go) => setTimeout(go, 100)));
    await expect(rule).toHaveAccessibleDescription(/No customer has the property `regoin` yet\./, { timeout: 1 });
    await expect(rule).toHaveAttribute('aria-invalid', 'true', { timeout: 1 });
  });
});

test.describe('a preview', () => {
  const open = async (page, service, name) => {
    await service.operate(page);
    await page.goto(`${service.url}/console/projects/${service.project.projectId}/applications`);
    await hydrated(page);
    await submit(page, { Name: name }, 'Create application');
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  };

  test('is given up when its application is deleted', async ({ page, service }) => {
    await open(page, service, 'Shop, given up');
    const asked = hold(page, '**/preview');
    await page.getByLabel('Accent', { exact: true }).fill('#aa00cc');
    const givenUp = page.waitForEvent('requestfailed', (failed) => failed.url().endsWith('/preview'));
    await asked;
    await page.getByRole('button', { name: 'Delete application' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete application' }).click();
    await givenUp;
    await expect(page.getByText('Application deleted.')).toBeVisible();
  });

  test('is not asked for once its application is deleted', async ({ page, service }) => {
    await open(page, service, 'Shop, too fast');
    const asked = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/preview')) asked.push(request.url());
    });
    await page.getByRole('button', { name: 'Delete application' }).click();
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete application' });
    await expect(confirm).toBeVisible();
    // Faster than the pause after which the console asks.
    await confirm.evaluate((/** @type {HTMLButtonElement} */ button) => {
      const accent = document.querySelector('[data-colour]');
      accent.dispatchEvent(new Event('input', { bubbles: true }));
      button.click();
    });
    await expect(page.getByText('Application deleted.')).toBeVisible();
    await page.evaluate(() => new Promise((go) => setTimeout(go, 500)));
    expect(asked).toEqual([]);
  });
});
