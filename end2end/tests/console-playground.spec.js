// The playground of the console's Embed page, and its troubleshooting.
import { Dashboard } from '../support/dashboard.js';
import { ACME, orders } from '../support/data.js';
import { expect, meet, revenue, test } from '../support/embed-page.js';
import { hydrated } from '../support/fixtures.js';
import { Site } from '../support/site.js';

const embedPage = (service) => `${service.url}/console/projects/${service.project.projectId}/embed`;
const frame = (page) => page.frameLocator('[data-frame]');
const messages = (page) => page.getByRole('list', { name: 'Messages' });
const address = (page) => page.getByRole('group', { name: 'Address', exact: true });
const toldParameters = async (page) => Object.fromEntries(new URL(await address(page).textContent()).searchParams);
const parameter = (page, name) => page.locator(`[data-playground] [name="${name}"]`);
const button = (page, name) => page.getByRole('main').getByRole('button', { name, exact: true });

async function playground(page, service, path = '') {
  await service.operate(page);
  await page.goto(embedPage(service) + path);
  await hydrated(page);
}

/** Opens the form for a test user. It is open if there are no users. */
async function openTestUser(page) {
  const form = page.locator('[data-test-user]');
  if (!(await form.evaluate((details) => details.open))) await form.locator('summary').click();
}

