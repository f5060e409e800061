// The size of a view-only page: scripts and wasm stay within their limit at every width of the frame, because the server draws
// rare charts in their size until the viewer comes near them.
import { Dashboard } from '../support/dashboard.js';
import { test } from '../support/demo-fixtures.js';
import { expect, hydrated } from '../support/fixtures.js';

/** Bytes on the wire, compressed: 390 kB of content, as scripts/compress-pages.js allows, and the headers of six responses (some 500 each). */
const MOST = 393_000;
const WIDTHS = [390, 1280, 1440, 1920];

/** Records the scripts and wasm files that a page loads, with their compressed size. */
async function weighed(page) {
  const loaded = new Map();
  const running = new Map();
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  network.on('Network.responseReceived', ({ requestId, response: { url } }) => {
    if (/\.(js|wasm)$/.test(new URL(url).pathname)) running.set(requestId, url);
  });
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (running.has(requestId)) loaded.set(running.get(requestId), encodedDataLength);
  });
  return loaded;
}

const sum = (loaded) => [...loaded.values()].reduce((total, bytes) => total + bytes, 0);

/** The scale at which a chart's picture is shown. */
const scale = (figure) => {
  const svg = [...figure.querySelectorAll('svg')].filter((one) => one.getBoundingClientRect().width > 100).at(-1);
  return svg.getBoundingClientRect().width / (svg.viewBox.baseVal?.width || svg.getBoundingClientRect().width);
};

for (const width of WIDTHS) {
  test(`a page of ${width} px loads no more than it may`, async ({ page, demo }) => {
    await page.setViewportSize({ width, height: 900 });
    const loaded = await weighed(page);
    const pictures = [];
    page.on('response', (response) => {
      if (response.url().includes('/share/fn/tile-picture')) pictures.push(response.status());
    });
    await page.goto(await demo.page('ATL'));
    await hydrated(page);
    const dashboard = new Dashboard(page);
    await dashboard.drawn();
    await page.waitForLoadState('networkidle');
    expect(sum(loaded), [...loaded].map(([url, bytes]) => `${bytes} ${url.split('/').at(-1)}`).join('\n')).toBeLessThan(MOST);
    expect(pictures.every((status) => status === 200)).toBe(true);
    for (const figure of await dashboard.charts.filter({ has: page.locator('.plot > svg') }).all()) {
      await expect.poll(async () => Math.abs((await figure.evaluate(scale)) - 1)).toBeLessThan(0.05);
    }
  });
}

test('coming near a rare chart loads what it needs, and the browser draws it', async ({ page, demo }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const loaded = await weighed(page);
  await page.goto(await demo.page('ATL'));
  await hydrated(page);
  const dashboard = new Dashboard(page);
  await dashboard.drawn();
  const pictures = dashboard.charts.filter({ has: page.locator('.plot > svg') });
  expect(await pictures.count(), 'charts that the server drew').toBeGreaterThan(0);
  const name = await pictures.first().getAttribute('aria-label');
  const before = sum(loaded);
  await dashboard.chart(name).hover();
  await expect.poll(() => sum(loaded)).toBeGreaterThan(before);
  await expect(dashboard.chart(name).locator('.plot > svg'), 'the server’s picture').toHaveCount(0);
  expect((await dashboard.drawing(name)).height).toBeGreaterThan(100);
});
