// The demo's page with its charts: the server's time for its HTML, and what a browser then loads.
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { launchOptions } from '../../end2end/support/chromium.js';
import { median, percentile, processorSeconds } from './numbers.js';

const WARM_VIEWS = 200;
const COLD_CUSTOMERS = ['ORD', 'LAX', 'DEN', 'BOS', 'SEA', 'HNL'];

/** Milliseconds until the complete HTML of a page has arrived, and the HTML. */
async function view(address) {
  const begin = performance.now();
  const answer = await fetch(address, { headers: { 'accept-encoding': 'br' } });
  const html = await answer.text();
  if (!answer.ok) throw new Error(`the page answered ${answer.status}`);
  const charts = html.match(/<figure\b/g)?.length ?? 0;
  return { ms: performance.now() - begin, html, charts };
}

/** The page's server time: the first view after the server's start, a customer's first view, and later ones. */
export async function times({ service, demo }) {
  const first = await view(await demo.page('ATL'));
  const cold = [];
  for (const airport of COLD_CUSTOMERS) cold.push((await view(await demo.page(airport))).ms);
  const address = await demo.page('ATL');
  const warm = [];
  // The first views compress what all have in common thoroughly.
  for (let i = 0; i < WARM_VIEWS / 4; i += 1) await view(address);
  const before = await processorSeconds(service.pid);
  for (let i = 0; i < WARM_VIEWS; i += 1) warm.push((await view(address)).ms);
  const used = ((await processorSeconds(service.pid)) - before) / WARM_VIEWS;
  return {
    [`page of ${first.charts} charts, first view after the start`]: `${first.ms.toFixed(0)} ms`,
    'page, a customer’s first view (nothing cached)': `${median(cold).toFixed(0)} ms`,
    'page, warm': `${median(warm).toFixed(1)} ms (p95 ${percentile(warm, 95).toFixed(1)} ms)`,
    'page, warm, processor time of the server': `${(used * 1000).toFixed(1)} ms`,
  };
}

/** The kind of a request's content. */
function kind(request) {
  const { pathname } = new URL(request.url());
  if (pathname.endsWith('.wasm')) return 'wasm';
  return { document: 'HTML', script: 'JavaScript', stylesheet: 'CSS', font: 'fonts', image: 'images' }[request.resourceType()] ?? 'data';
}

/** The compressed bytes that a browser with an empty cache receives. */
export async function bytes({ demo }) {
  const browser = await chromium.launch(launchOptions);
  try {
    const page = await browser.newPage();
    const finished = [];
    page.on('requestfinished', (request) => finished.push(request));
    await page.goto(await demo.page('ATL'));
    await page.locator('html[data-hydrated]').waitFor({ state: 'attached' });
    await page.waitForLoadState('networkidle');
    const figures = {};
    for (const request of finished) {
      const { responseBodySize } = await request.sizes();
      figures[kind(request)] = (figures[kind(request)] ?? 0) + responseBodySize;
    }
    figures['all of it'] = Object.values(figures).reduce((sum, size) => sum + size, 0);
    figures['JavaScript + wasm'] = (figures.JavaScript ?? 0) + (figures.wasm ?? 0);
    const script = await (await fetch(`${demo.service.url}/sdk/inlay.js`)).text();
    figures["the script for hosts' pages (gzip)"] = gzipSync(script, { level: 9 }).length;
    return {
      'requests of the page': String(finished.length),
      ...Object.fromEntries(
        Object.entries(figures).map(([name, size]) => [`bytes of the page, ${name}`, `${(size / 1000).toFixed(1)} kB`]),
      ),
    };
  } finally {
    await browser.close();
  }
}
