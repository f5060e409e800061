// What the page offers to whom: each flag gives its own tool and no other, whoever the dashboard belongs to.
import { Conversation } from '../support/conversation.js';
import { Dashboard } from '../support/dashboard.js';
import { ACME } from '../support/data.js';
import { embed, expect, hydrated, test } from '../support/fixtures.js';
import { GRANTS, granting, makeRole } from '../support/roles.js';

let users = 0;
const newUser = () => {
  users += 1;
  return `tools-${process.pid}-${users}`;
};

const button = (surface, name) => surface.getByRole('button', { name, exact: true });
const item = (surface, name) => surface.getByRole('menuitem', { name, exact: true });

/** The items of a menu. None if the page has no such menu. */
async function items(page, opener) {
  if ((await opener.count()) === 0) return [];
  await opener.click();
  const texts = await page.getByRole('menuitem').allInnerTexts();
  await page.keyboard.press('Escape');
  return texts;
}

/** Every tool that the page offers on its dashboard, as `menu: item`. */
async function tools(page, dashboard) {
  const named = (menu, names, of) => names.filter((name) => of.includes(name)).map((name) => `${menu}: ${name}`);
  const add = ['Chart from library', 'New chart', 'Describe a chart', 'Filter', 'Dashboard'];
  await dashboard.chart('Revenue').hover();
  return [
    ...named('Add', add, await items(page, button(page, 'Add'))),
    ...named('Actions', ['Undo', 'Rename', 'Duplicate', 'Set as default'], await items(page, button(page, 'Actions'))),
    ...named('Chart', ['Edit', 'Remove'], await items(page, dashboard.menuButton('Revenue'))),
    ...((await button(dashboard.filters, 'Add filter').count()) > 0 ? ['Filters: Add filter'] : []),
    ...((await button(dashboard.navigation, 'Set as default').count()) > 0 ? ['Navigation: Set as default'] : []),
  ];
}

/** The tools of each flag, in the order of `tools`. */
const TOOLS = {
  addChart: ['Add: Chart from library'],
  createChart: ['Add: New chart'],
  addFilter: ['Add: Filter', 'Filters: Add filter'],
  addDashboard: ['Add: Dashboard'],
  canDuplicateDashboard: ['Actions: Duplicate'],
  canSetDefaultDashboard: ['Actions: Set as default', 'Navigation: Set as default'],
  editCharts: ['Chart: Edit'],
  removeChart: ['Chart: Remove'],
};
/** The tools of every role that edits. */
const EDITORS = ['Actions: Undo', 'Actions: Rename'];

const sorted = (names) => names.toSorted();
const of = (flags) => flags.flatMap((flag) => TOOLS[flag]);

for (const flag of GRANTS) {
  test(`\`${flag}\` alone gives its tool and no other; without it, all others stay`, async ({ open, page, service }) => {
    const set = { canSetDefaultDashboard: false };
    const alone = await open(ACME, { user: newUser(), roleId: await makeRole(service, granting([flag], set)) });
    await alone.drawn();
    expect(sorted(await tools(page, alone))).toEqual(sorted([...EDITORS, ...TOOLS[flag]]));
    const others = GRANTS.filter((one) => one !== flag);
    const without = await open(ACME, { user: newUser(), roleId: await makeRole(service, granting(others, set)) });
    await without.drawn();
    expect(sorted(await tools(page, without))).toEqual(sorted([...EDITORS, ...of(others)]));
  });
}

test('`canSetDefaultDashboard` is offered to roles that edit and to those that only view', async ({ open, page, service }) => {
  const editor = await open(ACME, { user: newUser(), roleId: await makeRole(service, granting(['addChart'])) });
  await editor.drawn();
  expect(sorted(await tools(page, editor))).toEqual(sorted([...EDITORS, ...of(['addChart', 'canSetDefaultDashboard'])]));
  for (const [permissions, offered] of [
    [{}, ['Navigation: Set as default']],
    [{ canSetDefaultDashboard: true }, ['Navigation: Set as default']],
    [{ canSetDefaultDashboard: false }, []],
  ]) {
    const viewer = await open(ACME, { user: newUser(), roleId: await makeRole(service, permissions) });
    await viewer.drawn();
    expect(await tools(page, viewer), JSON.stringify(permissions)).toEqual(offered);
  }
});

test('`readOnly` takes every tool that edits', async ({ open, page, service }) => {
  const permissions = granting(GRANTS, { readOnly: true, createChartSQL: true, aiCharts: true, drillDown: true });
  const dashboard = await open(ACME, { user: newUser(), roleId: await makeRole(service, permissions) });
  await dashboard.drawn();
  expect(await tools(page, dashboard)).toEqual(['Navigation: Set as default']);
  await expect(button(page, 'Move Revenue')).toHaveCount(0);
});

