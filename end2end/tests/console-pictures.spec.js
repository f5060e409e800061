// The look of the management console: pictures of its pages, compared with the references in end2end/pictures (docs/development.md).
import { ACME } from '../support/data.js';
import { expect, hydrated } from '../support/fixtures.js';
import { compare, DESK, PHONE, pictured } from '../support/stills.js';

const test = pictured();

test.use({ viewport: DESK });

// Pages offer users for tests once there is one.
test.beforeEach(({ service }) => service.signIn(ACME));

/** Opens a page of the project and waits until it works. */
async function visit(page, service, part = '') {
  await page.goto(`${service.url}/console/projects/${service.project.projectId}${part}`);
  await hydrated(page);
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
}

test('signing in, and a project', async ({ page, service }) => {
  await page.goto(`${service.url}/console/sign-in`);
  await hydrated(page);
  await compare(page, 'console-sign-in');
  await service.operate(page);
  await hydrated(page);
  await compare(page, 'console-projects', { height: 420 });
  await visit(page, service);
  await compare(page, 'console-project');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Go to' }).getByRole('option').first()).toBeVisible();
  await compare(page, 'console-palette', { of: [page.getByRole('dialog', { name: 'Go to' })] });
});

test('lists and forms', async ({ page, service }) => {
  const of = [page.getByRole('main')];
  await service.operate(page);
  await visit(page, service, '/roles');
  await compare(page, 'console-roles', { of, height: 420 });
  await visit(page, service, `/roles/${service.project.roles.Editor}`);
  await compare(page, 'console-role', { of, height: 520 });
  await visit(page, service, '/connections/new');
  await compare(page, 'console-connection', { of, height: 520 });
  await visit(page, service, `/connections/${service.project.connections.warehouse}/tables/${service.project.tables.orders}`);
  await compare(page, 'console-table', { of, height: 250 });
  await visit(page, service, `/charts/${service.project.charts['Revenue by month']}`);
  await compare(page, 'console-chart', { of, height: 520 });
  await visit(page, service, `/applications/${service.application()}`);
  await compare(page, 'console-application', { of, height: 520 });
  await visit(page, service, '/health');
  await compare(page, 'console-health', { of, height: 520 });
});

test('the same in dark colours, and on a phone', async ({ page, service }) => {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await service.operate(page);
  await visit(page, service, `/roles/${service.project.roles.Editor}`);
  await page.setViewportSize(PHONE);
  await compare(page, 'console-role-dark-phone');
  await visit(page, service, '/roles');
  await compare(page, 'console-roles-dark-phone');
});
