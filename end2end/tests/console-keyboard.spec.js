// The console by keyboard: from the first start to the code for a host, and through every page.
import { FreshService, signIn } from '../support/console.js';
import { follow } from '../support/console-pages.js';
import { ACME } from '../support/data.js';
import { test as base, expect, hydrated } from '../support/fixtures.js';
import { Keyboard } from '../support/keyboard.js';
import { permission, setting } from '../support/roles.js';

const OWNER = { email: 'owner@example.test', password: 'correct horse battery' };

/** @type {import('../support/types.js').TestWith<{ fresh: FreshService, keys: Keyboard }>} */
const test = base.extend(
  /** @type {any} */ ({
    fresh: async ({}, use) => {
      const service = await FreshService.start();
      await use(service);
      await service.stop();
    },
    keys: async ({ page }, use) => {
      await use(new Keyboard(page));
    },
  }),
);

// The browser's own lines about refused forms.
test.use({ allowedErrors: [/status of 4\d\d/], permissions: ['clipboard-read', 'clipboard-write'] });

const main = (page) => page.getByRole('main');
const menu = (page) => page.getByRole('navigation', { name: 'Console' });
const field = (page, name) => main(page).getByLabel(name, { exact: true });
const button = (page, name) => main(page).getByRole('button', { name, exact: true });
const link = (page, name) => main(page).getByRole('link', { name, exact: true });
const heading = (page, name) => expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText());

/** Opens a section of the console by its navigation, which comes before the page. */
async function visit(page, keys, name) {
  await keys.open(menu(page).getByRole('link', { name, exact: true }), { back: true });
  await heading(page, name);
}

async function comeIn(page, keys, fresh) {
  await page.goto(fresh.setup);
  await hydrated(page);
  await keys.write(field(page, 'Organization'), 'Acme');
  await keys.write(field(page, 'Email address'), OWNER.email);
  await keys.write(field(page, 'Password'), 'too short');
  await keys.press('Enter');
  await expect(field(page, 'Password')).toBeFocused();
  await expect(field(page, 'Password')).toHaveAccessibleDescription(/must have at least 12 characters/);
  await keys.press('ControlOrMeta+A');
  await page.keyboard.insertText(OWNER.password);
  await keys.press('Enter');
  await heading(page, 'Projects');
  await keys.open(menu(page).getByRole('button', { name: 'Sign out' }), { back: true });
  await heading(page, 'Sign in');
  await keys.write(field(page, 'Email address'), OWNER.email);
  await keys.write(field(page, 'Password'), OWNER.password);
  await keys.press('Enter');
  await heading(page, 'Projects');
}

/** The first stop of a page is the skip link. */
async function skip(page, keys) {
  await page.goto(page.url());
  await hydrated(page);
  await keys.tab();
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await keys.press('Enter');
  await expect(main(page)).toBeFocused();
  await keys.tab();
  await expect(link(page, 'Create the first project')).toBeFocused();
  await keys.press('Enter');
  await heading(page, 'New project');
  await keys.write(field(page, 'Name'), 'Shop');
  await keys.press('Enter');
  await heading(page, 'Shop');
}

async function connect(page, keys, fresh) {
  await visit(page, keys, 'Connections');
  await keys.open(link(page, 'Connect a database'));
  await heading(page, 'Connect a database');
  await keys.write(field(page, 'Name'), 'warehouse');
  await keys.choose(field(page, 'Database'), 'SQLite');
  await keys.write(field(page, 'Address'), `sqlite:${fresh.folder}/nothing.db`);
  await keys.press('Enter');
  await expect(field(page, 'Address')).toBeFocused();
  await expect(field(page, 'Address')).toHaveAccessibleDescription(/No file exists at this path/);
  await keys.press('ControlOrMeta+A');
  await page.keyboard.insertText(`sqlite:${fresh.database}`);
  await keys.press('Enter');
  await heading(page, 'warehouse');
}

