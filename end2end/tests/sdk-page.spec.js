// The page script with the real service: hand-over, height, filters, parameters, and nothing left behind.
import { ACME, expected, GLOBEX } from '../support/data.js';
import { expect, test } from '../support/sdk.js';

const NORTH = { region: 'north' };

test('a page is mounted: its token by hand-off, its height by its content', async ({ page, visit, shown, heard, embedder }) => {
  await visit();
  const dashboard = await shown();
  expect(await dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME));
  expect(await dashboard.frame.evaluate(() => location.href)).not.toContain('jwt');
  expect(embedder.calls).toHaveLength(1);
  expect(await heard('onReady')).toEqual([{ name: 'onReady', awaitingToken: true }]);
  await expect.poll(() => heard('onLoaded')).toMatchObject([{ charts: 8 }]);
  const scrolls = () => dashboard.frame.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  await expect.poll(scrolls).toBe(0);
  expect(await heard('onError')).toEqual([]);
  await expect(page.locator('iframe')).toHaveAttribute('title', 'Analytics');
});

test('the classic script does the same under the name Inlay', async ({ visit, shown, page }) => {
  await visit({ classic: true });
  expect(await (await shown()).rows('Revenue')).toEqual(expected('Revenue', ACME));
  expect(await page.evaluate(() => typeof Inlay.mount)).toBe('function');
});

test('the script comes compressed, is asked again after a while, and loads in isolated pages', async ({ service, request }) => {
  const address = `${service.url}/sdk/inlay.js`;
  const first = await request.get(address, { headers: { 'accept-encoding': 'br' } });
  expect(first.headers()).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'text/javascript',
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
  });
  const again = await request.get(address, { headers: { 'accept-encoding': 'br', 'if-none-match': first.headers().etag } });
  expect([again.status(), (await again.body()).length]).toEqual([304, 0]);
  for (const none of ['inlay.js.br', 'x.js', '..%2Finlay.css.br'])
    expect((await request.get(`${service.url}/sdk/${none}`)).status(), none).toBe(404);
});

test('a page that becomes shorter makes its frame shorter', async ({ page, visit, shown }) => {
  await visit();
  const dashboard = await shown();
  const height = async () => (await page.locator('iframe').boundingBox()).height;
  await expect.poll(height).toBeGreaterThan(900);
  const tall = await height();
  await dashboard.navigation.getByText('Details', { exact: true }).click();
  await expect(dashboard.title).toHaveText('Details');
  await expect.poll(height).toBeLessThan(tall - 200);
  let before = await height();
  // It settles: the effect of a frame's height on its page must not change the frame again.
  await expect
    .poll(
      async () => {
        const last = before;
        before = await height();
        return before - last;
      },
      { intervals: [500] },
    )
    .toBe(0);
});

test('filters go in at the start and later, and only what the user moves comes out', async ({ page, visit, shown, heard }) => {
  await visit({ script: `window.embed = mount('#stage', { ...page, ...listening, fetchToken, filters: ${JSON.stringify(NORTH)} });` });
  const dashboard = await shown();
  expect(await dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME, NORTH));
  await page.evaluate(() => embed.setFilters({ region: ['south'] }));
  await expect.poll(() => dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME, { region: 'south' }));
  expect(await heard('onFilters'), 'no echo').toEqual([]);

  await dashboard.filters.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => heard('onFilters')).toMatchObject([{ filters: {}, search: '', source: 'user' }]);
  await dashboard.choose('Region', 'east');
  await expect.poll(async () => (await heard('onFilters')).length).toBe(2);
  const { filters } = (await heard('onFilters'))[1];
  await page.evaluate(() => embed.setFilters({}));
  await expect.poll(() => dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME));
  await page.evaluate((back) => embed.setFilters(back), filters);
  await expect.poll(() => dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME, { region: 'east' }));
});

test('filters that are set before the page is there are not lost', async ({ visit, shown }) => {
  await visit({
    script: `window.embed = mount('#stage', { ...page, ...listening, fetchToken });
    embed.setFilters({ region: 'south' }); embed.setFilters(${JSON.stringify(NORTH)});`,
  });
  const dashboard = await shown();
  await expect.poll(() => dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME, NORTH));
});

test('two embeds that follow each other’s filters come to rest', async ({ page, visit, shown, heard }) => {
  await visit({
    body: '<div id="a"></div><div id="b"></div>',
    script: `
    window.a = mount('#a', { ...page, ...listening, fetchToken, onFilters: (event) => { heard.push({ name: 'a' }); b.setFilters(event.filters); } });
    window.b = mount('#b', { ...page, ...listening, fetchToken, onFilters: (event) => { heard.push({ name: 'b' }); a.setFilters(event.filters); } });`,
  });
  const [first, second] = [await shown(0), await shown(1)];
  await first.choose('Region', 'north');
  await expect.poll(() => second.rows('Revenue')).toEqual(expected('Revenue', ACME, NORTH));
  await second.filters.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => first.rows('Revenue')).toEqual(expected('Revenue', ACME));
  await page.waitForTimeout(300);
  expect([(await heard('a')).length, (await heard('b')).length]).toEqual([1, 1]);
});