test.describe('the playground', () => {
  // The browser's own lines about refused requests.
  test.use({ allowedErrors: [/status of 4\d\d/] });

  test('a test user with the properties that the rules read sees a dashboard before any host does', async ({ page, service }) => {
    await playground(page, service);
    await openTestUser(page);
    await page.getByLabel('User', { exact: true }).first().fill('');
    await button(page, 'Create test user').click();
    await expect(page.getByLabel('User', { exact: true }).first()).toBeFocused();
    await page.getByLabel('User', { exact: true }).first().fill('Tess');
    await page.getByLabel('organization.company').fill(ACME);
    await page.getByLabel('organization.zone-min').fill('3');
    await page.getByLabel("user.o'clock").fill('0');
    await parameter(page, 'hideHeader').check();
    await button(page, 'Create test user').click();
    await expect(page.getByText('Tess · Test customer selected.')).toBeVisible();
    await expect(parameter(page, 'hideHeader'), 'what was set stays').toBeChecked();
    await button(page, 'Sign in and frame').click();
    const dashboard = new Dashboard(frame(page));
    await dashboard.drawn();
    expect(await dashboard.rows('Revenue')).toEqual([[revenue()]]);
    await expect(dashboard.title).toHaveCount(0);
    await expect(messages(page)).toContainText('← from the embed {"type":"embed:ready"');
    await expect(messages(page)).toContainText('→ to the embed {"type":"embed:set-token","v":1,"token":"…"}');
    await expect(messages(page).locator('time').first()).toHaveText(/^\d\d:\d\d:\d\d\.\d{3}$/);
    await button(page, 'Clear').click();
    await expect(messages(page).getByRole('listitem')).toHaveCount(0);
  });

  test('every parameter stands in the address, and filters are sent', async ({ page, service }) => {
    await meet(service);
    await playground(page, service);
    await button(page, 'Send embed:set-params').click();
    await expect(page.getByText('Frame the embed first', { exact: false })).toBeVisible();
    await page.getByLabel('Page to embed').selectOption('one');
    await parameter(page, 'dashboardId').selectOption({ label: 'Overview' });
    for (const flag of ['hideHeader', 'hideDownloadButton', 'transparent', 'autoHeight']) await parameter(page, flag).check();
    await parameter(page, 'timezone').fill('Europe/Berlin');
    await parameter(page, 'locale').fill('de');
    await parameter(page, 'dbAuthToken').fill('s');
    await page.getByLabel('Region (filter_region)').fill('north');
    await page.getByRole('group', { name: 'Period (filter_period)' }).getByLabel('from').fill('2024-02-01');
    await page.getByLabel('By column: f_').fill('warehouse.orders.category');
    await page.getByLabel('Value', { exact: true }).fill('["Books"]');
    const set = await toldParameters(page);
    expect(set).toEqual({
      dashboardId: service.dashboard('Overview'),
      hideHeader: 'true',
      hideDownloadButton: 'true',
      transparent: 'true',
      autoHeight: 'true',
      timezone: 'Europe/Berlin',
      locale: 'de',
      dbAuthToken: 's',
      filter_region: '"north"',
      filter_period: '{"from":"2024-02-01"}',
      'f_warehouse.orders.category': '["Books"]',
      tokenHandoff: 'true',
      parentOrigin: service.url,
    });
    await page.getByLabel('Search users').fill('ann');
    await expect(page.locator('#play-user option')).toHaveCount(1);
    await button(page, 'Sign in and frame').click();
    const dashboard = new Dashboard(frame(page));
    await dashboard.drawn();
    const seen = orders(ACME, { region: 'north', from: '2024-02-01' }).filter(
      ({ quantity, category }) => quantity >= 3 && category === 'Books',
    );
    expect(await dashboard.rows('Revenue')).toEqual([[seen.reduce((total, { amount }) => total + amount, 0)]]);
    await page.getByLabel('Value', { exact: true }).fill('Music');
    await button(page, 'Send embed:set-params').click();
    await expect(messages(page)).toContainText('"source":"host"');
    await page.getByLabel('Token delivery').selectOption('address');
    expect(await toldParameters(page)).toMatchObject({ jwt: 'TOKEN' });
    expect(await toldParameters(page)).not.toHaveProperty('tokenHandoff');
    await button(page, 'Clear').click();
    await button(page, 'Sign in and frame').click();
    await expect(messages(page)).toContainText('"awaitingToken":false');
    await dashboard.drawn();
  });

  test('every page of dashboards that there is can be framed, by the address that it has', async ({ page, service }) => {
    test.slow();
    await meet(service);
    await playground(page, service);
    await page.getByLabel('Search users').fill('ann');
    await expect(page.locator('#play-user option')).toHaveCount(1);
    const details = service.dashboard('Details');
    const kind = (value) => page.getByLabel('Page to embed').selectOption(value);
    const told = async () => new URL(await address(page).textContent());
    const framed = async () => {
      await button(page, 'Sign in and frame').click();
      const shown = new Dashboard(frame(page));
      await shown.drawn();
      return shown;
    };

    // An application with navigation has no dashboard in its URL.
    expect((await told()).pathname).toBe(`/share/application/${service.application()}`);
    expect((await told()).searchParams.has('dashboardId')).toBe(false);
    await expect(page.getByLabel('dashboardId')).toBeHidden();
    const whole = await framed();
    await expect(whole.title).toHaveText('Overview');
    await expect(whole.navigation).toBeVisible();

    // A single dashboard, without navigation and tabs.
    await kind('one');
    await parameter(page, 'dashboardId').selectOption({ label: 'Details' });
    await expect(page.getByText('This dashboard has no filters of its own.').filter({ visible: true })).toBeVisible();
    expect([(await told()).pathname, (await told()).searchParams.get('dashboardId')]).toEqual([
      `/share/application/${service.application()}`,
      details,
    ]);
    const one = await framed();
    await expect(one.title).toHaveText('Details');
    await expect(one.navigation).toHaveCount(0);

    // A dashboard's id opens it in its application, with the token by message and in the URL.
    await kind('dashboard');
    await page.getByLabel('/share/dashboard/').fill(details);
    await parameter(page, 'hideDownloadButton').check();
    await parameter(page, 'locale').fill('de');
    expect((await told()).pathname).toBe(`/share/dashboard/${details}`);
    expect(Object.fromEntries((await told()).searchParams)).toEqual({
      hideDownloadButton: 'true',
      locale: 'de',
      tokenHandoff: 'true',
      parentOrigin: service.url,
    });
    const alone = await framed();
    await expect(alone.title).toHaveText('Details');
    await expect(alone.navigation).toBeVisible();
    await expect(messages(page)).toContainText('"awaitingToken":true');
    await page.getByLabel('Token delivery').selectOption('address');
    expect((await told()).searchParams.get('jwt')).toBe('TOKEN');
    await button(page, 'Clear').click();
    await framed();
    await expect(messages(page)).toContainText('"awaitingToken":false');
    await button(page, 'Check the charts').click();
    await expect(page.getByText(/^Queried as this user: 12 charts on 3 dashboards\./)).toBeVisible();

    // The page resolves the id, not the console.
    await page.getByLabel('/share/dashboard/').fill('01890000-0000-7000-8000-000000000001');
    await button(page, 'Sign in and frame').click();
    await expect(frame(page).getByText('Dashboard not found.')).toBeVisible();
  });

  test('a chat takes its words, questions, look and panel, though the project names its origins', async ({ page, service }) => {
    await meet(service);
    const chat = `/share/workspace/${service.project.projectId}/${service.project.workspaces['Ask the shop']}`;
    await playground(page, service, `?embed=${encodeURIComponent(chat)}`);
    await parameter(page, 'theme').selectOption('dark');
    await parameter(page, 'nav').selectOption('canvas');
    await page.getByLabel('inputPlaceholder', { exact: true }).fill('Ask away');
    await page.getByLabel('exampleQuestions, 1').fill('How many pieces?');
    expect(await toldParameters(page)).toMatchObject({
      theme: 'dark',
      nav: 'canvas',
      placeholderOverrides: '{"inputPlaceholder":"Ask away"}',
      exampleQuestions: '["How many pieces?"]',
    });
    await page.getByLabel('Search customers').fill(ACME);
    await expect(page.locator('#play-customer option:checked')).toHaveText(ACME);
    await button(page, 'Sign in and frame').click();
    await expect(frame(page).getByRole('textbox', { name: 'Ask away' }).or(frame(page).getByPlaceholder('Ask away'))).toBeVisible();
    await expect(frame(page).getByRole('button', { name: 'How many pieces?' })).toBeVisible();
  });

  test('the operator reads why charts fail, the viewer does not', async ({ page, service }) => {
    await playground(page, service);
    await openTestUser(page);
    await page.getByLabel('User', { exact: true }).first().fill('Without');
    await page.getByLabel('organization.company').fill(ACME);
    await button(page, 'Create test user').click();
    await expect(page.getByText('Without · Test customer selected.')).toBeVisible();
    await button(page, 'Sign in and frame').click();
    const reasons = page.getByRole('region', { name: 'Charts that fail' });
    await expect(reasons).toContainText('ROW_RULE_UNRESOLVED');
    await expect(reasons).toContainText('organization.zone-min');
    await expect(frame(page).getByText('zone-min')).toHaveCount(0);
  });

  test.describe('in the dark', () => {
    test.use({ colorScheme: 'dark' });

    test('the empty frame is no white slab', async ({ page, service }) => {
      await playground(page, service);
      const [place, inner] = [page.locator('[data-playground] .frame'), page.locator('[data-frame]')];
      await expect(inner).toBeHidden();
      const brightness = await place.evaluate((one) =>
        Math.max(
          ...getComputedStyle(one)
            .backgroundColor.match(/[\d.]+/g)
            .slice(0, 3)
            .map(Number),
        ),
      );
      expect(brightness).toBeLessThan(64);
    });
  });
});

