// Edge cases of the messages with a host on another site: which are handled, floods, clocks, sleep, a lost network.
import { Bridge, noteInteractive } from '../support/bridge.js';
import { Dashboard } from '../support/dashboard.js';
import { ACME, expected, GLOBEX } from '../support/data.js';
import { embed, expect, hydrated, test } from '../support/fixtures.js';

const ALL = ['east', 'north', "o'west", 'south'];
const north = { type: 'embed:set-params', v: 1, search: '?filter_region=%22north%22' };
const claims = (token) => JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
const lifetime = (token) => (claims(token).exp - claims(token).iat) * 1000;

/** Waits until the frame has handled all messages so far. */
const settled = (page) =>
  page.evaluate(
    () =>
      new Promise((done) => {
        setTimeout(done, 300);
      }),
  );

test.describe('somebody else', () => {
  // The browser's own line about a message to another origin than the page's.
  test.use({ allowedErrors: [/does not match the recipient/] });

  test('a host that the address does not name is neither heard nor told anything', async ({ page, host, service }) => {
    const jwt = await service.signIn(ACME);
    const bridge = await Bridge.open(page, host, service, { jwt, parentOrigin: 'https://elsewhere.example', autoHeight: 'true' });
    await bridge.dashboard.drawn();
    await bridge.send(north, { type: 'embed:set-token', v: 1, token: await service.signIn(GLOBEX) });
    await settled(page);
    expect(await bridge.dashboard.rows('Revenue by region')).toEqual(expected('Revenue by region', ACME));
    expect(await page.evaluate(() => window.messages)).toEqual([]);
  });
});

test('a window beside the frame is not heard, though it is of the right origin', async ({ page, host, service }) => {
  const bridge = await Bridge.open(page, host, service, { jwt: await service.signIn(ACME) });
  await bridge.dashboard.drawn();
  await page.evaluate(async (message) => {
    const beside = Object.assign(document.createElement('iframe'), { src: '/?frames=[]' });
    await new Promise((loaded) => {
      beside.onload = loaded;
      document.body.append(beside);
    });
    /** @type {any} */ (beside.contentWindow).eval(`parent.frames[0].postMessage(${JSON.stringify(message)}, '*')`);
  }, north);
  await settled(page);
  expect(await bridge.dashboard.rows('Revenue by region')).toEqual(expected('Revenue by region', ACME));
  expect(await bridge.heard('embed:params')).toEqual([]);
});

test('in nested frames the next one out is the host, and the outermost is nobody', async ({ page, host, service }) => {
  const src = service.applicationPage(await service.signIn(ACME), { parentOrigin: host.origin });
  await page.goto(host.page({ src: host.page({ src }) }));
  const middle = await (await page.locator('iframe').elementHandle()).contentFrame();
  const inner = await (await middle.locator('iframe').elementHandle()).contentFrame();
  await hydrated(inner);
  const dashboard = new Dashboard(inner);
  await dashboard.drawn();
  await page.evaluate((message) => frames[0].frames[0].postMessage(message, '*'), north);
  await settled(page);
  expect(await dashboard.rows('Revenue by region')).toEqual(expected('Revenue by region', ACME));
  await middle.evaluate((message) => frames[0].postMessage(message, '*'), north);
  await expect.poll(async () => (await dashboard.rows('Revenue by region')).map(([region]) => region)).toEqual(['north']);
  const types = (frame) => frame.evaluate(() => window.messages.map(({ data }) => data.type));
  expect(await types(middle)).toEqual(expect.arrayContaining(['embed:ready', 'embed:loaded', 'embed:params']));
  expect(await types(page)).toEqual([]);
});

test('what is no message changes nothing and is answered by nothing', async ({ page, host, service }) => {
  const bridge = await Bridge.open(page, host, service, { jwt: await service.signIn(ACME) });
  await bridge.dashboard.drawn();
  await expect.poll(() => bridge.heard('embed:loaded')).toHaveLength(1);
  const before = await page.evaluate(() => window.messages.length);
  const type = 'embed:set-params';
  await bridge.send(
    null,
    1,
    '',
    'embed:set-params',
    [],
    {},
    { type },
    { type, v: 2, search: north.search },
    { type, v: '1', search: north.search },
    { type, v: 1 },
    { type, v: 1, search: 5 },
    { type, v: 1, search: ['?filter_region=%22north%22'] },
    { type, v: 1, search: { length: 3 } },
    { type, v: 1, search: `?filter_region=%22${'x'.repeat(100_000)}%22` },
    { type: 'embed:set-token', v: 1 },
    { type: 'embed:set-token', v: 1, token: '' },
    { type: 'embed:set-token', v: 1, token: { token: 'x' } },
    { type: 'embed:set-token', v: 1, token: 'x'.repeat(1_000_000) },
    { type: 'embed:ready', v: 1 },
    { type: 'set-params', v: 1, search: '' },
    { type, v: 1, search: north.search, __proto__: { token: 'x' } }.token ?? {},
    { ...north, v: 1.5 },
    { ...north, type: 'EMBED:SET-PARAMS' },
  );
  await settled(page);
  expect(await page.evaluate(() => window.messages.length)).toBe(before);
  expect(await bridge.dashboard.rows('Revenue by region')).toEqual(expected('Revenue by region', ACME));
  await bridge.send(north);
  await bridge.shows(['north']);
});

