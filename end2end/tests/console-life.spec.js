// From an empty store to the first embed, only with the console. The command line only starts the server.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { serious } from '../support/axe.js';
import { FreshService, signIn, submit } from '../support/console.js';
import { Dashboard } from '../support/dashboard.js';
import { ACME, GLOBEX, orders } from '../support/data.js';
import { test as base, expect, hydrated } from '../support/fixtures.js';
import { SlowModel } from '../support/model.js';
import { setting } from '../support/roles.js';

const OWNER = { email: 'owner@example.test', password: 'correct horse battery' };

/** @type {import('../support/types.js').TestWith<{ fresh: FreshService }>} */
const test = base.extend(
  /** @type {any} */ ({
    fresh: async ({}, use) => {
      const service = await FreshService.start();
      await use(service);
      await service.stop();
    },
  }),
);

/** Checks that axe finds nothing serious on the page. */
async function look(page, name) {
  await hydrated(page);
  expect(await serious(page), name).toEqual([]);
}

// The browser's own lines about refused forms, and about the connection that the test cuts.
test.use({ allowedErrors: [/status of 4\d\d|ERR_INTERNET_DISCONNECTED/] });

const menu = (page) => page.getByRole('navigation', { name: 'Console' });
const heading = (page, name) => expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();

async function setUp(page, fresh) {
  await page.goto(fresh.setup);
  await heading(page, 'Set up Inlay');
  await look(page, 'setup');
  await submit(page, { Organization: 'Acme', 'Email address': OWNER.email, Password: OWNER.password }, 'Create owner');
  await heading(page, 'Projects');
}

async function makeProject(page) {
  await page.getByRole('link', { name: 'Create the first project' }).click();
  await submit(page, { Name: 'Shop' }, 'Create project');
  await heading(page, 'Shop');
}

async function connect(page, fresh) {
  await menu(page).getByRole('link', { name: 'Connections' }).click();
  await page.getByRole('link', { name: 'Connect a database' }).first().click();
  await submit(
    page,
    { Name: 'warehouse', Database: 'SQLite, a file on the server', Address: `sqlite:${fresh.folder}/nothing.db` },
    'Connect',
  );
  await expect(page.getByText('No file exists at this path', { exact: false }).first()).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('warehouse');
  await look(page, 'connection-refused');
  await submit(page, { Address: `sqlite:${fresh.database}` }, 'Connect');
  await heading(page, 'warehouse');
}

async function openTable(page) {
  await page.getByRole('link', { name: 'Choose tables' }).first().click();
  await heading(page, 'Choose tables');
  await page.getByRole('button', { name: 'Show rows of orders' }).click();
  await expect(page.getByRole('heading', { name: 'First rows of orders' })).toBeVisible();
  await page.getByLabel('Search tables and columns').fill('quantity');
  await expect(page.getByLabel('List orders')).toBeVisible();
  await expect(page.getByLabel('List rates')).toBeHidden();
  await look(page, 'tables');
  await page.getByLabel('List orders').check();
  await page.getByRole('button', { name: 'Add chosen tables' }).click();
  await heading(page, 'orders');
  const rule = page.getByLabel('Row rule');
  await page.getByLabel('Project users see').selectOption('rule');
  await rule.fill('compny = {{organization.company}}');
  await expect(page.getByText('compny', { exact: false })).toBeVisible();
  await expect(rule).toHaveAttribute('aria-invalid', 'true');
  await rule.fill('company = {{organization.company}}');
  await expect(rule).not.toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Hide quantity').check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  await look(page, 'table');
}

