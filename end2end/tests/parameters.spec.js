// URL parameters and roles that hide parts of the page. Parameters never grant anything, and only `true` turns one on.
import { Bridge } from '../support/bridge.js';
import { Conversation, workspacePage } from '../support/conversation.js';
import { Dashboard } from '../support/dashboard.js';
import { ACME, expected } from '../support/data.js';
import { embed, expect, hydrated, test } from '../support/fixtures.js';
import { project } from '../support/project.js';

const EDITING = ['Add', 'Actions', 'Save'];

test('`hideHeader` takes the title, and only `true` does', async ({ open }) => {
  const dashboard = await open(ACME, { parameters: { hideHeader: 'true' } });
  await expect(dashboard.charts.first()).toBeVisible();
  await expect(dashboard.title).toHaveCount(0);
  for (const hideHeader of ['false', '1', 'TRUE', '']) {
    await expect((await open(ACME, { parameters: { hideHeader } })).title).toHaveText('Overview');
  }
});

test('`hideDownloadButton` takes the download of each chart', async ({ open }) => {
  const hidden = await open(ACME, { parameters: { hideDownloadButton: 'true' } });
  await expect(await hidden.menuItem('Revenue by region', 'Show data')).toBeVisible();
  await expect(hidden.surface.getByRole('menuitem', { name: 'Download CSV' })).toHaveCount(0);
  const shown = await open(ACME);
  await expect(await shown.menuItem('Revenue by region', 'Download CSV')).toBeVisible();
});

test('`transparent` lets the host shine through', async ({ open, page }) => {
  const background = () =>
    page.evaluate(() => [document.documentElement, document.body].map((element) => getComputedStyle(element).backgroundColor));
  await open(ACME, { parameters: { transparent: 'true' } });
  expect(await background()).toEqual(['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)']);
  await open(ACME);
  expect(await background()).toContain('rgb(255, 255, 255)');
});

test('the role `hideHeader` takes the whole header', async ({ open }) => {
  const dashboard = await open(ACME, { user: 'hugo', role: 'Without header' });
  await dashboard.drawn();
  await expect(dashboard.title).toHaveCount(0);
  await expect(dashboard.surface.getByRole('button', { name: 'Download PDF' })).toHaveCount(0);
});

test('the role `hideFilters` takes the filter bar, and filters of the address still narrow', async ({ open }) => {
  const dashboard = await open(ACME, { user: 'fay', role: 'Without filters', parameters: { filter_region: '"north"' } });
  await dashboard.drawn();
  await expect(dashboard.filters).toHaveCount(0);
  expect((await dashboard.rows('Revenue by region')).map(([region]) => region)).toEqual(['north']);
});

test('a view-only user gets no editing tools', async ({ open }) => {
  const dashboard = await open(ACME);
  await dashboard.drawn();
  for (const name of EDITING) await expect(dashboard.surface.getByRole('button', { name, exact: true })).toHaveCount(0);
});

