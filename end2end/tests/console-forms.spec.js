// Invalid input: every form of the console keeps what was typed, shows the error beside the field, and survives a lost
// connection.
import { tmpdir } from 'node:os';
import { submit } from '../support/console.js';
import { forms, outside, WITHOUT_FIELDS } from '../support/console-forms.js';
import { routeOf, routes } from '../support/console-pages.js';
import { ACME } from '../support/data.js';
import { test as base, expect, hydrated } from '../support/fixtures.js';
import { Service } from '../support/service.js';

const STRANGER = 'stranger@example.test';
const LOST = 'The connection is lost. What you typed is still here: try again when you are online.';

/** @type {import('../support/types.js').TestWith<{ things: any }>} */
const test = base.extend(
  /** @type {any} */ ({
    service: [
      async ({ host }, use) => {
        const environment = {
          INLAY_QUERY_CACHE_SECONDS: '0',
          INLAY_SQLITE_FOLDERS: tmpdir(),
          INLAY_ALLOW_PRIVATE_SOURCES: 'true',
          INLAY_REPORTS_BY_OWNERS: 'true',
        };
        const service = await Service.start(host.origin, { environment });
        await use(service);
        await service.stop();
      },
      { scope: 'worker' },
    ],

    /** The objects for the forms: a user, a member without a password, the operator's links, and the operator's session. */
    things: [
      async ({ browser, service }, use) => {
        const context = await browser.newContext();
        const page = await context.newPage();
        await service.command('member', 'add', '--organization', service.organizationId, '--email', STRANGER, '--role', 'viewer');
        const token = await service.signIn(ACME);
        const user = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString()).sub;
        await service.operate(page);
        const members = `${service.url}/console/organizations/${service.organizationId}/members`;
        await page.goto(members);
        const stranger = (await page.locator('form[action$="/role"]').getAttribute('action')).split('/').at(-2);
        await page.getByRole('button', { name: 'New password link' }).click();
        const link = async () => new URL(await page.getByLabel('Link created.').innerText()).pathname;
        const reset = await link();
        await page.goto(members);
        await submit(page, { 'Email address': 'invited@example.test' }, 'Create invitation');
        const invitation = await link();
        await page.goto(members.replace('/members', '/developer'));
        const key = (await page.locator('form[action$="/limit"]').getAttribute('action')).split('/').at(-2);
        const { cookies } = await context.storageState();
        await context.close();
        await use({ user, stranger, key, reset, invitation, cookies });
      },
      { scope: 'worker' },
    ],
  }),
);

// The browser's own lines about refused forms, and about the connection that a test cuts.
test.use({ allowedErrors: [/status of 4\d\d|ERR_FAILED|ERR_INTERNET_DISCONNECTED/] });

const shownBy = (field) =>
  field.evaluate((one) => {
    if (one.type === 'checkbox') return one.checked;
    if (one.role === 'radiogroup') return one.querySelector(':checked').labels[0].textContent;
    return one.tagName === 'SELECT' ? one.selectedOptions[0].textContent : one.value;
  });

async function put(field, value) {
  if (value === true) await field.check();
  else if ((await field.getAttribute('role')) === 'radiogroup') await field.getByLabel(value, { exact: true }).check();
  else if (value instanceof RegExp) await field.selectOption(await field.locator('option', { hasText: value }).getAttribute('value'));
  else if ((await field.evaluate((one) => one.tagName)) === 'SELECT') await field.selectOption({ label: value });
  else await field.fill(value);
}

