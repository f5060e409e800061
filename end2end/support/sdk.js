// Fixtures for the SDK's tests: a host that uses the page script, and a service that allows it.

import { Dashboard } from './dashboard.js';
import { Embedder } from './embedder.js';
import { test as base, expect, hydrated } from './fixtures.js';
import { Service } from './service.js';

export { expect };

/** A host's page: its HTML, and a script that can use `mount`. */
/** @param {import('./service.js').Service} service @param {{ body?: string, script?: string, classic?: boolean }} what */
const document = (service, { body = '<div id="stage"></div>', script, classic = false }) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,"><style>body { margin: 0 }</style>
${classic ? `<script src="${service.url}/sdk/inlay.classic.js"></script>` : ''}
</head><body>${body}
<script type="module">
${classic ? 'const { mount } = Inlay;' : `import { mount } from '${service.url}/sdk/inlay.js';`}
const heard = window.heard = [];
const note = (name) => (event) => heard.push({ name, ...event });
const listening = Object.fromEntries(['onReady', 'onLoaded', 'onFilters', 'onSession', 'onHeight', 'onError'].map((name) => [name, note(name)]));
const fetchToken = async ({ signal }, who = '') => {
  const answer = await fetch('/token' + who, { method: 'POST', signal });
  if (!answer.ok) throw new Error('the host answered ' + answer.status);
  return answer.json();
};
const page = { embedUrl: '${service.url}', application: '${service.application()}' };
${script ?? "window.embed = mount('#stage', { ...page, ...listening, fetchToken });"}
</script></body></html>`;

/** @type {import('./types.js').TestWith<{ embedder: Embedder, visit: (what?: { body?: string, script?: string, classic?: boolean }) => Promise<void>, shown: (index?: number) => Promise<Dashboard & { frame: import('@playwright/test').Frame }>, heard: (name: string) => Promise<any[]> }>} */
export const test = base.extend(
  /** @type {any} */ ({
    embedder: [
      async ({}, use) => {
        const embedder = await Embedder.start();
        await use(embedder);
        await embedder.stop();
      },
      { scope: 'worker' },
    ],

    service: [
      async ({ embedder }, use) => {
        const service = await Service.start(embedder.origin);
        embedder.service = service;
        await use(service);
        await service.stop();
      },
      { scope: 'worker' },
    ],

    /** Opens a page of the host. */
    visit: async ({ page, embedder, service }, use) => {
      Object.assign(embedder, { calls: [], failing: 0, expiration: '5m', files: {} });
      await use(async (what = {}) => {
        embedder.files['/'] = document(service, what);
        await page.goto(`${embedder.origin}/`);
      });
    },

    /** The dashboard in the n-th embed of the page, drawn. */
    shown: async ({ page }, use) => {
      await use(async (index = 0) => {
        const element = await page.locator('iframe').nth(index).elementHandle();
        const frame = await element.contentFrame();
        await hydrated(frame);
        const dashboard = Object.assign(new Dashboard(frame), { frame });
        await dashboard.drawn();
        return dashboard;
      });
    },

    /** The calls of the embeds' functions so far, by function. */
    heard: async ({ page }, use) => {
      await use((name) => page.evaluate((one) => window.heard.filter((event) => event.name === one), name));
    },
  }),
);
