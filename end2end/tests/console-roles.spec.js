// The form of a role: templates fill it in, groups of flags with plain names, a preview that follows.
import { serious } from '../support/axe.js';
import { ACME } from '../support/data.js';
import { expect, hydrated, test } from '../support/fixtures.js';
import { permission, setting } from '../support/roles.js';

const heading = (page, name) => expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
const preview = (page) => page.locator('[data-preview]');
const template = (page, name) => page.locator('.template', { hasText: new RegExp(`^${name}`) });
const roles = (service) => `${service.url}/console/projects/${service.project.projectId}/roles`;

/** The values of all flags, as the form sends them. */
const sent = (page) =>
  page
    .locator('main form.form')
    .first()
    .evaluate((/** @type {HTMLFormElement} */ form) =>
      Object.fromEntries(
        [...new FormData(form)].filter(([name]) => name.startsWith('flag.')).map(([name, value]) => [name.slice(5), value]),
      ),
    );

test.beforeEach(async ({ page, service }) => {
  await service.operate(page);
  await page.goto(`${roles(service)}/new`);
});

test('a template fills in the form and the preview in place, and a saved role keeps it', async ({ page, service }) => {
  await hydrated(page);
  const address = page.url();
  await template(page, 'Viewer').click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Viewer');
  await expect(preview(page)).toContainText('Same as the template Viewer.');
  await template(page, 'Editor').click();
  await expect(page.getByLabel('Name', { exact: true }), 'a template’s name is no typed one').toHaveValue('Editor');
  await expect(page.getByText('The form has the permissions of Editor.', { exact: false })).toBeVisible();
  await expect(preview(page)).toContainText('Same as the template Editor.');
  await expect(preview(page).locator('[data-shown="Chart from library"]')).toBeVisible();
  await expect(preview(page).locator('[data-shown="New chart"]')).toHaveCount(0);
  expect(page.url(), 'no page was loaded').toBe(address);

  await setting(page, 'Hide the PDF download', 'On').check();
  await expect(preview(page).locator('[data-shown="Download PDF"]')).toHaveCount(0);
  await expect(preview(page)).not.toContainText('Same as the template');
  const chosen = await sent(page);
  expect(chosen).toMatchObject({ addChart: 'on', createChart: 'off', drillDown: 'on', hideDownloadButton: 'on', hideHeader: '' });
  const name = `Arranger ${process.pid}`;
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Create role' }).click();
  await heading(page, name);
  await page.reload();
  await hydrated(page);
  expect(await sent(page)).toEqual(chosen);
  await expect(setting(page, 'Add charts', 'On')).toBeChecked();

  await page.goto(roles(service));
  await expect(page.getByRole('row', { name })).toContainText('Edits');
  await page.getByRole('link', { name }).click();
  await hydrated(page);
  await page.getByText('Use a template', { exact: true }).click();
  await template(page, 'Explorer').click();
  await expect(page.getByLabel('Name', { exact: true }), 'a role keeps its name').toHaveValue(name);
  await expect(preview(page)).toContainText('Same as the template Explorer.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved.', { exact: false })).toBeVisible();
  await page.goto(roles(service));
  await expect(page.getByRole('row', { name })).toContainText('Explorer');
});

test('a typed name stays, and the arrow keys change a setting', async ({ page }) => {
  await hydrated(page);
  await page.getByLabel('Name', { exact: true }).fill('Planner');
  await template(page, 'Creator').focus();
  await page.keyboard.press('Enter');
  await expect(preview(page)).toContainText('Same as the template Creator.');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Planner');
  const drill = permission(page, 'Drill into charts');
  await expect(drill).toHaveAccessibleDescription(/^Drill into a chart's data/);
  await setting(page, 'Drill into charts', 'On').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(setting(page, 'Drill into charts', 'Off')).toBeChecked();
  await expect(preview(page)).not.toContainText('A click on a bar lists the rows behind it.');
  await page.keyboard.press('ArrowLeft');
  await expect(setting(page, 'Drill into charts', 'Default (off)')).toBeChecked();
  expect((await sent(page)).drillDown).toBe('');
});

test('what does nothing is not offered', async ({ page }) => {
  await expect(page.getByRole('group').filter({ has: page.getByRole('radiogroup') })).toHaveCount(4);
  await expect(page.getByRole('radiogroup')).toHaveCount(19);
  await expect(page.getByText('editMarketplace')).toHaveCount(0);
});

/** Creates a role. Returns its name. */
async function create(page, service, what) {
  const name = `${what} ${Date.now()}`;
  await page.goto(`${roles(service)}/new`);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Create role' }).click();
  await heading(page, name);
  return name;
}

test('a user is found, gets the role, and is taken out again', async ({ page, service }) => {
  const user = `member ${Date.now()}`;
  await service.signIn(ACME, { user });
  const name = await create(page, service, 'Keeper');
  await hydrated(page);
  await expect(page.getByText('No user has this role. Search for a user to assign it.')).toBeVisible();
  await page.getByLabel('Search users').fill(user.toUpperCase());
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  const row = (table) => page.getByRole('region', { name: table }).getByRole('row', { name: user });
  await expect(row('Other users')).toContainText('View only');
  await row('Other users')
    .getByRole('button', { name: `Assign ${name} to ${user}` })
    .click();
  await expect(page.getByRole('status').filter({ hasText: `${user} now has the role ${name}.` })).toBeVisible();
  await expect(page.getByLabel('Search users'), 'the search stays').toHaveValue(user.toUpperCase());
  await expect(row('Other users')).toHaveCount(0);
  await row(`Users with the role ${name}`)
    .getByRole('button', { name: `Take out ${user}` })
    .click();
  await expect(page.getByRole('status').filter({ hasText: `${user} has no role now and can only view.` })).toBeVisible();
  await expect(row('Other users')).toBeVisible();

  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(await serious(page)).toEqual([]);
  }
});

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false });

  test('a user gets a role, and another one when they are taken out', async ({ page, service }) => {
    const user = `reader ${Date.now()}`;
    await service.signIn(ACME, { user });
    const other = await create(page, service, 'Next');
    const name = await create(page, service, 'First');
    await page.getByLabel('Search users').fill(user);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('button', { name: `Assign ${name} to ${user}` }).click();
    await page.getByLabel('Users whom you take out get').selectOption({ label: other });
    await page.getByRole('button', { name: `Take out ${user}` }).click();
    await expect(page.getByText(`${user} now has the role ${other}.`)).toBeVisible();
    await expect(page.getByRole('row', { name: user })).toContainText(other);
  });

  test('a template fills in the form by its link', async ({ page }) => {
    await template(page, 'Creator').click();
    await expect(page).toHaveURL(/\/roles\/new\?template=creator$/);
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Creator');
    await expect(setting(page, 'Write SQL for charts', 'On')).toBeChecked();
    await expect(setting(page, 'View only', 'Default (off)')).toBeChecked();
    await expect(preview(page)).toContainText('Same as the template Creator.');
    const name = `Creator ${process.pid}`;
    await page.getByLabel('Name', { exact: true }).fill(name);
    await setting(page, 'Schedule reports', 'Off').check();
    await page.getByRole('button', { name: 'Create role' }).click();
    await heading(page, name);
    await expect(setting(page, 'Schedule reports', 'Off')).toBeChecked();
    await expect(setting(page, 'Create dashboards', 'On')).toBeChecked();
  });
});