test.describe('why an embed fails', () => {
  test.use({ allowedErrors: [/frame-ancestors|status of 40\d/] });

  test('an origin is judged as the browser judges it', async ({ page, service, host }) => {
    await playground(page, service);
    const verdict = page.locator('#origin-verdict');
    const stranger = await Site.start();
    for (const [origin, told] of [
      [host.origin, 'may frame the embeds'],
      [stranger.origin, 'the port must match'],
      ['file:///x', 'is not an origin'],
    ]) {
      await page.getByLabel('Origin of your page').fill(origin);
      await button(page, 'Try origin').click();
      await expect(verdict).toContainText(told);
    }
    for (const site of [host, stranger]) {
      site.page = `<iframe src="${service.url}/share/application/${service.application()}"></iframe>`;
      site.policy = 'X-Policy: none';
    }
    await page.goto(host.origin);
    await expect(page.frameLocator('iframe').getByText('Invalid or missing token.')).toBeVisible();
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    await page.goto(stranger.origin);
    await refused;
    await stranger.stop();
  });

  test('what pages say is what the console says that they do', async ({ page, service, request }) => {
    const token = await service.signIn(ACME);
    const nobody = '01890000-0000-7000-8000-000000000001';
    const draft = service.project.workspaces.Draft;
    const said = {
      'Invalid or missing token.': `/share/application/${service.application()}`,
      'Dashboard not found.': `/share/application/${service.application()}?dashboardId=${nobody}&jwt=${token}`,
      'Workspace not found.': `/share/workspace/${nobody}/${draft}?jwt=${token}`,
      'This workspace has not been published': `/share/workspace/${service.project.projectId}/${draft}?jwt=${token}`,
    };
    await playground(page, service);
    const table = page.getByRole('region', { name: 'What embeds show when they fail' });
    for (const [sentence, path] of Object.entries(said)) {
      expect(await (await request.get(service.url + path)).text(), path).toContain(sentence);
      await expect(table).toContainText(sentence);
    }
    await expect(table.getByRole('link', { name: 'Draft' })).toBeVisible();
    expect((await request.get(`${service.url}/docs/troubleshooting`)).status()).toBe(200);
  });
});
