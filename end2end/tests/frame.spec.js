// The hand-over of tokens, the same on every kind of page: first token, renewal, refusal, expiry.

import { Bridge } from '../support/bridge.js';
import { Conversation } from '../support/conversation.js';
import { Dashboard } from '../support/dashboard.js';
import { ACME, GLOBEX } from '../support/data.js';
import { expect, test } from '../support/fixtures.js';
import { onEachPage } from '../support/frames.js';

const BAD = ['x.y.z', 'a.b.c', 'no token', 'x.y.zz'];
/** The message to the host about an invalid token, and about one of another project. */
const REFUSED = 'TOKEN_REFUSED The token is not valid. Get a new one from embed-token.';
const ELSEWHERE = /^TOKEN_REFUSED The token is for another project than this page/;
const claims = (token) => JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
const lifetime = (token) => (claims(token).exp - claims(token).iat) * 1000;

/** A token of the same user in another project of the organization. */
async function elsewhere(framed) {
  const project = await framed.service.apply({ version: 1, project: { name: 'Elsewhere' } });
  return framed.sign({ project });
}

onEachPage((one) => {
  one('a page says once that it waits, and opens with its token', async (framed) => {
    const bridge = await framed.open({ tokenHandoff: 'true' });
    await expect.poll(() => bridge.heard('embed:ready')).toEqual([{ type: 'embed:ready', v: 1, awaitingToken: true }]);
    await bridge.setToken(await framed.sign());
    await framed.stands();
    await bridge.settled();
    expect(await bridge.heard('embed:ready')).toHaveLength(1);
    expect(await framed.errors()).toEqual([]);
  });

  one('a page with its token in the address does not wait, and takes the next one by message', async (framed) => {
    const bridge = await framed.open({ jwt: await framed.sign() });
    await framed.stands();
    await expect.poll(() => bridge.heard('embed:ready')).toEqual([{ type: 'embed:ready', v: 1, awaitingToken: false }]);
    expect(await bridge.frame.evaluate(() => location.href)).not.toContain('jwt');
    const judged = framed.page.waitForResponse((response) => response.url().endsWith('/check-token'));
    await bridge.setToken(await framed.sign());
    expect((await judged).status()).toBe(200);
  });

  one('without the host’s origin there is no hand-over, and nothing is posted', async (framed) => {
    for (const parentOrigin of [undefined, '', 'null', '*', `${framed.host.origin}/path`, 'javascript:alert(1)']) {
      const bridge = await framed.open({ tokenHandoff: 'true', parentOrigin });
      await expect(framed.alert).toHaveText('Invalid or missing token.');
      await bridge.setToken(await framed.sign());
      await bridge.settled();
      await expect(framed.alert).toHaveText('Invalid or missing token.');
      expect(await framed.page.evaluate(() => window.messages)).toEqual([]);
    }
  });

  one('a token after 14.9 seconds is in time, however long the server takes', async (framed) => {
    const { page } = framed;
    const bridge = await framed.waiting();
    let answer = () => {};
    const held = new Promise((done) => {
      answer = () => done(undefined);
    });
    await page.route(framed.own.opens, async (route) => {
      await held;
      await route.continue();
    });
    await bridge.until(14_900);
    const asked = page.waitForRequest(framed.own.opens);
    await bridge.setToken(await framed.sign());
    await asked;
    await page.clock.fastForward(5_000);
    await expect(framed.alert).toHaveCount(0);
    answer();
    await framed.stands();
  });

  one('after 15 seconds without a token the page says so, and recovers', async (framed) => {
    const bridge = await framed.waiting();
    await bridge.until(14_900);
    await expect(framed.alert).toHaveCount(0);
    await framed.page.clock.fastForward(200);
    await expect(framed.alert).toHaveText('No token received from the embedding page');
    await bridge.setToken(await framed.sign());
    await framed.stands();
  });

  one('each refused token is told, and the old one stays', async (framed) => {
    const bridge = await framed.open({ jwt: await framed.sign() });
    await bridge.send(...BAD.map((token) => ({ type: 'embed:set-token', v: 1, token })));
    await expect.poll(() => framed.errors()).toEqual(BAD.map(() => REFUSED));
    await framed.stands();
  });

  one('a first token that is refused leaves its message, and a good one opens the page', async (framed) => {
    const bridge = await framed.open({ tokenHandoff: 'true' });
    await bridge.setToken(BAD[0]);
    await expect(framed.alert).toHaveText('Invalid or missing token.');
    await expect.poll(() => framed.errors()).toEqual([REFUSED]);
    await bridge.setToken(await framed.sign());
    await framed.stands();
  });

  one('a token of another project is refused: as the first one, on an open page, on an expired page', async (framed) => {
    const foreign = await elsewhere(framed);
    const told = async () => (await framed.errors()).map((text) => ELSEWHERE.test(text));
    await framed.page.clock.install();
    const bridge = await framed.open({ tokenHandoff: 'true' });
    await bridge.setToken(foreign);
    await expect(framed.alert).toHaveText(framed.own.missing);
    await expect.poll(told).toEqual([true]);
    const good = await framed.sign();
    await bridge.setToken(good);
    await framed.stands();
    await bridge.setToken(foreign);
    await expect.poll(told).toEqual([true, true]);
    await framed.stands();
    await framed.page.clock.fastForward(lifetime(good) + 1000);
    await expect(framed.alert).toHaveText('Session expired');
    await bridge.setToken(foreign);
    await expect.poll(told).toEqual([true, true, true]);
    await expect(framed.alert).toHaveText('Session expired');
    await bridge.setToken(await framed.sign());
    await framed.stands();
  });

  one('a server out of reach refuses no token', async (framed) => {
    const { page } = framed;
    await page.clock.install();
    const bridge = await framed.open({ jwt: await framed.sign() });
    await framed.stands();
    const failed = page.waitForEvent('requestfailed');
    await page.route('**/check-token', (route) => route.abort());
    await bridge.setToken(await framed.sign());
    await failed;
    await bridge.settled();
    expect(await framed.errors()).toEqual([]);
    const taken = page.waitForResponse((response) => response.url().endsWith('/check-token') && response.ok());
    await page.unroute('**/check-token');
    await page.clock.fastForward(61_000);
    await taken;
    await framed.stands();
  });

  one('a first token whose server is out of reach is asked for again, without a message', async (framed) => {
    const { page } = framed;
    const bridge = await framed.waiting();
    const failed = page.waitForEvent('requestfailed');
    await page.route(framed.own.opens, (route) => route.abort());
    await bridge.setToken(await framed.sign());
    await failed;
    await page.unroute(framed.own.opens);
    await page.clock.runFor(100);
    await expect(framed.alert).toHaveCount(0);
    await page.clock.fastForward(16_000);
    await framed.stands();
    expect(await framed.errors()).toEqual([]);
  });

  one('after 80 % of the lifetime the host is told, and the next token moves nothing', async (framed) => {
    const { page } = framed;
    await page.clock.install();
    const token = await framed.sign();
    const bridge = await framed.open({ jwt: token });
    await framed.own.change(bridge);
    await page.clock.fastForward(lifetime(token) * 0.79);
    await bridge.settled();
    expect(await framed.states()).toEqual([]);
    await page.clock.fastForward(lifetime(token) * 0.02);
    await expect.poll(() => framed.states()).toEqual(['expiring']);
    const taken = page.waitForResponse((response) => response.url().endsWith('/check-token') && response.ok());
    await bridge.setToken(await framed.sign());
    await (await taken).finished();
    await bridge.settled();
    await page.clock.fastForward(lifetime(token) * 0.5);
    await expect(framed.own.changed(bridge)).toBeVisible();
    await expect(framed.alert).toHaveCount(0);
    await page.clock.fastForward(lifetime(token) * 0.6);
    await expect(framed.alert).toHaveText('Session expired');
    await expect.poll(() => framed.states()).toEqual(['expiring', 'expiring', 'expired']);
  });

  one('an expired page goes on for its user, and starts afresh for another', async (framed) => {
    await framed.page.clock.install();
    const token = await framed.sign();
    const bridge = await framed.open({ jwt: token });
    await framed.own.change(bridge);
    await expect(framed.own.changed(bridge)).toBeVisible();
    await framed.page.clock.fastForward(lifetime(token) * 8);
    await expect(framed.alert).toHaveText('Session expired');
    await expect.poll(() => framed.states()).toEqual(['expiring', 'expired']);
    const renewed = await framed.sign();
    await bridge.setToken(renewed);
    await framed.stands();
    await expect(framed.own.changed(bridge)).toBeVisible();
    await framed.page.clock.fastForward(lifetime(renewed) * 8);
    await expect(framed.alert).toHaveText('Session expired');
    await bridge.setToken(await framed.service.signIn(GLOBEX, { user: 'frame-other' }));
    await framed.stands();
    await bridge.settled();
    await expect(framed.own.changed(bridge)).not.toBeVisible();
  });

  one('another user’s token starts the open page afresh', async (framed) => {
    const bridge = await framed.open({ jwt: await framed.sign() });
    await framed.own.change(bridge);
    await expect(framed.own.changed(bridge)).toBeVisible();
    await bridge.setToken(await framed.service.signIn(GLOBEX, { user: 'frame-other' }));
    await expect(framed.own.changed(bridge)).not.toBeVisible();
    await framed.stands();
    expect(await framed.errors()).toEqual([]);
  });

  one('a server that knows first that the token has expired: the host hears of it once', async (framed) => {
    const { page } = framed;
    const bridge = await framed.open({ jwt: await framed.sign() });
    await framed.stands();
    const body = '{"code":"TOKEN_EXPIRED","message":"Session expired"}';
    const headers = { 'access-control-allow-origin': '*' };
    await page.route('**/share/fn/**', (route) => route.fulfill({ status: 401, contentType: 'application/json', body, headers }));
    await framed.own.call(bridge);
    await expect(framed.alert).toHaveText('Session expired');
    await expect.poll(() => framed.states()).toEqual(['expired']);
    await page.unroute('**/share/fn/**');
    await bridge.setToken(BAD[0]);
    await expect.poll(() => framed.errors()).toEqual([REFUSED]);
    await expect(framed.alert).toHaveText('Session expired');
    await bridge.setToken(await framed.sign());
    await framed.stands();
    expect(await framed.states()).toEqual(['expired']);
  });
});