test('filters of the host are confirmed once, and what is none of them is named', async ({ page, host, service }) => {
  const bridge = await Bridge.open(page, host, service, { jwt: await service.signIn(ACME) });
  await bridge.dashboard.drawn();
  const search =
    '?filter_region=%22south%22&filter_nothing=1&filter_period=soon&f_warehouse.orders.secret=1&f_nowhere.a.b=1&f_warehouse.orders.category=Books';
  await bridge.setParams(search);
  const kept = '?f_warehouse.orders.category=%22Books%22&filter_region=%22south%22';
  await expect.poll(() => bridge.heard('embed:params')).toEqual([{ type: 'embed:params', v: 1, search: kept, source: 'host' }]);
  const named = (await bridge.heard('embed:error')).map(({ code, message }) => `${code} ${message.split(' ')[0]}`);
  expect(named.toSorted()).toEqual(
    ['f_nowhere.a.b', 'f_warehouse.orders.secret', 'filter_nothing', 'filter_period'].map((name) => `INVALID_PARAMETER ${name}`),
  );
  await expect(bridge.dashboard.filters.getByText('category', { exact: true })).toBeVisible();
  await expect(bridge.dashboard.filters.getByText('secret')).toHaveCount(0);
  await bridge.shows(['south']);
  await bridge.setParams('');
  await bridge.shows(ALL);
  expect((await bridge.heard('embed:params')).at(-1)).toMatchObject({ search: '', source: 'host' });
});

test('parameters of the address that cannot be used are ignored and named, one by one', async ({ page, host, service }) => {
  const bridge = await Bridge.open(page, host, service, {
    jwt: await service.signIn(ACME),
    hideHeader: 'yes',
    timezone: 'Mars/Olympus',
    locale: '!',
    utm_source: 'mail',
    filter_region: '"north"',
    filter_unknown: '1',
    filter_period: 'soon',
    'f_warehouse.orders.secret': '1',
    'f_warehouse.orders.category': 'Books',
  });
  await bridge.dashboard.drawn();
  const named = async () => (await bridge.heard('embed:error')).map(({ message }) => message.split(' ')[0]).toSorted();
  const wrong = ['f_warehouse.orders.secret', 'filter_period', 'filter_unknown', 'hideHeader', 'locale', 'timezone'];
  await expect.poll(named).toEqual(wrong);
  await expect(bridge.dashboard.title).toHaveText('Overview');
  await bridge.shows(['north']);
  await expect(bridge.dashboard.filters.getByText('Books')).toBeVisible();
});

test('the frame’s own address holds its filters, and a frame that is loaded again shows them', async ({ page, host, service }) => {
  const bridge = await Bridge.open(page, host, service, { tokenHandoff: 'true', hideHeader: 'true' });
  const token = await service.signIn(ACME);
  await bridge.setToken(token);
  await bridge.dashboard.drawn();
  const steps = await page.evaluate(() => history.length);
  await bridge.dashboard.choose('Region', 'east');
  await expect.poll(() => bridge.frame.evaluate(() => new URLSearchParams(location.search).get('filter_region'))).toBe('"east"');
  expect(await bridge.frame.evaluate(() => new URLSearchParams(location.search).get('hideHeader'))).toBe('true');
  expect(await page.evaluate(() => history.length)).toBe(steps);
  await bridge.frame.evaluate(() => location.reload());
  await expect.poll(async () => (await bridge.heard('embed:ready')).length).toBe(2);
  const again = new Bridge(page, await embed(page));
  await again.setToken(token);
  await again.dashboard.drawn();
  await again.shows(['east']);
  await again.dashboard.filters.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => again.frame.evaluate(() => location.search)).not.toContain('filter_');
});