test('a viewer sets the dashboard that opens first', async ({ open, page }) => {
  const user = newUser();
  const scripts = [];
  page.on('request', (request) => scripts.push(request.url()));
  const dashboard = await open(ACME, { user });
  const star = button(dashboard.navigation, 'Set as default');
  await expect(star).toHaveAttribute('aria-pressed', 'true');
  await dashboard.navigation.getByText('Details', { exact: true }).click();
  await expect(dashboard.title).toHaveText('Details');
  await expect(star).toHaveAttribute('aria-pressed', 'false');
  await star.focus();
  await page.keyboard.press('Enter');
  await expect(star).toHaveAttribute('aria-pressed', 'true');
  await expect(star).toBeFocused();
  const again = await open(ACME, { user });
  await expect(again.title).toHaveText('Details');
  const other = await open(ACME, { user: newUser() });
  await expect(other.title).toHaveText('Overview');
  expect(scripts.filter((address) => address.includes('inlay-editor'))).toEqual([]);
});

test.describe('refused', () => {
  test.use({ allowedErrors: [/status of 403/] });

  test('a default that cannot be set says why, and nothing is marked', async ({ open, page }) => {
    const dashboard = await open(ACME, { user: newUser() });
    await dashboard.navigation.getByText('Details', { exact: true }).click();
    await expect(dashboard.title).toHaveText('Details');
    await page.route('**/share/fn/default-dashboard', (route) =>
      route.fulfill({ status: 403, json: { code: 'PERMISSION_DENIED', message: 'Your role has changed.' } }),
    );
    const star = button(dashboard.navigation, 'Set as default');
    await star.click();
    await expect(page.getByRole('alert')).toHaveText('Your role has changed.');
    await expect(star).toHaveAttribute('aria-pressed', 'false');
  });
});

/** Makes a dashboard of a colleague: a duplicate of the Overview. Returns its id. */
async function colleagueDashboard(open, page) {
  const dashboard = await open(ACME, { role: 'Editor', user: newUser() });
  await dashboard.drawn();
  await button(page, 'Actions').click();
  await item(page, 'Duplicate').click();
  const made = page.waitForResponse('**/share/fn/duplicate-dashboard');
  await page.getByRole('dialog', { name: 'Duplicate dashboard' }).getByLabel('Name').fill('Made by Ann');
  await page.keyboard.press('Enter');
  return (await made).json();
}

test('a colleague’s dashboard offers `Duplicate`, and the copy is the viewer’s own', async ({ open, page, service }) => {
  const dashboardId = await colleagueDashboard(open, page);
  const roleId = await makeRole(service, granting(GRANTS));
  const dashboard = await open(ACME, { user: newUser(), roleId, parameters: { dashboardId } });
  await dashboard.drawn();
  await expect(dashboard.title).toHaveText('Made by Ann');
  expect(await tools(page, dashboard)).toEqual(['Add: Dashboard', 'Actions: Duplicate', 'Actions: Set as default']);
  await expect(button(page, 'Move Revenue')).toHaveCount(0);
  await button(page, 'Actions').click();
  await item(page, 'Duplicate').click();
  await page.getByRole('dialog', { name: 'Duplicate dashboard' }).getByRole('button', { name: 'Duplicate' }).click();
  await expect(dashboard.title).toHaveText('Made by Ann (Copy)');
  await dashboard.drawn();
  await (await dashboard.menuItem('Exchange rates', 'Remove')).click();
  await expect(button(page, 'Save')).toBeVisible();
  // Neither without the flags.
  const plain = await makeRole(service, granting(['addChart', 'editCharts', 'removeChart'], { canSetDefaultDashboard: false }));
  const seen = await open(ACME, { user: newUser(), roleId: plain, parameters: { dashboardId } });
  await seen.drawn();
  expect(await tools(page, seen)).toEqual([]);
});