async function makeRole(page) {
  await menu(page).getByRole('link', { name: 'Roles' }).click();
  await page.getByRole('link', { name: 'New role' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Analyst');
  await setting(page, 'Add charts', 'On').check();
  await expect(page.getByText('A shared dashboard stays as it is', { exact: false })).toBeVisible();
  await look(page, 'role');
  await page.getByRole('button', { name: 'Create role' }).click();
  await heading(page, 'Analyst');
}

async function makeDashboard(page) {
  await menu(page).getByRole('link', { name: 'Charts' }).click();
  await page.getByRole('link', { name: 'New chart' }).first().click();
  const chart = { Name: 'Revenue', Type: 'Number', Query: 'select sum(amount) as revenue from ordres', Value: 'revenue' };
  await submit(page, chart, 'Create chart');
  await expect(page.getByText('is refused', { exact: false })).toBeVisible();
  await submit(page, { Query: 'select sum(amount) as revenue from orders' }, 'Create chart');
  await heading(page, 'Revenue');
  await look(page, 'chart');
  await menu(page).getByRole('link', { name: 'Applications' }).click();
  await submit(page, { Name: 'Shop' }, 'Create application');
  await heading(page, 'Shop');
}

const main = (page) => page.getByRole('main');
const frame = (page) => page.frameLocator('[data-frame]');

/** Changes the shared dashboard in the page's own editor. All users have the change then. */
async function editOnThePage(page, fresh, project) {
  await page.goto(`${fresh.url}/console/projects/${project}/applications`);
  await main(page).getByRole('link', { name: 'Shop', exact: true }).click();
  await main(page).getByRole('link', { name: 'Overview', exact: true }).click();
  await page.getByRole('link', { name: 'Edit on the page' }).click();
  await heading(page, 'Edit Overview');
  const editor = new Dashboard(frame(page));
  await editor.drawn();
  await (await editor.menuItem('Revenue', 'Remove')).click();
  await frame(page).getByRole('button', { name: 'Add', exact: true }).click();
  await frame(page).getByRole('menuitem', { name: 'Chart from library', exact: true }).click();
  await frame(page)
    .getByRole('dialog', { name: 'Add a chart' })
    .getByRole('button', { name: /^Revenue/ })
    .click();
  await expect(editor.chart('Revenue')).toHaveAttribute('data-state', 'ready');
  await frame(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(frame(page).getByRole('status').filter({ hasText: 'Saved' })).toBeVisible();
  await look(page, 'editor');
  await main(page).getByRole('link', { name: 'Overview', exact: true }).click();
  await expect(page.getByLabel('Left edge of Revenue')).toHaveCount(1);
  await submit(page, { 'Name of the copy': 'Template' }, 'Duplicate');
  await heading(page, 'Template');
}

/** A chat from its draft to its embed, evaluated with its own examples. */
async function makeWorkspace(page, fresh, project) {
  await page.goto(`${fresh.url}/console/projects/${project}/workspaces`);
  await main(page).getByRole('link', { name: 'New workspace' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Ask');
  await page.getByText('Examples: questions with the queries', { exact: false }).click();
  await page.getByLabel('Question of example 1').fill('How many orders?');
  await page.getByLabel('Query of example 1').fill('select count(*) as n from orders');
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await heading(page, 'Ask');
  await page.getByRole('button', { name: 'Evaluate' }).click();
  await expect(page.getByRole('region', { name: 'Evaluations' })).toContainText('1 of 1 right');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('button', { name: 'Put into production' }).click();
  await expect(page.getByText('Version 1 is in production.')).toBeVisible();
  await look(page, 'workspace');
  await page.getByRole('link', { name: 'Embed code and playground' }).click();
  await expect(page.locator('#embed-choice')).toHaveValue(/^\/share\/workspace\//);
  await page.getByRole('button', { name: 'Sign in and frame' }).click();
  await expect(page.getByRole('list', { name: 'Messages' })).toContainText('embed:ready');
  await expect(frame(page).getByRole('textbox')).toBeVisible();
  await look(page, 'playground');
}

/** Usage shows what viewers opened and its load time. Previews by members are not counted. */
async function readUsage(page, fresh, project) {
  await page.goto(`${fresh.url}/console/projects/${project}/usage`);
  await heading(page, 'Usage');
  const row = page.getByRole('region', { name: 'Dashboards' }).getByRole('row', { name: /Shop \/ Overview/ });
  await expect(row.getByRole('cell').nth(1)).toHaveText('2');
  await expect(row.getByRole('cell').nth(2)).toHaveText(/\d+(\.\d)? m?s/);
  await look(page, 'usage');
  await page.getByRole('link', { name: '7 days' }).click();
  await expect(page.getByRole('link', { name: '7 days' })).toHaveAttribute('aria-current', 'true');
}

test('from the first start to a chart in a host page', async ({ page, fresh }) => {
  test.setTimeout(180_000);
  await setUp(page, fresh);
  await makeProject(page);
  const project = new URL(page.url()).pathname.split('/').at(-1);
  await look(page, 'project');
  await connect(page, fresh);
  await openTable(page);
  await makeRole(page);
  await makeDashboard(page);
  await page.locator('#field-dashboard').fill('Overview');
  await page.getByRole('button', { name: 'Add dashboard' }).click();
  await heading(page, 'Overview');
  await submit(page, { Chart: 'Revenue' }, 'Add chart');
  await expect(page.getByText('Chart added.')).toBeVisible();
  await look(page, 'dashboard');

  await menu(page).getByRole('link', { name: 'Developer' }).click();
  await submit(page, { Name: 'Production' }, 'Create key');
  const key = await page.getByLabel('Your new API key.').innerText();
  expect(key).toMatch(/^inlay_/);
  await look(page, 'developer');

  const host = createServer((request, response) => {
    const src = decodeURIComponent(new URL(request.url, 'http://host').searchParams.get('src') ?? '');
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        `<!doctype html><title>Host</title><link rel="icon" href="data:,"><iframe title="Analytics" style="width:100%;height:800px" src="${src.replaceAll('&', '&amp;')}"></iframe>`,
      );
  }).listen(0, 'localhost');
  await once(host, 'listening');
  await page.goto(`${fresh.url}/console/projects/${project}/embed`);
  await heading(page, 'Embed');
  await look(page, 'embed');
  const path = await page.locator('#embed-choice').inputValue();
  for (const company of [ACME, GLOBEX]) {
    const token = await signIn(fresh, key, project, company);
    const src = `${fresh.url}${path}?jwt=${encodeURIComponent(token)}`;
    await page.goto(
      `http://localhost:${/** @type {import('node:net').AddressInfo} */ (host.address()).port}/?src=${encodeURIComponent(src)}`,
    );
    const frame = await (await page.locator('iframe').elementHandle()).contentFrame();
    await hydrated(frame);
    const dashboard = new Dashboard(frame);
    await dashboard.drawn();
    const sum = orders(company).reduce((total, order) => total + order.amount, 0);
    expect(await dashboard.rows('Revenue')).toEqual([[sum]]);
  }
  host.close();

  await page.goto(`${fresh.url}/console/projects/${project}/customers`);
  await look(page, 'customers');
  await page.getByRole('link', { name: ACME, exact: true }).click();
  await look(page, 'customer');
  await page.getByRole('link', { name: 'Ann' }).click();
  await look(page, 'user');
  await page.getByRole('link', { name: 'View as' }).click();
  const seen = new Dashboard(page.frameLocator('[data-frame]'));
  await expect(seen.chart('Revenue')).toHaveAttribute('data-state', 'ready');
  await look(page, 'view-as');
  await editOnThePage(page, fresh, project);
  await makeWorkspace(page, fresh, project);
  await readUsage(page, fresh, project);

  await page.goto(`${fresh.url}/console/projects/${project}/file`);
  await look(page, 'file');
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(page.getByText('Applying this file would change nothing.')).toBeVisible();
  await menu(page).getByRole('link', { name: 'Audit log' }).click();
  await expect(page.getByText('projectUser.viewedAs').first()).toBeVisible();
  await look(page, 'audit');
  await menu(page).getByRole('link', { name: 'Members' }).click();
  await look(page, 'members');
});

test('a model is set, tried and never shown again, and a second admin notices', async ({ page, fresh, context }) => {
  const model = await SlowModel.start(['I', 'am', 'ready.'], 1);
  await setUp(page, fresh);
  await menu(page).getByRole('link', { name: 'Language model' }).click();
  await heading(page, 'Language model');
  const second = await context.newPage();
  await second.goto(page.url());
  await submit(page, { Address: model.address, Model: 'small', Key: 'sk-secret' }, 'Try');
  await expect(page.getByText('I am ready.')).toBeVisible();
  await look(page, 'model');
  await submit(page, { Key: 'sk-secret' }, 'Save');
  await expect(page.getByText('Saved.', { exact: false })).toBeVisible();
  expect(await page.content()).not.toContain('sk-secret');
  await submit(second, { Model: 'another' }, 'Save');
  await expect(second.getByText('was changed since you opened', { exact: false })).toBeVisible();
  await expect(second.getByLabel('Model', { exact: true })).toHaveValue('another');
  await model.stop();
});

test('a lost connection keeps what was typed', async ({ page, fresh, context }) => {
  await setUp(page, fresh);
  await page.getByRole('link', { name: 'Create the first project' }).click();
  await hydrated(page);
  await context.setOffline(true);
  await submit(page, { Name: 'Shop' }, 'Create project');
  await expect(page.getByRole('alert')).toContainText('connection is lost');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Shop');
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Create project' }).click();
  await heading(page, 'Shop');
});

test.describe('on a phone, in the dark', () => {
  test.use({ colorScheme: 'dark', viewport: { width: 390, height: 844 } });

  test('nothing is cut off, and the navigation opens', async ({ page, fresh }) => {
    await setUp(page, fresh);
    await makeProject(page);
    await look(page, 'phone-project');
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await wide()).toBeLessThanOrEqual(0);
    await page.getByRole('checkbox', { name: 'Navigation open' }).press('Space');
    await look(page, 'phone-navigation');
    await menu(page).getByRole('link', { name: 'Roles' }).click();
    await page.getByRole('link', { name: 'New role' }).first().click();
    await look(page, 'phone-role');
    expect(await wide()).toBeLessThanOrEqual(0);
    const project = new URL(page.url()).pathname.split('/').slice(0, 4).join('/');
    for (const part of ['usage', 'model', 'customers']) {
      await page.goto(`${fresh.url}${project}/${part}`);
      await look(page, `phone-${part}`);
      expect(await wide(), part).toBeLessThanOrEqual(0);
    }
  });
});