test.describe('floods', () => {
  test.use({ allowedErrors: [/status of 401/] });

  /** Begins to measure the longest time that a frame's main thread is busy: `longest()` tells it, in milliseconds. */
  async function watch(frame) {
    await frame.evaluate(() => {
      window.longest = 0;
      let last = performance.now();
      const tick = () => {
        const now = performance.now();
        window.longest = Math.max(window.longest, now - last);
        last = now;
        setTimeout(tick, 0);
      };
      tick();
    });
    return { longest: () => frame.evaluate(() => window.longest) };
  }

  /** Sends ten thousand messages of each kind, and the one that counts. */
  const flood = (page) =>
    page.evaluate((regions) => {
      const send = (message) => frames[0].postMessage({ v: 1, ...message }, '*');
      for (let i = 0; i < 10_000; i += 1) {
        send({ type: 'embed:set-params', search: `?filter_region=%22${regions[i % 3]}%22&filter_none${i % 5}=1` });
        send({ type: 'embed:set-token', token: 'a.b.c' });
        send({ type: 'embed:nothing', search: 'x'.repeat(1000) });
      }
      send({ type: 'embed:set-params', search: '?filter_region=%22south%22' });
    }, ALL);

  /** How long the flood keeps a page busy that only reads each message: the browser's own part, on this machine. */
  async function leastBusy(page, host, service) {
    const src = service.page('/reader');
    await page.route(src, (route) => route.fulfill({ contentType: 'text/html', body: '<p>Reads messages.</p>' }));
    await page.goto(host.page({ src }));
    const frame = await (await page.locator('iframe').elementHandle()).contentFrame();
    await frame.evaluate(() => {
      window.read = 0;
      addEventListener('message', ({ data }) => {
        window.read += data.v;
      });
    });
    const watched = await watch(frame);
    await flood(page);
    await expect.poll(() => frame.evaluate(() => window.read)).toBe(30_001);
    return watched.longest();
  }

  test('of ten thousand messages of each kind the last counts', async ({ page, host, service }) => {
    const bridge = await Bridge.open(page, host, service, { jwt: await service.signIn(ACME) });
    await bridge.dashboard.drawn();
    let requests = 0;
    page.on('request', (request) => {
      if (request.url().includes('/share/fn/')) requests += 1;
    });
    const begun = Date.now();
    await flood(page);
    await bridge.shows(['south']);
    const seconds = 2 + (Date.now() - begun) / 1000;
    const errors = await bridge.heard('embed:error');
    for (const { message } of errors) {
      expect(errors.filter((other) => other.message === message).length, message).toBeLessThanOrEqual(seconds);
    }
    // Ten rounds per second, each with a token and the charts that a filter affects.
    expect(requests).toBeLessThan(10 * 10 * seconds);
    expect((await bridge.heard('embed:params')).at(-1)).toMatchObject({ search: '?filter_region=%22south%22', source: 'host' });
  });

  // On a busy machine either side may wait for a processor, so three pairs are measured at most. A page that takes too long does so in each.
  test('while messages pour in the page goes on answering', async ({ page, host, service }) => {
    const jwt = await service.signIn(ACME);
    const pairs = [];
    const kept = () => pairs.some(({ alone, ours }) => ours < 3 * alone);
    while (pairs.length < 3 && !kept()) {
      const alone = await leastBusy(page, host, service);
      const bridge = await Bridge.open(page, host, service, { jwt });
      await bridge.dashboard.drawn();
      const watched = await watch(bridge.frame);
      await flood(page);
      await bridge.shows(['south']);
      pairs.push({ alone, ours: await watched.longest() });
    }
    expect(kept(), `milliseconds that the main thread is busy, at the longest: ${JSON.stringify(pairs)}`).toBe(true);
  });
});