async function openTable(page, keys) {
  await keys.open(link(page, 'Choose tables'));
  await heading(page, 'Choose tables');
  await keys.press('/');
  await expect(page.getByLabel('Search tables and columns')).toBeFocused();
  await page.keyboard.insertText('orders');
  await keys.to(page.getByLabel('List orders'));
  await keys.press('Space');
  await keys.open(button(page, 'Add chosen tables'));
  await heading(page, 'orders');
  await keys.choose(field(page, 'Project users see'), 'The');
  await keys.write(field(page, 'Row rule'), 'company = {{organization.company}}');
  await keys.to(page.getByLabel('Hide quantity'));
  await keys.press('Space');
  await keys.open(button(page, 'Save'));
  await expect(page.getByText('Saved.')).toBeVisible();
  await expect(page.getByLabel('Hide quantity')).toBeChecked();
}

/** Confirmations are dialogs: Enter deletes nothing, Escape closes them, and the focus returns. */
async function askAndLeave(page, keys) {
  const remove = button(page, 'Remove table');
  await keys.open(remove);
  const dialog = page.getByRole('dialog', { name: 'Remove orders from the catalogue?' });
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await keys.tab();
  await expect(dialog.getByRole('button', { name: 'Remove table' })).toBeFocused();
  await keys.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(remove).toBeFocused();
  await keys.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toContainText('Search');
  await keys.press('Escape');
  await expect(remove).toBeFocused();
}

async function makeRole(page, keys) {
  await visit(page, keys, 'Roles');
  await keys.open(link(page, 'New role'));
  await heading(page, 'New role');
  await keys.write(field(page, 'Name'), 'Analyst');
  await keys.to(permission(page, 'Add charts').getByRole('radio'));
  await keys.press('ArrowLeft');
  await expect(setting(page, 'Add charts', 'On')).toBeChecked();
  await expect(page.getByText('A shared dashboard stays as it is', { exact: false })).toBeVisible();
  await keys.open(button(page, 'Create role'));
  await heading(page, 'Analyst');
}

async function makeDashboard(page, keys) {
  await visit(page, keys, 'Charts');
  await keys.open(link(page, 'New chart'));
  await heading(page, 'New chart');
  await keys.write(field(page, 'Name'), 'Revenue');
  await keys.choose(field(page, 'Type'), 'Number');
  await keys.write(field(page, 'Query'), 'select sum(amount) as revenue from orders');
  await keys.write(field(page, 'Value'), 'revenue');
  await keys.press('Enter');
  await heading(page, 'Revenue');
  await visit(page, keys, 'Applications');
  await keys.write(field(page, 'Name'), 'Shop');
  await keys.press('Enter');
  await heading(page, 'Shop');
  await keys.write(field(page, 'Name').first(), 'Overview');
  await keys.press('Enter');
  await heading(page, 'Overview');
  await keys.choose(field(page, 'Chart'), 'Revenue');
  await keys.open(button(page, 'Add chart'));
  await expect(page.getByLabel('Left edge of Revenue')).toHaveCount(1);
}

/** An API key and the host's code, both by their copy buttons. */
async function copyCode(page, keys, project) {
  await visit(page, keys, 'Developer');
  await keys.open(main(page).locator('summary', { hasText: 'New key' }));
  await keys.write(field(page, 'Name'), 'Production');
  await keys.press('Enter');
  await expect(page.getByText('Your new API key.')).toBeVisible();
  await keys.open(button(page, 'Copy'));
  await expect.poll(() => clipboard(page)).toMatch(/^inlay_/);
  const key = await clipboard(page);
  await visit(page, keys, 'Projects');
  await keys.open(link(page, 'Shop'));
  await heading(page, 'Shop');
  await visit(page, keys, 'Embed');
  await keys.to(main(page).getByRole('radio', { name: 'curl' }));
  await keys.press('ArrowRight');
  await keys.open(button(page, 'Copy'));
  await expect.poll(() => clipboard(page)).toContain(`projectId: '${project}'`);
  return key;
}