/** Fills a form in, sends it with an invalid value, then over a cut connection, then correctly. */
async function walk(page, origin, { at, action, button, fields, wrong, first, never, secret = [], done }) {
  await page.goto(origin + at);
  await hydrated(page);
  const form = page.locator(`main form[action="${action}"]`);
  const field = (label) => form.getByLabel(label, { exact: true });
  const press = () => form.getByRole('button', { name: button, exact: true }).click();
  const folded = (open) =>
    page.locator(open ? 'main details' : `main form[action="${action}"] details`).evaluateAll((all, open) => {
      for (const one of all) one.open = open;
    }, open);
  const kept = async (typed, but = []) => {
    for (const [label, value] of Object.entries(typed)) if (!but.includes(label)) expect(await shownBy(field(label)), label).toBe(value);
  };
  await folded(true);
  for (const [label, value] of Object.entries(fields)) await put(field(label), value);
  const typed = Object.fromEntries(await Promise.all(Object.keys(fields).map(async (label) => [label, await shownBy(field(label))])));

  if (wrong) {
    const [label, value, told] = wrong;
    await put(field(label), value);
    await folded(false);
    await press();
    await expect(field(label)).toHaveAttribute('aria-invalid', 'true');
    await expect(field(label)).toHaveAccessibleDescription(told);
    await expect(field(first ?? label)).toBeFocused();
    await kept({ ...typed, [label]: value }, secret);
    if (never) return;
    await folded(true);
    for (const [name, right] of Object.entries(fields)) if (name === label || secret.includes(name)) await put(field(name), right);
  }

  await page.route('**/console/**', (route) => (route.request().method() === 'POST' ? route.abort() : route.fallback()));
  await press();
  await expect(
    form
      .getByRole('alert')
      .filter({ hasText: LOST })
      .or(page.getByRole('alert').filter({ hasText: LOST })),
  ).toBeVisible();
  await kept(typed);
  await page.unroute('**/console/**');
  await press();
  const heading = page.getByRole('heading', { level: 1, name: done, exact: true });
  await expect(done ? heading : page.locator('main :is(.notice, .secret, .diff, [data-result])').first()).toBeVisible();
}

test('every route that takes a form is here', async ({ service, things }) => {
  const all = await routes('post');
  const walked = Object.values({ ...forms(service, things), ...outside(things) }).map(({ action }) => routeOf(all, action));
  expect(walked.filter((route) => !all.includes(route))).toEqual([]);
  expect(all.filter((route) => !walked.includes(route) && !WITHOUT_FIELDS.some(([part]) => part.test(route)))).toEqual([]);
});

const NAMES = forms(
  {
    project: {
      connections: {},
      tables: {},
      roles: {},
      charts: {},
      workspaces: {},
      applications: { Shop: {} },
      dashboards: { 'Shop/Details': {} },
    },
  },
  {},
);
for (const name of Object.keys(NAMES)) {
  test(name, async ({ context, page, service, things }) => {
    await context.addCookies(things.cookies);
    await walk(page, service.url, forms(service, things)[name]);
  });
}

for (const name of Object.keys(outside({}))) {
  test(name, async ({ page, service, things }) => {
    await walk(page, service.url, outside(things)[name]);
  });
}

test('what is typed in one form of a page stays when another is sent', async ({ context, page, service, things }) => {
  await context.addCookies(things.cookies);
  const { projectId, applications, dashboards, workspaces } = service.project;
  const own = `${service.url}/console/projects/${projectId}`;
  const application = `${own}/applications/${applications.Shop.id}`;
  const field = (label) => page.getByLabel(label, { exact: true });
  const visit = async (address) => {
    await page.goto(address);
    await hydrated(page);
    await page.locator('main details').evaluateAll((/** @type {HTMLDetailsElement[]} */ all) => {
      for (const one of all) one.open = true;
    });
  };
  await visit(application);
  await field('Font').fill('Georgia');
  await field('Density').selectOption({ label: 'Compact' });
  await page
    .getByRole('button', { name: /^Down|^Move .* down/ })
    .first()
    .click();
  await expect(page.getByText('Moved.')).toBeVisible();
  await expect(field('Font')).toHaveValue('Georgia');
  expect(await shownBy(field('Density'))).toBe('Compact');

  await visit(`${application}/dashboards/${dashboards['Shop/Details'].id}`);
  await field('Name').fill('Typed and not saved');
  await field('Chart').selectOption({ label: 'Exchange rates' });
  await page.getByRole('button', { name: 'Add chart' }).click();
  await expect(page.getByText('Chart added.')).toBeVisible();
  await expect(field('Name')).toHaveValue('Typed and not saved');

  await visit(`${own}/workspaces/${workspaces['Ask the shop']}`);
  await field('Instructions').fill('Typed and not published');
  await page.getByRole('button', { name: 'Evaluate' }).click();
  await expect(page.locator('main [aria-invalid="true"]')).not.toHaveCount(0);
  await expect(field('Instructions')).toHaveValue('Typed and not published');
});