test.describe('clocks', () => {
  test.beforeEach(async ({ page }) => {
    await page.clock.install();
  });

  /** Opens a page that waits for its token, with a fake clock that only the test moves. */
  async function waiting(page, host, service) {
    await noteInteractive(page);
    const bridge = await Bridge.open(page, host, service, { tokenHandoff: 'true' });
    await bridge.stopClock();
    return bridge;
  }

  test('a token after 14.9 seconds is in time', async ({ page, host, service }) => {
    const bridge = await waiting(page, host, service);
    await bridge.until(14_900);
    await expect(bridge.frame.getByRole('alert')).toHaveCount(0);
    await bridge.setToken(await service.signIn(ACME));
    await bridge.dashboard.drawn();
    await page.clock.fastForward(5_000);
    await expect(bridge.frame.getByRole('alert')).toHaveCount(0);
  });

  test('after 15.1 seconds without a token the page says so, and recovers', async ({ page, host, service }) => {
    const bridge = await waiting(page, host, service);
    await bridge.until(15_100);
    await expect(bridge.frame.getByRole('alert')).toHaveText('No token received from the embedding page');
    await bridge.setToken(await service.signIn(ACME));
    await bridge.dashboard.drawn();
  });

  for (const minutes of [-10, 10]) {
    test(`a viewer’s clock that is ${minutes} minutes off moves nothing`, async ({ page, host, service }) => {
      await page.clock.setSystemTime(Date.now() + minutes * 60_000);
      const token = await service.signIn(ACME);
      const bridge = await Bridge.open(page, host, service, { jwt: token });
      await bridge.dashboard.drawn();
      await page.clock.fastForward(lifetime(token) * 0.79);
      await settled(page);
      expect(await bridge.heard('embed:session')).toEqual([]);
      await page.clock.fastForward(lifetime(token) * 0.02);
      await expect.poll(() => bridge.heard('embed:session')).toMatchObject([{ state: 'expiring' }]);
      const judged = page.waitForResponse((response) => response.url().includes('/check-token'));
      await bridge.setToken(await service.signIn(ACME));
      await (await judged).finished();
      await settled(page);
      await page.clock.fastForward(lifetime(token) * 0.5);
      await expect(bridge.frame.getByRole('alert')).toHaveCount(0);
    });
  }

  test('a machine that slept past the end of its token says so once, and the next token revives the page', async ({
    page,
    host,
    service,
  }) => {
    const token = await service.signIn(ACME);
    const bridge = await Bridge.open(page, host, service, { jwt: token });
    await bridge.dashboard.drawn();
    await page.clock.fastForward(lifetime(token) * 8);
    await expect(bridge.frame.getByRole('alert')).toHaveText('Session expired');
    await expect.poll(async () => (await bridge.heard('embed:session')).map(({ state }) => state)).toEqual(['expiring', 'expired']);
    await bridge.setToken(await service.signIn(ACME));
    await bridge.dashboard.drawn();
    await bridge.shows(ALL);
  });
});

test.describe('the server', () => {
  test.use({ allowedErrors: [/status of 401|ERR_INTERNET_DISCONNECTED|Failed to fetch/] });

  test('knows before a clock that stood still that a token has ended: the host hears of it', async ({ page, host, service }) => {
    const bridge = await Bridge.open(page, host, service, { jwt: await service.signIn(ACME) });
    await bridge.dashboard.drawn();
    const expired = { status: 401, contentType: 'application/json', body: '{"code":"TOKEN_EXPIRED","message":"Session expired"}' };
    await page.route('**/share/fn/tile-data', (route) => route.fulfill({ ...expired, headers: { 'access-control-allow-origin': '*' } }));
    await bridge.send(north);
    await expect(bridge.frame.getByRole('alert')).toHaveText('Session expired');
    await expect.poll(async () => (await bridge.heard('embed:session')).map(({ state }) => state)).toEqual(['expired']);
    await page.unroute('**/share/fn/tile-data');
    await bridge.setToken(await service.signIn(ACME));
    await bridge.dashboard.drawn();
  });

  test('out of reach: charts and a new token wait, and are there when the network is back', async ({ page, context, host, service }) => {
    await page.clock.install();
    const token = await service.signIn(ACME);
    const bridge = await Bridge.open(page, host, service, { jwt: token });
    await bridge.dashboard.drawn();
    const fresh = await service.signIn(ACME);
    await context.setOffline(true);
    await bridge.send(north);
    await expect(bridge.dashboard.chart('Revenue by region')).toHaveAttribute('data-state', 'error');
    await page.clock.fastForward(lifetime(token) * 0.9);
    await bridge.setToken(fresh);
    await settled(page);
    expect((await bridge.heard('embed:error')).map(({ code }) => code)).not.toContain('TOKEN_REFUSED');
    const taken = page.waitForResponse((response) => response.url().includes('/check-token') && response.ok());
    await context.setOffline(false);
    await bridge.dashboard.drawn();
    await bridge.shows(['north']);
    await page.clock.fastForward(6_000);
    await (await taken).finished();
    await settled(page);
    await page.clock.fastForward(lifetime(token) * 0.3);
    await expect(bridge.frame.getByRole('alert')).toHaveCount(0);
  });
});