/** The dashboard's own editor, in its frame: adds and saves a chart. */
async function edit(page, keys) {
  await visit(page, keys, 'Applications');
  await keys.open(link(page, 'Shop'));
  await heading(page, 'Shop');
  await keys.open(link(page, 'Overview'));
  await heading(page, 'Overview');
  await keys.open(link(page, 'Edit on the page'));
  await heading(page, 'Edit Overview');
  const frame = page.frameLocator('[data-frame]');
  await expect(frame.getByRole('figure', { name: 'Revenue' })).toHaveAttribute('data-state', 'ready');
  await keys.open(frame.getByRole('button', { name: 'Add', exact: true }));
  const item = frame.getByRole('menuitem', { name: 'Chart from library', exact: true });
  await expect(item).toBeVisible();
  await expect
    .poll(async () => {
      const there = await item.evaluate((one) => one === document.activeElement);
      if (!there) await keys.press('ArrowDown');
      return there;
    })
    .toBe(true);
  await keys.press('Enter');
  const dialog = frame.getByRole('dialog', { name: 'Add a chart' });
  await expect(dialog).toBeVisible();
  await keys.open(dialog.getByRole('button', { name: /^Revenue/ }));
  await expect(frame.getByRole('figure', { name: 'Revenue' })).toHaveCount(2);
  await keys.open(frame.getByRole('button', { name: 'Save', exact: true }));
  await expect(frame.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible();
}

test('from the first start to code for a host', async ({ page, keys, fresh }) => {
  test.setTimeout(400_000);
  await comeIn(page, keys, fresh);
  await skip(page, keys);
  const project = new URL(page.url()).pathname.split('/').at(-1);
  await connect(page, keys, fresh);
  await openTable(page, keys);
  await askAndLeave(page, keys);
  await makeRole(page, keys);
  await makeDashboard(page, keys);
  await keys.open(menu(page).getByRole('link', { name: 'Overview', exact: true }), { back: true });
  await heading(page, 'Shop');
  await keys.open(link(page, 'Create an API key'));
  await heading(page, 'Developer');
  const key = await copyCode(page, keys, project);
  await signIn(fresh, key, project, ACME);
  await edit(page, keys);
  await keys.open(menu(page).getByRole('button', { name: 'Sign out' }), { back: true });
  await heading(page, 'Sign in');
});

test('every page is gone through by Tab: in its order, with the focus in sight, to its end', async ({ page, keys, service }) => {
  test.setTimeout(400_000);
  await service.signIn(ACME);
  await service.operate(page);
  await follow(page, async (route) => {
    const stops = await test.step(route, () => keys.through());
    const wanted = await main(page)
      .locator('a[href], button:visible, input:visible, select:visible, textarea:visible, summary:visible')
      .evaluateAll(
        (all) =>
          all.filter(
            (one) =>
              one.tabIndex >= 0 &&
              !one.disabled &&
              (one.type !== 'radio' || one.checked) &&
              !one.closest('details:not([open]) > :not(summary)'),
          ).length,
      );
    const met = stops.filter(({ isMain, isTop, told }) => isMain && isTop && !/^(pre|div|iframe)/.test(told));
    expect(met.length, `${route}: ${met.map(({ told }) => told).join(', ')}`).toBe(wanted);
  });
});

test.describe('on a narrow screen', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('the navigation opens and closes', async ({ page, keys, service }) => {
    await service.operate(page);
    await page.goto(page.url());
    await hydrated(page);
    const navigation = page.getByRole('checkbox', { name: 'Navigation open' });
    await keys.to(navigation);
    await keys.press('Enter');
    await expect(menu(page)).toBeVisible();
    await keys.tab();
    await keys.press('Escape');
    await expect(menu(page)).toBeHidden();
    await expect(navigation).toBeFocused();
    await keys.press('Space');
    await keys.open(menu(page).getByRole('link', { name: 'Members' }));
    await heading(page, 'Members');
  });
});
