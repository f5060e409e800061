// The viewer's waiting time: from navigation until every chart of the demo's page is drawn, in a browser with an empty cache
// and in one with a full cache.
import { createServer } from 'node:http';
import { chromium } from '@playwright/test';
import { launchOptions } from '../../end2end/support/chromium.js';
import { median, percentile } from './numbers.js';

const VISITS = 10;
/** Milliseconds without a change of any drawing, after which the page counts as complete. */
const REST = 500;

/** @typedef {Window & { times: { drawn: number, answers?: number } }} Watched */

/** Runs in the page before anything else: records when it is interactive, and when a drawing changed last. */
function watch() {
  const watched = /** @type {Watched} */ (/** @type {unknown} */ (window));
  watched.times = { drawn: 0 };
  new MutationObserver((changes) => {
    const now = performance.now();
    if (document.documentElement?.dataset.hydrated) watched.times.answers ??= now;
    /** @param {MutationRecord} change */
    const isDrawing = ({ target }) => target instanceof Element && target.closest('.plot') !== null;
    if (changes.some(isDrawing)) watched.times.drawn = now;
  }).observe(document, { subtree: true, childList: true, attributes: true });
}

/** A visit: milliseconds from navigation until the server's charts were painted, the page was interactive, and all charts were drawn. */
async function visit(context, address) {
  const page = await context.newPage();
  await page.addInitScript(watch);
  await page.goto(address);
  await page.waitForFunction((rest) => {
    const settled = document.querySelector('figure') && !document.querySelector('figure[data-state="loading"]');
    const { drawn, answers } = /** @type {Watched} */ (/** @type {unknown} */ (window)).times;
    return settled && answers && performance.now() - Math.max(drawn, answers) > rest;
  }, REST);
  const times = await page.evaluate(() => {
    const [painted] = performance.getEntriesByName('first-contentful-paint');
    const { answers = 0, drawn } = /** @type {Watched} */ (/** @type {unknown} */ (window)).times;
    return { charts: document.querySelectorAll('figure').length, seen: painted?.startTime ?? 0, answers, drawn: Math.max(answers, drawn) };
  });
  await page.close();
  return times;
}

const BLANK = '<!DOCTYPE html><html lang="en"><head><title>Blank</title></head><body><p>Blank</p></body></html>';

/** Milliseconds from navigation to the first paint of a page that holds one word: the browser's own share. */
async function floor(chrome) {
  const server = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(BLANK));
  await new Promise((ready) => {
    server.listen(0, '127.0.0.1', () => ready(undefined));
  });
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const times = [];
  for (let i = 0; i < VISITS; i += 1) {
    const context = await chrome.newContext();
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
    times.push(await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime));
    await context.close();
  }
  server.close();
  return median(times);
}

const told = (visits, name) => {
  const values = visits.map((one) => one[name]);
  return `${median(values).toFixed(0)} ms (p95 ${percentile(values, 95).toFixed(0)} ms)`;
};

/** The demo's page in Chromium, with its rows in the server's cache: a new browser each time, and one with a full cache. */
export async function browser({ demo }) {
  const chrome = await chromium.launch(launchOptions);
  try {
    const address = await demo.page('ATL');
    const cold = [];
    const once = async (context) => {
      const times = await visit(context, address);
      await context.close();
      return times;
    };
    await once(await chrome.newContext());
    for (let i = 0; i < VISITS; i += 1) cold.push(await once(await chrome.newContext()));
    const kept = await chrome.newContext();
    await visit(kept, address);
    const warm = [];
    for (let i = 0; i < VISITS; i += 1) warm.push(await visit(kept, address));
    await kept.close();
    const { charts } = cold[0];
    const blank = await floor(chrome);
    const over = (name) => `${(median(cold.map((one) => one[name])) - blank).toFixed(0)} ms more`;
    const limits = {
      'cold browser, first paint of a page that holds one word': `${blank.toFixed(0)} ms`,
      'the page beside it: first paint / answers to input / all drawn': ['seen', 'answers', 'drawn'].map(over).join(' / '),
    };
    const figures = Object.fromEntries(
      [
        ['cold', cold],
        ['warm', warm],
      ].flatMap(([cache, visits]) => [
        [`${cache} browser, navigation to the first paint (the server’s charts)`, told(visits, 'seen')],
        [`${cache} browser, navigation to a page that answers to input`, told(visits, 'answers')],
        [`${cache} browser, navigation to all ${charts} charts drawn`, told(visits, 'drawn')],
      ]),
    );
    return { ...figures, ...limits };
  } finally {
    await chrome.close();
  }
}
