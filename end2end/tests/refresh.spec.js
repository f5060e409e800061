// A dashboard or a chart with `refresh` asks for its rows again while somebody looks.
import { ACME, RATES, TABLES } from '../support/data.js';
import { expect, inWorld } from '../support/fixtures.js';
import { project } from '../support/project.js';

/** The tests' project with a dashboard that refreshes each minute, and a chart that does so each half minute. */
const WORLD = {
  databases: { 'warehouse.db': TABLES, 'fragile.db': TABLES },
  project: (origin) => {
    const made = project(origin);
    const applications = made.applications.map((application) => ({
      ...application,
      dashboards: application.dashboards.map((one) => (one.name === 'Fragile' ? { ...one, refresh: 60 } : one)),
    }));
    const charts = made.charts.map((one) => (one.name === 'Largest orders' ? { ...one, options: { refresh: 30 } } : one));
    return { ...made, applications, charts };
  },
};
const test = inWorld(WORLD);

// The answer that does not come is an error in the browser's log.
test.use({ allowedErrors: [/503/] });

const QUERIES = '**/share/fn/tile-data';
const MINUTE = 60_000;
/** What the page has begun is done: a request has reached its route, an answer the page. */
async function settled(page) {
  await page.evaluate(async () => {
    // The page's clock stands still, so it cannot wait by it.
    await fetch('/healthz');
    await fetch('/healthz');
  });
}

const stored = RATES.map(({ currency, rate }) => [currency, rate]);

test('new rows take the place of the old ones, and nothing flickers where none come', async ({ open, page, service }) => {
  await page.clock.install();
  const dashboard = await open(ACME, { parameters: { dashboardId: service.dashboard('Fragile') } });
  await dashboard.drawn();
  const chart = dashboard.chart('Fragile rates');
  const age = page.locator('.header-tools .header-status').first();
  await expect(age).toHaveText('Refreshes every minute');
  let asked = 0;
  const states = [];
  await page.exposeFunction('seen', (state) => states.push(state));
  await chart.evaluate((figure) => {
    const watch = new MutationObserver(() => /** @type {any} */ (window).seen(figure.dataset.state));
    watch.observe(figure, { attributes: true, attributeFilter: ['data-state'] });
  });
  await page.route(QUERIES, async (route) => {
    asked += 1;
    const response = await route.fetch();
    const text = await response.text();
    await route.fulfill({ response, body: text.replaceAll('"JPY",0.75', '"JPY",0.9') });
  });
  await page.clock.fastForward(MINUTE - 1_000);
  expect(asked).toBe(0);
  await page.clock.fastForward(2_000);
  await expect(age).toHaveText(/^Updated \d\d:\d\d$/);
  expect(asked).toBe(2);
  await expect.poll(() => dashboard.rows('Fragile rates')).toEqual(stored.map(([name, rate]) => [name, name === 'JPY' ? 0.9 : rate]));
  // An answer that does not come leaves everything as it is, the time too.
  const before = await age.textContent();
  await page.unroute(QUERIES);
  await page.route(QUERIES, (route) => {
    asked += 1;
    return route.fulfill({ status: 503, contentType: 'application/json', body: '{}' });
  });
  const refused = [1, 2].map((before) => {
    let seen = 0;
    return page.waitForResponse((response) => response.url().includes('tile-data') && response.status() === 503 && ++seen === before);
  });
  await page.clock.fastForward(MINUTE + 1_000);
  await Promise.all(refused);
  await settled(page);
  expect(asked).toBe(4);
  await expect(chart).toHaveAttribute('data-state', 'ready');
  await expect(age).toHaveText(String(before));
  expect(states, 'a chart is never loading again').toEqual([]);
});

test('a chart with `refresh` asks alone, and says when', async ({ open, page, service }) => {
  await page.clock.install();
  const dashboard = await open(ACME, { parameters: { dashboardId: service.dashboard('Details') } });
  await dashboard.drawn();
  const chart = dashboard.chart('Largest orders');
  const age = chart.locator('.tile-age');
  await expect(age).toHaveCount(0);
  /** @type {string[]} */
  const asked = [];
  await page.route(QUERIES, (route) => {
    asked.push(route.request().postData());
    return route.continue();
  });
  await page.clock.fastForward(MINUTE / 2 + 1_000);
  await expect(age).toHaveText(/^Updated \d\d:\d\d$/);
  await expect(chart).toHaveAttribute('data-state', 'ready');
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain(await chart.getAttribute('data-key'));
  // A hidden page waits.
  await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: true, configurable: true }));
  await page.clock.fastForward(MINUTE);
  await settled(page);
  expect(asked).toHaveLength(1);
});

test('a dashboard without `refresh` asks once', async ({ open, page }) => {
  await page.clock.install();
  const dashboard = await open(ACME);
  await dashboard.drawn();
  let asked = 0;
  await page.route(QUERIES, (route) => {
    asked += 1;
    return route.continue();
  });
  await page.clock.fastForward(10 * MINUTE);
  await settled(page);
  expect(asked).toBe(0);
  await expect(page.getByText(/Refreshes every|Updated/)).toHaveCount(0);
});
