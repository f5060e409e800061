// Tokens of five minutes during a long visit, with a fake clock: renewals, outages, expiry.
import { ACME, expected } from '../support/data.js';
import { expect, test } from '../support/sdk.js';

const SOUTH = { region: 'south' };
// The browser logs a line for each failed call.
test.use({ allowedErrors: [/^Failed to load resource/] });

test.beforeEach(async ({ page }) => {
  await page.clock.install();
});

/** Opens the page and sets a filter, which every renewal must keep. */
async function begin({ visit, shown }, script) {
  await visit({ script });
  const dashboard = await shown();
  await dashboard.choose('Region', 'south');
  await expect.poll(() => dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME, SOUTH));
  return dashboard;
}

/** Lets time pass until a renewal, and waits until the frame has checked and taken the new token, which is a separate call. */
async function passToRenewal(page, time) {
  const judged = page.waitForResponse((response) => response.url().includes('/share/fn/check-token'));
  await page.clock.fastForward(time);
  await (await judged).finished();
  await page.waitForTimeout(200);
}

test('two renewals of a five-minute token leave filters and page alone', async ({ page, visit, shown, heard, embedder }) => {
  const dashboard = await begin({ visit, shown });
  for (const times of [2, 3]) {
    await passToRenewal(page, '04:01');
    expect(embedder.calls).toHaveLength(times);
    await expect.poll(async () => (await heard('onSession')).filter(({ state }) => state === 'renewed').length).toBe(times - 1);
  }
  await page.clock.fastForward('03:00');
  expect(await dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME, SOUTH));
  expect((await heard('onSession')).map(({ state }) => state)).not.toContain('expired');
  expect(await heard('onLoaded'), 'the page was opened once').toHaveLength(1);
  expect(await heard('onError')).toEqual([]);
});

test('three embeds of one user share each renewal', async ({ page, visit, shown, embedder }) => {
  await visit({
    body: '<div id="a"></div><div id="b"></div><div id="c"></div>',
    script: `
    for (const place of ['#a', '#b', '#c']) mount(place, { ...page, user: 'ann', fetchToken: (call) => fetchToken(call) });`,
  });
  for (const index of [0, 1, 2]) await shown(index);
  expect(embedder.calls).toHaveLength(1);
  await page.clock.fastForward('04:01');
  await expect.poll(() => embedder.calls.length).toBe(2);
  await page.clock.fastForward('00:20');
  await page.waitForTimeout(300);
  expect(embedder.calls).toHaveLength(2);
});

test('offline at the time of a renewal: it comes when the network does', async ({ page, context, visit, shown, heard, embedder }) => {
  const dashboard = await begin({ visit, shown });
  await context.setOffline(true);
  await page.clock.fastForward('04:05');
  await expect.poll(async () => (await heard('onError')).length).toBeGreaterThan(0);
  expect((await heard('onError'))[0]).toMatchObject({ code: 'TOKEN_FETCH_FAILED', retryInMs: expect.any(Number) });
  expect(embedder.calls).toHaveLength(1);
  await context.setOffline(false);
  await expect.poll(async () => (await heard('onSession')).map(({ state }) => state)).toContain('renewed');
  expect(await dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME, SOUTH));
});

test('a host that was down past the end of the token: the page comes back, with its filters', async ({
  page,
  visit,
  shown,
  heard,
  embedder,
}) => {
  const { frame } = await begin({ visit, shown });
  embedder.failing = 503;
  await page.clock.fastForward('04:01');
  await expect.poll(async () => (await heard('onError')).length).toBeGreaterThan(0);
  await page.clock.fastForward('01:01');
  await expect(frame.getByRole('alert')).toHaveText('Session expired');
  await expect.poll(async () => (await heard('onSession')).map(({ state }) => state)).toContain('expired');
  embedder.failing = 0;
  await page.clock.fastForward('01:00');
  const again = await shown();
  await expect.poll(() => again.rows('Revenue')).toEqual(expected('Revenue', ACME, SOUTH));
  await expect.poll(async () => (await heard('onSession')).at(-1).state).toBe('renewed');
});

test('a first sign-in that fails is tried again', async ({ page, visit, shown, heard, embedder }) => {
  await page.clock.install();
  embedder.failing = 500;
  await visit();
  await expect.poll(async () => (await heard('onError')).length).toBeGreaterThan(0);
  embedder.failing = 0;
  await page.clock.fastForward('01:00');
  expect(await (await shown()).rows('Revenue')).toEqual(expected('Revenue', ACME));
});

test('a tab that comes back renews at once, and a clock that is wrong does no harm', async ({ page, visit, shown, heard, embedder }) => {
  await page.clock.setSystemTime(Date.now() + 10 * 60_000);
  await begin({ visit, shown });
  expect(embedder.calls).toHaveLength(1);
  // The machine was asleep: no timer fired, the wall clock continued.
  await page.clock.setSystemTime(Date.now() + 40 * 60_000);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect.poll(() => embedder.calls.length).toBe(2);
  await expect.poll(async () => (await heard('onSession')).map(({ state }) => state)).toContain('renewed');
});

test('a user who signed out ends the renewal', async ({ page, visit, shown, heard, embedder }) => {
  await visit({
    script: `let calls = 0;
    window.embed = mount('#stage', { ...page, ...listening, fetchToken: (call) => (calls++ ? null : fetchToken(call)) });`,
  });
  await shown();
  await page.clock.fastForward('04:01');
  await expect.poll(async () => (await heard('onSession')).map(({ state }) => state)).toContain('ended');
  expect(embedder.calls).toHaveLength(1);
});