test('what is typed while a form is on its way stays, whether it is refused or taken', async ({ context, page, service, things }) => {
  await context.addCookies(things.cookies);
  await page.goto(`${service.url}/console/projects/${service.project.projectId}`);
  await hydrated(page);
  const field = (label) => page.getByLabel(label, { exact: true });
  /** Sends the form, and types while the response waits. */
  const send = async (type) => {
    /** @type {() => void} */
    let release = () => {};
    const held = new Promise((resolve) => {
      release = () => resolve(undefined);
    });
    await page.route('**/console/**', async (route) => {
      if (route.request().method() === 'POST') await held;
      await route.fallback();
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.locator('form[aria-busy="true"]')).toHaveCount(1);
    await type();
    release();
    await expect(page.locator('form[aria-busy="true"]')).toHaveCount(0);
    await page.unroute('**/console/**');
  };
  const zone = await field('Time zone').inputValue();
  await field('Time zone').fill('Nowhere/Land');
  await send(() => field('Time zone').fill('Asia/Tokyo'));
  await expect(field('Time zone')).toHaveValue('Asia/Tokyo');
  await expect(page.getByText('Saved.', { exact: true })).toHaveCount(0);
  await field('Time zone').fill(zone);
  await send(() => field('Allowed origins').fill('https://typed.example'));
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
  await expect(field('Allowed origins')).toHaveValue('https://typed.example');
});

test('a session that ends takes nothing that was typed along', async ({ browser, context, page, service, things }) => {
  await context.addCookies(things.cookies);
  await page.goto(`${service.url}/console/projects/${service.project.projectId}/roles/new`);
  await hydrated(page);
  await page.getByLabel('Name', { exact: true }).fill('Survivor');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Create role' }).click();
  await expect(page.getByRole('alert')).toContainText('Your session has ended. What you typed is still here');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Survivor');
  const another = await browser.newContext();
  await service.operate(await another.newPage());
  await context.addCookies((await another.storageState()).cookies);
  await another.close();
  await page.getByRole('button', { name: 'Create role' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Survivor' })).toBeVisible();
});

test('a question that cannot be sent says so where it is asked', async ({ context, page, service, things }) => {
  await context.addCookies(things.cookies);
  await page.goto(`${service.url}/console/projects/${service.project.projectId}/roles/${service.project.roles['Without tabs']}`);
  await hydrated(page);
  await page.getByRole('button', { name: 'Delete role' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Without tabs?' });
  await context.setOffline(true);
  await dialog.getByRole('button', { name: 'Delete role' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(LOST);
  await context.setOffline(false);
  await dialog.getByRole('button', { name: 'Delete role' }).click();
  await expect(page.getByText('Role deleted.')).toBeVisible();
});

test('an address can be looked at while it is typed, and is kept when it is refused', async ({ context, page, service, things }) => {
  await context.addCookies(things.cookies);
  await page.goto(`${service.url}/console/projects/${service.project.projectId}/connections/new`);
  await hydrated(page);
  const address = page.getByLabel('Address', { exact: true });
  await submit(page, { Name: 'third', Database: 'SQLite, a file on the server', Address: 'sqlite:/nowhere.db' }, 'Show');
  await expect(address).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(address).toBeFocused();
  await expect(address).toHaveValue('sqlite:/nowhere.db');
  await expect(address).toHaveAttribute('type', 'password');
  expect(await page.content()).not.toContain('nowhere');
});