test('a colleague’s dashboard is shown without tools, and its filters work', async ({ page, host, service }) => {
  const editor = await service.signIn(ACME, { user: 'author', role: 'Editor' });
  const call = async (path, body) => {
    const response = await fetch(`${service.url}/v2/api/applications/${service.application()}/dashboards/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${editor}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()).data;
  };
  const { dashboardId } = await call(`${service.dashboard('Overview')}/clone`, { name: 'By a colleague', replace: false });
  const jwt = await service.signIn(ACME, { user: 'reader' });
  const bridge = await Bridge.open(page, host, service, { jwt, dashboardId, filter_region: '"south"' });
  const { dashboard } = bridge;
  await dashboard.drawn();
  await expect(dashboard.title).toHaveText('By a colleague');
  for (const name of [...EDITING, 'Discard']) {
    await expect(dashboard.surface.getByRole('button', { name, exact: true })).toHaveCount(0);
  }
  expect(await dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME, { region: 'south' }));
  await bridge.setParams('?filter_region=%22north%22');
  await expect.poll(() => dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME, { region: 'north' }));
  const search = '?filter_region=%22north%22';
  await expect.poll(() => bridge.heard('embed:params')).toEqual([{ type: 'embed:params', v: 1, search, source: 'host' }]);
  await dashboard.filters.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(async () => (await bridge.heard('embed:params')).at(-1)).toMatchObject({ search: '', source: 'user' });
});

test.describe('of a workspace', () => {
  const scheme = (page) => page.evaluate(() => getComputedStyle(document.body).colorScheme);

  test('`theme` decides over the application’s own, and nothing else does', async ({ page, host, service }) => {
    const night = project(host.origin);
    const workspace = 'Ask the shop';
    const applications = [{ name: 'Shop', workspace, theme: { background: '#0b1020' }, dashboards: [] }];
    const applied = await service.apply({ ...night, project: { ...night.project, name: 'Night' }, applications });
    const path = `/share/workspace/${applied.projectId}/${applied.workspaces[workspace]}`;
    const jwt = await service.signIn(ACME, { project: applied });
    for (const [theme, wanted] of [
      [undefined, 'dark'],
      ['light', 'light'],
      ['dark', 'dark'],
      ['LIGHT', 'dark'],
    ]) {
      await page.goto(service.page(path, { jwt, theme }));
      await hydrated(page);
      expect(await scheme(page), String(theme)).toBe(wanted);
    }
    await page.goto(workspacePage(service, await service.signIn(ACME), { theme: 'light' }));
    expect(await scheme(page)).toBe('light');
  });

  test('the assistant’s name and the words while it thinks are on screen', async ({ page, service }) => {
    const words = { assistantName: 'Ada', thinkingPlaceholder: 'Ada is looking it up' };
    const parameters = { placeholderOverrides: JSON.stringify(words) };
    let answer = () => {};
    const held = new Promise((done) => {
      answer = () => done(undefined);
    });
    await page.route('**/share/chat', async (route) => {
      await held;
      await route.continue();
    });
    const conversation = await Conversation.open(page, service, ACME, { user: 'named', parameters });
    await conversation.input.fill('How many orders?');
    await conversation.input.press('Enter');
    await expect(conversation.log.getByText('Ada is looking it up')).toBeVisible();
    answer();
    await conversation.answered();
    await expect(conversation.log.getByText('Ada', { exact: true })).toBeVisible();
    await expect(conversation.log.getByText('Ada is looking it up')).toHaveCount(0);
  });

  test('a prompt is as long as a question may be, and a longer one is told to the host', async ({ page, host, service }) => {
    const prompt = 'how many orders '.repeat(501).slice(0, 8_000).replace(/ $/, '?');
    expect(prompt).toHaveLength(8_000);
    const open = async (text) => {
      const jwt = await service.signIn(ACME, { user: `prompted-${text.length}` });
      await page.goto(host.page({ src: workspacePage(service, jwt, { parentOrigin: host.origin, prompt: text }) }));
      return new Bridge(page, await embed(page));
    };
    const asked = page.waitForRequest('**/share/chat');
    await open(prompt);
    expect(JSON.parse((await asked).postData() ?? '{}').message).toBe(prompt);
    const bridge = await open(`${prompt}!`);
    await expect
      .poll(async () => (await bridge.heard('embed:error')).map(({ code, message }) => `${code} ${message.split(' ')[0]}`))
      .toEqual(['INVALID_PARAMETER prompt']);
    await expect(new Conversation(bridge.frame).log.getByRole('article')).toHaveCount(0);
  });

  test('a prompt is sent once, though the page expires and comes back', async ({ page, host, service }) => {
    await page.clock.install();
    const sign = () => service.signIn(ACME, { user: `asks-once-${process.pid}` });
    const asked = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/share/chat')) asked.push(request.url());
    });
    const parameters = { parentOrigin: host.origin, prompt: 'How many orders?' };
    await page.goto(host.page({ src: workspacePage(service, await sign(), parameters) }));
    const bridge = new Bridge(page, await embed(page));
    const conversation = new Conversation(bridge.frame);
    await expect(conversation.log).toContainText('120');
    await page.clock.fastForward('02:00:00');
    await expect(bridge.frame.getByRole('alert')).toHaveText('Session expired');
    await bridge.setToken(await sign());
    await expect(conversation.log).toContainText('120');
    await page.clock.runFor(1_000);
    expect(asked).toHaveLength(1);
  });
});

test('a dashboard by its id alone takes the same parameters as its application', async ({ page, service }) => {
  const jwt = await service.signIn(ACME);
  const parameters = { jwt, hideHeader: 'true', transparent: 'true', filter_region: '"east"' };
  await page.goto(service.page(`/share/dashboard/${service.dashboard('Overview')}`, parameters));
  await hydrated(page);
  const dashboard = new Dashboard(page);
  await dashboard.drawn();
  await expect(dashboard.title).toHaveCount(0);
  expect(await dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME, { region: 'east' }));
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgba(0, 0, 0, 0)');
});