test.describe('permissions', () => {
  // A refused token is asked about first.
  test.use({ allowedErrors: [/status of 401/] });

  /** The id of a new role. */
  async function role(service, permissions) {
    const response = await fetch(`${service.url}/v1/api/projects/${service.project.projectId}/user-roles`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Renewed ${crypto.randomUUID()}`, permissions }),
    });
    return (await response.json()).data.userRole.id;
  }

  test('a renewed token with another role changes the tools in place', async ({ page, host, service }) => {
    const as = (name) => service.signIn(ACME, { user: `renewed-${process.pid}`, role: name });
    const bridge = await Bridge.open(page, host, service, { jwt: await as('Without header'), utm_source: 'x', autoHeight: 'yes' });
    const { dashboard } = bridge;
    await dashboard.drawn();
    await dashboard.navigation.getByText('Details', { exact: true }).click();
    await expect(dashboard.surface.getByRole('tab', { name: 'Details', exact: true })).toHaveAttribute('aria-selected', 'true');
    await expect(dashboard.title).toHaveCount(0);
    await bridge.setToken(await as('Without filters'));
    await expect(dashboard.title).toHaveText('Details');
    await expect(dashboard.filters).toHaveCount(0);
    await dashboard.drawn();
    await expect.poll(() => bridge.heard('embed:loaded')).toHaveLength(2);
    await bridge.setToken(await as('Editor'));
    await expect(dashboard.surface.getByRole('button', { name: 'Add', exact: true })).toBeVisible();
    await expect(dashboard.title).toHaveText('Details');
    await dashboard.drawn();
    await bridge.settled();
    const types = (await page.evaluate(() => window.messages.map(({ data }) => data.type))).filter((type) => type !== 'embed:params');
    expect(types.toSorted(), 'nothing was opened again').toEqual(['embed:error', 'embed:loaded', 'embed:loaded', 'embed:ready']);
    await bridge.setToken(await as(undefined));
    await expect(dashboard.surface.getByRole('button', { name: 'Add', exact: true })).toHaveCount(0);
    await expect(dashboard.title).toHaveText('Details');
  });

  test('the tools come with the viewer’s filters, and messages on their way are not lost', async ({ page, host, service }) => {
    const as = (name) => service.signIn(ACME, { user: `promoted-${process.pid}`, role: name });
    const bridge = await Bridge.open(page, host, service, { jwt: await as(undefined), filter_region: '"south"' });
    await bridge.dashboard.drawn();
    await bridge.dashboard.choose('Region', 'north');
    // The second one arrives while the tools are on their way, where they are a wasm of their own.
    const judged = page.waitForResponse((response) => response.url().endsWith('/check-token'));
    await bridge.setToken(await as('Editor'));
    await judged;
    await bridge.send({ type: 'embed:set-token', v: 1, token: 'a.b.c' });
    await expect(bridge.dashboard.surface.getByRole('button', { name: 'Add', exact: true })).toBeVisible();
    await expect.poll(async () => (await bridge.heard('embed:error')).map(({ code }) => code)).toEqual(['TOKEN_REFUSED']);
    await bridge.dashboard.drawn();
    await bridge.shows(['north', 'south']);
    // Another user's page has the filters of the address, not the viewer's.
    const opened = page.waitForResponse((response) => response.url().endsWith('/open-page'));
    await bridge.setToken(await service.signIn(ACME, { user: `other-${process.pid}`, role: 'Editor' }));
    await opened;
    await bridge.dashboard.drawn();
    await bridge.shows(['south']);
  });

  test('on a workspace, too', async ({ page, host, service }) => {
    const user = `renewed-chat-${process.pid}`;
    const as = (roleId) => service.signIn(ACME, { user, roleId });
    const editing = await role(service, { addDashboard: true, addChart: true, canEditChartFromSession: false });
    const { projectId, workspaces } = service.project;
    const path = `/share/workspace/${projectId}/${workspaces['Ask the shop']}`;
    await page.goto(host.page({ src: service.page(path, { parentOrigin: host.origin, jwt: await as(undefined) }) }));
    const bridge = await Bridge.of(page);
    const conversation = new Conversation(bridge.frame);
    await conversation.ask('orders by region');
    await conversation.button('Add to canvas').first().click();
    await conversation.button('Canvas').click();
    await expect(conversation.panel('Canvas').getByRole('figure')).toHaveCount(1);
    await expect(conversation.button('Edit chart')).toHaveCount(1);
    await expect(conversation.button('Save as dashboard')).toHaveCount(0);
    await conversation.input.fill('half a thought');
    await bridge.setToken(await as(editing));
    await expect(conversation.button('Save as dashboard')).toBeVisible();
    await expect(conversation.button('Edit chart')).toHaveCount(0);
    await expect(conversation.input).toHaveValue('half a thought');
    await bridge.setToken(await as(null));
    await expect(conversation.button('Save as dashboard')).toHaveCount(0);
    await expect(conversation.button('Edit chart')).toHaveCount(1);
  });

  test('filters that come before the page does are applied to it', async ({ page, host, service }) => {
    for (const name of [undefined, 'Editor']) {
      const bridge = await Bridge.open(page, host, service, { tokenHandoff: 'true' });
      const token = await service.signIn(ACME, { user: `early-${name}-${process.pid}`, role: name });
      const search = '?filter_region=%22north%22';
      await bridge.send({ type: 'embed:set-params', v: 1, search }, { type: 'embed:set-token', v: 1, token });
      await bridge.dashboard.drawn();
      await bridge.shows(['north']);
      await expect.poll(() => bridge.heard('embed:params')).toEqual([{ type: 'embed:params', v: 1, search, source: 'host' }]);
      await expect(new Dashboard(bridge.frame).title).toHaveText('Overview');
    }
  });
});
