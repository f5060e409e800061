// The browser hydrates the page in place: nothing moves, and no chart is requested or drawn again without need.
import { Bridge } from '../support/bridge.js';
import { Dashboard } from '../support/dashboard.js';
import { ACME } from '../support/data.js';
import { expect, inItsFont, test } from '../support/fixtures.js';
import { FILTERED, UNFILTERED } from '../support/project.js';

const NORTH = '?filter_region=%22north%22';
/** Charts drawn as SVG. */
const DRAWN = [...FILTERED, ...UNFILTERED].filter((name) => name !== 'Revenue');

/** Runs in each frame before anything else: records what moves, and which charts' drawings change. */
function watch() {
  window.shifts = [];
  window.redrawn = [];
  const moved = ({ node }) => (node?.outerHTML ?? node?.textContent ?? '?').slice(0, 80);
  new PerformanceObserver((list) => {
    for (const { startTime, value, sources } of list.getEntries()) window.shifts.push({ startTime, value, moved: sources.map(moved) });
  }).observe({ type: 'layout-shift', buffered: true });
  const chart = (node) =>
    (node.nodeType === 1 ? node : node.parentElement)?.closest('.plot')?.closest('figure')?.getAttribute('aria-label');
  const drawings = new MutationObserver((changes) => {
    for (const name of new Set(changes.map(({ target }) => chart(target)))) if (name) window.redrawn.push(name);
  });
  // Until then the parser draws.
  document.addEventListener('DOMContentLoaded', () =>
    drawings.observe(document, { subtree: true, childList: true, attributes: true, characterData: true }),
  );
}

async function loaded(bridge) {
  await bridge.dashboard.drawn();
  await expect.poll(() => bridge.heard('embed:loaded')).toHaveLength(1);
}

/** The layout shifts that a viewer could see so far, after two more frames. A frame has a layout before its first paint, too. */
const shifts = (frame) =>
  frame.evaluate(
    () =>
      new Promise((done) => {
        const seen = () => {
          const painted = performance.getEntriesByName('first-paint')[0]?.startTime ?? 0;
          return window.shifts.filter(({ startTime }) => startTime >= painted);
        };
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(seen()), 100)));
      }),
  );

for (const width of [390, 1280]) {
  test(`at ${width} pixels nothing moves: not while the page loads, cold or warm, and not while filters change`, async ({
    page,
    host,
    service,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.addInitScript(watch);
    for (const cache of ['cold', 'warm']) {
      const bridge = await Bridge.open(page, host, service, { jwt: await service.signIn(ACME) });
      await loaded(bridge);
      expect(await shifts(bridge.frame), cache).toEqual([]);
      await bridge.setParams(NORTH);
      await expect.poll(() => bridge.heard('embed:params')).toHaveLength(1);
      await bridge.dashboard.drawn();
      await bridge.setParams('');
      await expect.poll(() => bridge.heard('embed:params')).toHaveLength(2);
      await bridge.dashboard.drawn();
      expect(await shifts(bridge.frame), `${cache}, filters`).toEqual([]);
    }
  });
}

test('hydration asks for no rows, draws each chart once, and a filter redraws those alone that it reaches', async ({
  page,
  host,
  service,
}) => {
  await page.addInitScript(watch);
  const asked = [];
  page.on('request', (request) => {
    if (/\/share\/fn\/tile-/.test(request.url())) asked.push(request.postData());
  });
  const bridge = await Bridge.open(page, host, service, { jwt: await service.signIn(ACME) });
  await loaded(bridge);
  await shifts(bridge.frame);
  expect(asked, 'rows and pictures that the first HTML did not have').toEqual([]);
  const redrawn = () => bridge.frame.evaluate(() => window.redrawn.splice(0));
  const times = (drawings, names) => Math.max(0, ...names.map((name) => drawings.filter((one) => one === name).length));
  const drawings = await redrawn();
  await shifts(bridge.frame);
  // A busy browser draws a chart late, but none twice.
  drawings.push(...(await redrawn()));
  expect(times(drawings, DRAWN), 'nothing is drawn again by itself').toBe(1);
  await bridge.setParams(NORTH);
  await expect.poll(() => bridge.heard('embed:params')).toHaveLength(1);
  await bridge.dashboard.drawn();
  await shifts(bridge.frame);
  const changed = await redrawn();
  expect(times([...drawings, ...changed], UNFILTERED), 'what the filter does not reach').toBe(1);
  expect(changed).toContain('Revenue by region');
});

/** The positions of a chart's texts, in pixels: `[text, left, top]`. */
function words(figure) {
  const { left, top } = figure.getBoundingClientRect();
  const svg = [...figure.querySelectorAll('svg')].find((one) => one.getBoundingClientRect().width > 100);
  const placed = [...svg.querySelectorAll('text')].map((text) => {
    const box = text.getBoundingClientRect();
    return [text.textContent, box.left - left, box.top - top];
  });
  return placed.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

test('the browser’s drawing has every word where the server’s has it', async ({ browser, open, page: taken, service }) => {
  const still = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } });
  const page = await still.newPage();
  const server = new Dashboard(page);
  const address = service.applicationPage(await service.signIn(ACME));
  await inItsFont(page, async () => {
    await page.goto(address);
    await server.drawn();
  });
  const drawn = new Dashboard(taken);
  await inItsFont(taken, async () => {
    await open(ACME);
    await drawn.drawn();
  });
  // Now the browser's own drawing is shown.
  await expect(drawn.chart('Revenue by region').locator('.plot > svg')).toHaveCount(0);
  for (const name of ['Revenue by month', 'Revenue by region', 'Stock by depot']) {
    const wanted = await server.chart(name).evaluate(words);
    expect(wanted.length, name).toBeGreaterThan(3);
    const found = await drawn.chart(name).evaluate(words);
    expect(
      found.map(([text]) => text),
      name,
    ).toEqual(wanted.map(([text]) => text));
    const moved = found.map(([, left, top], at) => Math.max(Math.abs(left - wanted[at][1]), Math.abs(top - wanted[at][2])));
    expect(Math.max(...moved), name).toBeLessThan(3);
  }
  await still.close();
});
