// The console's preview of a role, compared with the real page.

import { Dashboard } from '../support/dashboard.js';
import { ACME } from '../support/data.js';
import { expect, hydrated, test } from '../support/fixtures.js';

const ROLES = [
  'Editor',
  'SQL author',
  'Driller',
  'Describer',
  'Insider',
  'Reader',
  'Without downloads',
  'Without header',
  'Without filters',
];

// The browser's own line about the refused request.
test.use({ allowedErrors: [/status of 403 .*\/share\/assistant/] });

/** The buttons of a dashboard and the items of their menus, in the order of the page. */
async function offered(surface) {
  const names = [];
  for (const button of await surface.locator('.header-tools button:not([role="menuitem"])').all()) {
    const name = (await button.innerText()).trim() || (await button.getAttribute('aria-label'));
    names.push(name);
    if ((await button.getAttribute('aria-haspopup')) !== 'menu') continue;
    await button.click();
    const items = surface.getByRole('menuitem');
    await expect(items.first()).toBeVisible();
    names.push(...(await items.allInnerTexts()).map((text) => text.trim()));
    await items.first().press('Escape');
  }
  const dashboard = new Dashboard(surface);
  await dashboard.menuButton('Revenue by region').click();
  const items = surface.getByRole('menuitem');
  await expect(items.first()).toBeVisible();
  names.push('Chart', ...(await items.allInnerTexts()).map((text) => text.trim()));
  return names;
}

/** The project's path in the console. The tests' service has one project. */
async function openProject(page, service) {
  await service.operate(page);
  await page.goto(`${service.url}/console/projects/${service.project.projectId}/roles`);
}

test('a role’s preview has the buttons and menus of the page itself', async ({ page, service, open }) => {
  test.slow();
  await openProject(page, service);
  const told = new Map();
  for (const role of ROLES) {
    await page.goto(`${service.url}/console/projects/${service.project.projectId}/roles/${service.project.roles[role]}`);
    await hydrated(page);
    const shown = page.getByRole('figure', { name: 'The dashboard’s page as they see it' }).locator('[data-shown]');
    told.set(role, await shown.evaluateAll((all) => all.map((one) => one.dataset.shown)));
  }
  for (const role of ROLES) {
    const dashboard = await open(ACME, { role, user: `preview-${role.toLowerCase().replaceAll(' ', '-')}-${process.pid}` });
    await dashboard.drawn();
    expect(await offered(page), role).toEqual(told.get(role));
  }
});

test('View as shows what the user sees, and refuses to be used', async ({ page, service, open }) => {
  const user = `seen-${process.pid}`;
  const own = await open(ACME, { role: 'Describer', user });
  await own.drawn();
  const expected = await offered(page);
  expect(expected).toContain('AI insights');
  await service.operate(page);
  await page.goto(`${service.url}/console/projects/${service.project.projectId}/customers`);
  await page.getByRole('link', { name: ACME, exact: true }).click();
  await page.getByRole('link', { name: user }).click();
  await page.getByRole('link', { name: 'View as' }).click();
  const element = await page.locator('iframe').elementHandle();
  const frame = await element.contentFrame();
  await hydrated(frame);
  await new Dashboard(frame).drawn();
  expect(await offered(frame)).toEqual(expected);
  await frame.getByRole('menu').press('Escape');
  await frame.getByRole('button', { name: 'AI insights' }).click();
  await frame.getByRole('textbox', { name: 'Question' }).fill('What stands out?');
  await frame.getByRole('textbox', { name: 'Question' }).press('Enter');
  await expect(frame.getByText('You are previewing as another user.', { exact: false })).toBeVisible();
});
