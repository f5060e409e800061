// Messages and parameters of every page, the same on every kind of page.
import { ACME } from '../support/data.js';
import { embed, expect, hydrated } from '../support/fixtures.js';
import { onEachPage } from '../support/frames.js';

const NOWHERE = '00000000-0000-7000-8000-000000000000';

onEachPage((one, kind) => {
  one('parameters that cannot be used are named once, names that nobody knows are not', async (framed) => {
    const parameters = {
      timezone: 'Mars/Olympus',
      locale: '!',
      filter_nothing: '1',
      f_nowhere: '1',
      utm_source: 'mail',
      autoHeight: 'yes',
    };
    const bridge = await framed.open({ jwt: await framed.sign(), ...parameters, tokenHandoff: 'TRUE', 'f_a.b.c': '1' });
    const wrong = ['autoHeight', 'f_a.b.c', 'f_nowhere', 'filter_nothing', 'locale', 'timezone', 'tokenHandoff'];
    await framed.stands();
    await expect.poll(() => framed.named()).toEqual(wrong);
    const opened = framed.page.waitForResponse(framed.own.opens);
    await bridge.setToken(await framed.service.signIn(ACME, { user: `other-${kind}` }));
    await opened;
    await framed.stands();
    await framed.page.waitForTimeout(1100);
    expect(await framed.named(), 'another user changes nothing of the address').toEqual(wrong);
    for (const text of await framed.errors()) expect(text).toMatch(/^INVALID_PARAMETER /);
  });

  one('they are named on a page that shows a message, and while it waits', async (framed) => {
    await framed.open({ tokenHandoff: '1', timezone: 'x' });
    await expect(framed.alert).toHaveText('Invalid or missing token.');
    await expect.poll(() => framed.named()).toEqual(['timezone', 'tokenHandoff']);
    await framed.open({ tokenHandoff: 'true', timezone: 'x' });
    await expect.poll(() => framed.named()).toEqual(['timezone']);
    await framed.bridge.setToken(await framed.sign());
    await framed.stands();
    await framed.bridge.settled();
    expect(await framed.named()).toEqual(['timezone']);
  });

  one('usable values of the same parameters are told to nobody', async (framed) => {
    const good = { timezone: 'Europe/Berlin', locale: 'de', autoHeight: 'false', tokenHandoff: 'false', dbAuthToken: 'secret' };
    const bridge = await framed.open({ jwt: await framed.sign(), ...good });
    await framed.stands();
    await bridge.settled();
    expect(await framed.errors()).toEqual([]);
    expect(await bridge.frame.evaluate(() => document.documentElement.lang)).toBe('de');
    expect(await bridge.frame.evaluate(() => location.href)).not.toMatch(/jwt|secret/);
    expect(await bridge.frame.evaluate(() => location.search)).toContain('timezone');
  });

  one('a page that shows a message says that it is ready, and takes a token', async (framed) => {
    const ready = [{ type: 'embed:ready', v: 1, awaitingToken: false }];
    for (const jwt of [undefined, 'x.y.z']) {
      const bridge = await framed.open({ jwt });
      await expect(framed.alert).toHaveText('Invalid or missing token.');
      await expect.poll(() => bridge.heard('embed:ready')).toEqual(ready);
      await bridge.setToken(await framed.sign());
      await framed.stands();
      expect(await bridge.heard('embed:ready')).toEqual(ready);
    }
  });

  one('filters that change nothing are answered by nothing, unknown ones by an error', async (framed) => {
    const bridge = await framed.open({ jwt: await framed.sign() });
    await framed.stands();
    await bridge.setParams('');
    await bridge.setParams('?filter_nothing=1&utm_source=mail');
    await expect.poll(() => framed.named()).toEqual(['filter_nothing']);
    await bridge.settled();
    expect(await bridge.heard('embed:params')).toEqual([]);
  });

  one('the content’s height is told as it grows and shrinks, whatever the frame’s own is', async (framed) => {
    const { page, own } = framed;
    const bridge = await framed.open({ jwt: await framed.sign({ user: `tall-${kind}-${process.pid}` }), autoHeight: 'true' });
    const heights = async () => (await bridge.heard('embed:height')).map(({ height }) => height);
    const last = async () => (await heights()).at(-1);
    const still = async () => {
      let before;
      await expect
        .poll(
          async () => {
            const [was, now] = [before, await last()];
            before = now;
            return now > 0 && was === now;
          },
          { intervals: [400] },
        )
        .toBe(true);
      return last();
    };
    await framed.stands();
    await own.grow(bridge);
    const tall = await still();
    const frame = page.locator('iframe');
    for (const height of [3 * tall, 100, tall]) {
      await frame.evaluate((element, pixels) => Object.assign(element.style, { height: `${pixels}px`, border: 'none' }), height);
      expect(await still(), `in a frame ${height} pixels high`).toBe(tall);
    }
    const scrolls = () =>
      bridge.frame.evaluate(
        () => document.documentElement.scrollHeight > window.innerHeight || document.documentElement.scrollWidth > window.innerWidth,
      );
    expect(await scrolls()).toBe(false);
    await own.shrink(bridge);
    await expect.poll(last).toBeLessThan(tall);
    const short = await still();
    await own.grow(bridge);
    await expect.poll(last).toBeGreaterThan(short);
  });

  one('without `autoHeight` no height is told', async (framed) => {
    for (const autoHeight of [undefined, 'TRUE', '1']) {
      const bridge = await framed.open({ jwt: await framed.sign(), autoHeight });
      await framed.stands();
      await bridge.settled();
      expect(await bridge.heard('embed:height')).toEqual([]);
    }
  });

  one('a host that the address does not name is neither heard nor told anything', async (framed) => {
    const bridge = await framed.open({ tokenHandoff: 'true', parentOrigin: 'https://elsewhere.example', autoHeight: 'true' });
    await bridge.setToken(await framed.sign());
    await bridge.settled();
    await expect(bridge.frame.getByRole('main', { name: 'Loading' })).toBeVisible();
    expect(await framed.page.evaluate(() => window.messages)).toEqual([]);
  });

  one('a window beside the frame is not heard, though it is of the right origin', async (framed) => {
    const bridge = await framed.open({ tokenHandoff: 'true' });
    await framed.page.evaluate(
      async (message) => {
        const beside = Object.assign(document.createElement('iframe'), { src: '/?frames=[]' });
        await new Promise((loaded) => {
          beside.onload = loaded;
          document.body.append(beside);
        });
        /** @type {any} */ (beside.contentWindow).eval(`parent.frames[0].postMessage(${JSON.stringify(message)}, '*')`);
      },
      { type: 'embed:set-token', v: 1, token: await framed.sign() },
    );
    await bridge.settled();
    await expect(bridge.frame.getByRole('main', { name: 'Loading' })).toBeVisible();
  });

  one('the token is in no address, no log and no cookie', async (framed) => {
    const { page, service } = framed;
    const token = await framed.sign();
    const carrying = [];
    page.on('request', (request) => {
      const referer = request.headers().referer ?? '';
      if (!request.isNavigationRequest() && (request.url().includes(token) || referer.includes('jwt'))) carrying.push(request.url());
    });
    await framed.open({ jwt: token });
    await framed.stands();
    // The frame's own address, as its scripts and a reload see it.
    const shown = () => framed.bridge.frame.evaluate(() => location.href);
    expect(await shown()).not.toContain(token);
    await framed.own.change(framed.bridge);
    expect(await shown()).not.toContain('jwt');
    expect(carrying).toEqual([]);
    expect(service.log).not.toContain(token);
    expect(await page.context().cookies()).toEqual([]);
  });

  one('a frame sandboxed with scripts alone works by hand-over', async (framed) => {
    const { page, host, service } = framed;
    const src = service.page(framed.own.path(service), { parentOrigin: host.origin, tokenHandoff: 'true' });
    await page.goto(host.page({ src, sandbox: 'allow-scripts' }));
    const frame = await embed(page);
    expect(await frame.evaluate(() => self.origin)).toBe('null');
    const token = await framed.sign();
    await expect.poll(() => page.evaluate(() => window.messages.map(({ data }) => data.type))).toContain('embed:ready');
    await page.evaluate((text) => frames[0].postMessage({ type: 'embed:set-token', v: 1, token: text }, '*'), token);
    await expect(frame.getByRole('heading', { level: 1, name: framed.own.title })).toBeVisible();
  });

  one('each message that replaces the page has its status and stands alone', async (framed) => {
    const { page, service, own } = framed;
    const [header, payload, signature] = (await framed.sign()).split('.');
    const claims = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), exp: 4102444800 };
    const altered = [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
    const path = own.path(service);
    const nowhere = path.replace(/[0-9a-f-]{36}$/, NOWHERE);
    const foreign = await framed.sign({ project: await service.apply({ version: 1, project: { name: 'Elsewhere' } }) });
    const good = await framed.sign();
    for (const [at, jwt, status, text] of [
      [path, undefined, 401, 'Invalid or missing token.'],
      [path, '', 401, 'Invalid or missing token.'],
      [path, 'x.y.z', 401, 'Invalid or missing token.'],
      [path, altered, 401, 'Invalid or missing token.'],
      [path, foreign, 404, own.missing],
      [nowhere, good, 404, own.missing],
      [path.replace(/[0-9a-f-]{36}$/, 'x'), good, 404, own.missing],
    ]) {
      const response = await page.goto(service.page(at, { jwt }));
      await hydrated(page);
      expect(response.status(), `${at} ${jwt}`).toBe(status);
      await expect(page.getByRole('alert')).toHaveText(text);
      expect((await page.locator('body').innerText()).trim()).toBe(text);
      const headers = response.headers();
      expect(headers).toMatchObject({ 'cache-control': expect.stringContaining('no-store'), 'referrer-policy': 'no-referrer' });
      expect(headers).not.toHaveProperty('set-cookie');
    }
    // While the page waits for a token by message, there is nothing to refuse yet.
    const waiting = await page.goto(service.page(path, { tokenHandoff: 'true', parentOrigin: framed.host.origin }));
    expect(waiting.status()).toBe(200);
  });
});
