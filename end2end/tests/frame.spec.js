// Dashboards and workspaces use the same frame: hand-over, renewal, expiry and messages are identical.
import { Bridge } from '../support/bridge.js';
import { ACME } from '../support/data.js';
import { embed, expect, test } from '../support/fixtures.js';

const BAD = ['x.y.z', 'a.b.c'];
/** The message to the host about an invalid token. */
const REFUSED = 'TOKEN_REFUSED The token is not valid. Get a new one from embed-token.';
const claims = (token) => JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
const lifetime = (token) => (claims(token).exp - claims(token).iat) * 1000;

const PAGES = {
  dashboards: {
    path: (service) => `/share/application/${service.application()}`,
    title: 'Overview',
    /** Makes the page call its server. */
    call: (bridge) => bridge.setParams('?filter_region=%22north%22'),
  },
  workspace: {
    path: ({ project }) => `/share/workspace/${project.projectId}/${project.workspaces['Ask the shop']}`,
    title: 'Ask the shop',
    call: (bridge) => bridge.frame.getByRole('button', { name: 'History', exact: true }).click(),
  },
};

for (const [kind, { path, title, call }] of Object.entries(PAGES)) {
  test.describe(kind, () => {
    // The browser's own lines about refused or lost requests.
    test.use({ allowedErrors: [/status of 401|ERR_FAILED|Failed to fetch/] });

    const sign = (service) => service.signIn(ACME, { user: `frame-${kind}` });

    /** Opens a host's page with the page. */
    async function open(page, host, service, parameters) {
      const src = service.page(path(service), { parentOrigin: host.origin, ...parameters });
      await page.goto(host.page({ src }));
      return new Bridge(page, await embed(page));
    }

    /** Opens a page that waits for its token, with a fake clock. */
    async function waiting(page, host, service) {
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 60_000);
      return open(page, host, service, { tokenHandoff: 'true' });
    }

    const alert = (bridge) => bridge.frame.getByRole('alert');
    const stands = (bridge) => expect(bridge.frame.getByRole('heading', { level: 1, name: title })).toBeVisible();
    const errors = async (bridge) => (await bridge.heard('embed:error')).map(({ code, message }) => `${code} ${message}`);
    const states = async (bridge) => (await bridge.heard('embed:session')).map(({ state }) => state);

    test('a page says once that it waits, and opens with its token', async ({ page, host, service }) => {
      const bridge = await open(page, host, service, { tokenHandoff: 'true' });
      await expect.poll(() => bridge.heard('embed:ready')).toEqual([{ type: 'embed:ready', v: 1, awaitingToken: true }]);
      await bridge.setToken(await sign(service));
      await stands(bridge);
      await bridge.settled();
      expect(await bridge.heard('embed:ready')).toHaveLength(1);
      expect(await errors(bridge)).toEqual([]);
    });

    test('a token after 14.9 seconds is in time, however long the server takes', async ({ page, host, service }) => {
      const bridge = await waiting(page, host, service);
      let answer = () => {};
      const held = new Promise((done) => {
        answer = () => done(undefined);
      });
      await page.route(/\/(open-page|workspace\/open)$/, async (route) => {
        await held;
        await route.continue();
      });
      await page.clock.fastForward(14_900);
      const asked = page.waitForRequest(/\/(open-page|workspace\/open)$/);
      await bridge.setToken(await sign(service));
      await asked;
      await page.clock.fastForward(5_000);
      await expect(alert(bridge)).toHaveCount(0);
      answer();
      await stands(bridge);
    });

    test('after 15 seconds without a token the page says so, and recovers', async ({ page, host, service }) => {
      const bridge = await waiting(page, host, service);
      await page.clock.fastForward(15_100);
      await expect(alert(bridge)).toHaveText('No token received from the embedding page');
      await bridge.setToken(await sign(service));
      await stands(bridge);
    });

    test('each refused token is told, and the old one stays', async ({ page, host, service }) => {
      const bridge = await open(page, host, service, { jwt: await sign(service) });
      for (const token of BAD) await bridge.setToken(token);
      await expect.poll(() => errors(bridge)).toEqual(BAD.map(() => REFUSED));
      await stands(bridge);
    });

    test('a server out of reach refuses no token', async ({ page, host, service }) => {
      await page.clock.install();
      const bridge = await open(page, host, service, { jwt: await sign(service) });
      await stands(bridge);
      const failed = page.waitForEvent('requestfailed');
      await page.route('**/check-token', (route) => route.abort());
      await bridge.setToken(await sign(service));
      await failed;
      await bridge.settled();
      expect(await errors(bridge)).toEqual([]);
      await page.unroute('**/check-token');
      const taken = page.waitForResponse((response) => response.url().endsWith('/check-token') && response.ok());
      await page.clock.fastForward(61_000);
      await taken;
      await stands(bridge);
    });

    test('a server that knows first that the token has expired: the host hears of it once', async ({ page, host, service }) => {
      const bridge = await open(page, host, service, { jwt: await sign(service) });
      await stands(bridge);
      const body = '{"code":"TOKEN_EXPIRED","message":"Session expired"}';
      const headers = { 'access-control-allow-origin': '*' };
      await page.route('**/share/fn/**', (route) => route.fulfill({ status: 401, contentType: 'application/json', body, headers }));
      await call(bridge);
      await expect(alert(bridge)).toHaveText('Session expired');
      await expect.poll(() => states(bridge)).toEqual(['expired']);
      await page.unroute('**/share/fn/**');
      await bridge.setToken(BAD[0]);
      await expect.poll(() => errors(bridge)).toEqual([REFUSED]);
      await expect(alert(bridge)).toHaveText('Session expired');
      await bridge.setToken(await sign(service));
      await stands(bridge);
      expect(await states(bridge)).toEqual(['expired']);
    });

    test('a machine that slept past the end of its token says so once', async ({ page, host, service }) => {
      await page.clock.install();
      const token = await sign(service);
      const bridge = await open(page, host, service, { jwt: token });
      await stands(bridge);
      await page.clock.fastForward(lifetime(token) * 8);
      await expect(alert(bridge)).toHaveText('Session expired');
      await expect.poll(() => states(bridge)).toEqual(['expiring', 'expired']);
      await bridge.setToken(await sign(service));
      await stands(bridge);
    });

    test('parameters that cannot be used are named, names that nobody knows are not', async ({ page, host, service }) => {
      const parameters = { timezone: 'Mars/Olympus', locale: '!', filter_nothing: '1', utm_source: 'mail', autoHeight: 'yes' };
      const bridge = await open(page, host, service, { jwt: await sign(service), ...parameters });
      const named = async () => (await errors(bridge)).map((text) => text.split(' ')[1]).toSorted();
      await expect.poll(named).toEqual(['autoHeight', 'filter_nothing', 'locale', 'timezone']);
    });

    test('filters that change nothing are answered by nothing, unknown ones by an error', async ({ page, host, service }) => {
      const bridge = await open(page, host, service, { jwt: await sign(service) });
      await stands(bridge);
      await bridge.setParams('');
      await bridge.setParams('?filter_nothing=1');
      await expect.poll(async () => (await errors(bridge)).map((text) => text.split(' ')[1])).toEqual(['filter_nothing']);
      await bridge.settled();
      expect(await bridge.heard('embed:params')).toEqual([]);
    });
  });
}

test('a renewed token with another role changes the tools in place', async ({ page, host, service }) => {
  const as = (role) => service.signIn(ACME, { user: `renewed-${process.pid}`, role });
  const bridge = await Bridge.open(page, host, service, { jwt: await as('Without header') });
  const { dashboard } = bridge;
  await dashboard.drawn();
  await dashboard.navigation.getByText('Details', { exact: true }).click();
  await expect(dashboard.surface.getByRole('tab', { name: 'Details' })).toHaveAttribute('aria-selected', 'true');
  await expect(dashboard.title).toHaveCount(0);
  await bridge.setToken(await as('Without filters'));
  await expect(dashboard.title).toHaveText('Details');
  await expect(dashboard.filters).toHaveCount(0);
  await bridge.setToken(await as('Editor'));
  await expect(dashboard.surface.getByRole('button', { name: 'Add', exact: true })).toBeVisible();
  await expect(dashboard.title).toHaveText('Details');
});
