// The React component: mounted twice by strict mode, kept while its properties change.

import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { ACME, expected, GLOBEX } from '../support/data.js';
import { expect, test } from '../support/sdk.js';

const APP = `
import { createElement, StrictMode, useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Inlay } from '@inlay/page/react';

function App({ embedUrl, application }) {
  const [props, set] = useState({ user: 'acme', filters: { region: 'north' } });
  const ref = useRef(null);
  useEffect(() => { Object.assign(window, { set, embed: ref }); }, []);
  // Functions are recreated for each rendering, as components do.
  return createElement(Inlay, {
    ...props, ref, embedUrl, application, className: 'figures',
    fetchToken: async ({ signal }) => (await fetch('/token?company=' + props.user, { method: 'POST', signal })).json(),
    onLoaded: () => heard.push({ name: 'onLoaded', user: props.user }),
    onFilters: (event) => { heard.push({ name: 'onFilters', ...event }); set((now) => ({ ...now, filters: event.filters })); },
  });
}
window.start = (page) => createRoot(document.querySelector('#stage')).render(createElement(StrictMode, null, createElement(App, page)));
`;

test.beforeEach(async ({ visit, embedder }) => {
  const resolveDir = fileURLToPath(new URL('.', import.meta.url));
  const {
    outputFiles: [{ text }],
  } = await build({
    stdin: { contents: APP, resolveDir },
    bundle: true,
    write: false,
    format: 'iife',
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  embedder.files['/app.js'] = text;
  await visit({ body: '<div id="stage"></div><script src="/app.js"></script>', script: 'start(page);' });
});

test('its properties are followed, and nothing is mounted again for a new function', async ({ page, shown, heard }) => {
  const dashboard = await shown();
  await expect(page.locator('iframe')).toHaveCount(1);
  await expect(page.locator('.figures > iframe')).toHaveCount(1);
  expect(await dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME, { region: 'north' }));
  await page.evaluate(() => set((now) => ({ ...now, filters: { region: 'south' } })));
  await expect.poll(() => dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME, { region: 'south' }));
  await dashboard.filters.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME));
  expect((await heard('onFilters')).map(({ source }) => source)).toEqual(['user']);
  expect(await heard('onLoaded'), 'the page was opened once').toHaveLength(1);
});

test('another user gets another page', async ({ page, shown, heard }) => {
  await shown();
  await page.evaluate((user) => set({ user, filters: {} }), GLOBEX);
  await expect.poll(async () => (await heard('onLoaded')).at(-1)?.user).toBe(GLOBEX);
  expect(await (await shown()).rows('Revenue')).toEqual(expected('Revenue', GLOBEX));
  await expect(page.locator('iframe')).toHaveCount(1);
});

test('its ref is the embed', async ({ page, shown }) => {
  const dashboard = await shown();
  await page.evaluate(() => /** @type {any} */ (embed).current.setFilters({ region: 'east' }));
  await expect.poll(() => dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME, { region: 'east' }));
  expect(await page.evaluate(() => /** @type {any} */ (embed).current.frame.tagName)).toBe('IFRAME');
});