test('parameters open the page again with its filters, and leave no step in the history', async ({
  page,
  visit,
  shown,
  heard,
  embedder,
}) => {
  await visit();
  const dashboard = await shown();
  await dashboard.choose('Region', 'north');
  await expect.poll(() => dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME, NORTH));
  const steps = await page.evaluate(() => history.length);
  await page.evaluate(() => embed.setParams({ hideHeader: true }));
  await expect.poll(async () => (await heard('onLoaded')).length).toBe(2);
  const again = await shown();
  await expect(again.title).toHaveCount(0);
  expect(await again.rows('Revenue')).toEqual(expected('Revenue', ACME, NORTH));
  await page.evaluate(() => embed.refresh());
  await expect.poll(async () => (await heard('onLoaded')).length).toBe(3);
  await expect((await shown()).title).toHaveCount(0);
  expect(await page.evaluate(() => history.length)).toBe(steps);
  expect(embedder.calls, 'the token is still good').toHaveLength(1);
});

test('nobody else is heard: not another frame, not the page itself, not another version', async ({ page, visit, shown, heard }) => {
  await visit();
  await shown();
  await expect.poll(async () => (await heard('onLoaded')).length).toBe(1);
  const before = await page.locator('iframe').boundingBox();
  await page.evaluate(async () => {
    const message = { type: 'embed:height', v: 1, height: 33 };
    postMessage(message, '*');
    const other = Object.assign(document.createElement('iframe'), {
      srcdoc: `<script>parent.postMessage(${JSON.stringify(message)}, '*')</script>`,
    });
    document.body.append(other);
    await new Promise((loaded) => {
      other.onload = loaded;
    });
    // From the right window, but another origin, as a frame that was navigated away would send.
    dispatchEvent(new MessageEvent('message', { data: message, origin: 'https://evil.example', source: embed.frame.contentWindow }));
    dispatchEvent(
      new MessageEvent('message', {
        data: { ...message, v: 2 },
        origin: new URL(embed.frame.src).origin,
        source: embed.frame.contentWindow,
      }),
    );
    await new Promise((done) => {
      setTimeout(done, 100);
    });
  });
  expect(await page.locator('iframe').first().boundingBox()).toEqual(before);
});

test('what a host’s function throws is the host’s own', async ({ visit, shown, page }) => {
  await visit({
    script: `addEventListener('error', (event) => { heard.push({ name: 'thrown', message: event.message }); event.preventDefault(); });
    window.embed = mount('#stage', { ...page, fetchToken, onReady() { throw new Error('mine'); } });`,
  });
  expect(await (await shown()).rows('Revenue')).toEqual(expected('Revenue', ACME));
  expect(await page.evaluate(() => window.heard)).toEqual([{ name: 'thrown', message: 'Uncaught Error: mine' }]);
});

test('after `destroy` nothing is left: no frame, no listener, no timer, no call', async ({ page, visit, shown, embedder }) => {
  await page.addInitScript(() => {
    if (window !== top) return;
    window.listeners = 0;
    for (const target of [window, document]) {
      const add = target.addEventListener.bind(target);
      target.addEventListener = (type, listener, options) => {
        add(type, listener, options);
        if (!new Error().stack.includes('/sdk/inlay.js')) return;
        window.listeners += 1;
        options.signal.addEventListener('abort', () => {
          window.listeners -= 1;
        });
      };
    }
  });
  await page.clock.install();
  await visit({
    body: '<div id="stage"></div><div id="more"></div>',
    script: `
    window.embeds = ['#stage', '#more'].map((place) => mount(place, { ...page, ...listening, fetchToken }));`,
  });
  await shown(0);
  await shown(1);
  expect(await page.evaluate(() => window.listeners)).toBeGreaterThan(0);
  await page.evaluate(() => {
    for (const one of embeds) {
      one.destroy();
      one.destroy();
      one.setFilters({ region: 'x' });
      one.refresh();
    }
  });
  await expect(page.locator('iframe')).toHaveCount(0);
  expect(await page.evaluate(() => window.listeners)).toBe(0);
  const calls = embedder.calls.length;
  await page.clock.fastForward('10:00');
  await page.evaluate(() => {
    dispatchEvent(new Event('online'));
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await page.waitForTimeout(200);
  expect(embedder.calls).toHaveLength(calls);
});

test('embeds of two users stand on one page', async ({ visit, shown, embedder }) => {
  await visit({
    body: '<div id="a"></div><div id="b"></div>',
    script: `
    mount('#a', { ...page, user: 'ann', fetchToken: (call) => fetchToken(call, '?company=${ACME}') });
    mount('#b', { ...page, user: 'bob', fetchToken: (call) => fetchToken(call, '?company=${GLOBEX}&user=bob') });`,
  });
  expect(await (await shown(0)).rows('Revenue')).toEqual(expected('Revenue', ACME));
  expect(await (await shown(1)).rows('Revenue')).toEqual(expected('Revenue', GLOBEX));
  expect(embedder.calls.map(({ user }) => user).toSorted()).toEqual(['ann', 'bob']);
});

test.describe('a page that may not be framed', () => {
  test.use({ allowedErrors: [/frame-ancestors/] });
  test('says nothing, and the host learns of it', async ({ page, visit, heard, service, embedder }) => {
    await page.clock.install();
    await visit();
    // The same page under an origin that the project does not allow.
    await page.goto(`http://127.0.0.1:${new URL(embedder.origin).port}/`.replace('127.0.0.1', 'sub.localhost'));
    await page.clock.fastForward('00:31');
    await expect.poll(() => heard('onError')).toMatchObject([{ code: 'FRAME_SILENT', message: expect.stringContaining(service.url) }]);
  });
});