test('with `dashboardId`, a new dashboard opens in place and the host hears of it', async ({ page, host, service }) => {
  const token = await service.signIn(ACME, { role: 'Editor', user: newUser() });
  const parameters = { parentOrigin: host.origin, dashboardId: service.dashboard('Details') };
  await page.goto(host.page({ src: service.applicationPage(token, parameters) }));
  const frame = await embed(page);
  const dashboard = new Dashboard(frame);
  await dashboard.drawn();
  const loaded = async () => {
    const messages = await page.evaluate(() => window.messages.map(({ data }) => data));
    return messages.filter(({ type }) => type === 'embed:loaded').map(({ charts }) => charts);
  };
  await expect.poll(loaded).toEqual([2]);
  await button(frame, 'Actions').click();
  await item(frame, 'Duplicate').click();
  await frame.getByRole('dialog', { name: 'Duplicate dashboard' }).getByRole('button', { name: 'Duplicate' }).click();
  await expect(dashboard.title).toHaveText('Details (Copy)');
  await expect.poll(loaded).toEqual([2, 2]);
  await button(frame, 'Add').click();
  await item(frame, 'Dashboard').click();
  await frame.getByRole('dialog', { name: 'New dashboard' }).getByLabel('Name').fill('Fresh in its frame');
  await page.keyboard.press('Enter');
  await expect(dashboard.title).toHaveText('Fresh in its frame');
  await expect.poll(loaded).toEqual([2, 2, 0]);
  await expect(dashboard.navigation).toHaveCount(0);
  await expect(dashboard.tabs).toHaveCount(0);
});

test('an application without dashboards offers the first one to roles that may create it', async ({ page, service }) => {
  const applied = await service.apply({
    version: 1,
    project: { name: `Empty ${process.pid}` },
    applications: [{ name: 'Nothing yet', dashboards: [] }],
  });
  // Each user is of a customer of their own: colleagues see each other's dashboards.
  const visit = async (permissions) => {
    const roleId = await makeRole(service, permissions, applied);
    const token = await service.signIn(newUser(), { user: newUser(), roleId, project: applied });
    await page.goto(service.page(`/share/application/${applied.applications['Nothing yet'].id}`, { jwt: token }));
    await hydrated(page);
  };
  for (const permissions of [{}, granting(GRANTS.filter((flag) => flag !== 'addDashboard'))]) {
    await visit(permissions);
    await expect(page.getByText('No dashboards yet.', { exact: true })).toBeVisible();
    await expect(button(page, 'Add')).toHaveCount(0);
  }
  // The role's `hideHeader` hides a dashboard's header. There is no dashboard yet.
  for (const more of [{}, { hideHeader: true }]) {
    await visit(granting(['addDashboard'], more));
    expect(await items(page, button(page, 'Add'))).toEqual(['Dashboard']);
    await button(page, 'Add').click();
    await item(page, 'Dashboard').click();
    await page.getByRole('dialog', { name: 'New dashboard' }).getByLabel('Name').fill('The first');
    await page.keyboard.press('Enter');
    await expect(page.getByText('No charts yet')).toBeVisible();
    await expect(page.getByRole('link', { name: 'The first' })).toBeVisible();
  }
});

test('where the role hides the header, `Save` and `Discard` have a bar of their own', async ({ open, page, service }) => {
  const roleId = await makeRole(service, granting(GRANTS, { hideHeader: true }));
  const user = newUser();
  const dashboard = await open(ACME, { user, roleId });
  await dashboard.drawn();
  await expect(dashboard.title).toHaveCount(0);
  for (const name of ['Add', 'Actions', 'Save', 'Discard']) await expect(button(page, name)).toHaveCount(0);
  await (await dashboard.menuItem('Exchange rates', 'Remove')).click();
  await button(page, 'Discard').click();
  await expect(dashboard.chart('Exchange rates')).toBeVisible();
  await expect(button(page, 'Save')).toHaveCount(0);
  await (await dashboard.menuItem('Exchange rates', 'Remove')).click();
  await button(page, 'Save').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible();
  await expect(button(page, 'Save')).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: 'Saved' }), 'it leaves the room to the dashboard').toBeHidden();
  const again = await open(ACME, { user, roleId });
  await again.drawn();
  await expect(again.chart('Exchange rates')).toHaveCount(0);
});

test('`Edit chart` and `Save as dashboard` of a conversation follow the role', async ({ page, service }) => {
  const ask = async (permissions) => {
    const roleId = await makeRole(service, permissions);
    const conversation = await Conversation.open(page, service, ACME, { user: newUser(), roleId });
    await conversation.ask('orders by region');
    const chart = conversation.log.getByRole('figure').first();
    await chart.getByRole('button', { name: 'Add to canvas' }).click();
    await expect(conversation.status.filter({ hasText: 'Added to canvas' })).toBeVisible();
    await conversation.button('Canvas').click();
    await expect(conversation.panel('Canvas').getByRole('figure')).toBeVisible();
    return {
      edits: chart.getByRole('button', { name: 'Edit chart' }),
      saves: conversation.panel('Canvas').getByRole('button', { name: 'Save as dashboard' }),
    };
  };
  const all = await ask(granting(GRANTS));
  await expect(all.edits).toBeVisible();
  await expect(all.saves).toBeVisible();
  const none = await ask(granting(['addChart'], { canEditChartFromSession: false }));
  await expect(none.edits).toHaveCount(0);
  await expect(none.saves).toHaveCount(0);
});
