// In another site's page: sandboxed, without storage or cookies, and with the token removed from the URL.

import { Dashboard } from '../support/dashboard.js';
import { ACME, expected } from '../support/data.js';
import { embed, expect, test } from '../support/fixtures.js';

async function works(page) {
  const frame = await embed(page);
  const dashboard = new Dashboard(frame);
  await dashboard.drawn();
  await dashboard.choose('Region', 'south');
  await expect.poll(() => dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME, { region: 'south' }));
  await dashboard.navigation.getByText('Details', { exact: true }).click();
  await expect(dashboard.title).toHaveText('Details');
  return frame;
}

test('an embed works in a page of another site', async ({ page, host, service }) => {
  await page.goto(host.page({ src: service.applicationPage(await service.signIn(ACME)) }));
  await works(page);
});

test('a frame sandboxed with scripts alone works', async ({ page, host, service }) => {
  await page.goto(host.page({ src: service.applicationPage(await service.signIn(ACME)), sandbox: 'allow-scripts' }));
  const frame = await works(page);
  expect(await frame.evaluate(() => self.origin)).toBe('null');
});

test('an embed works with all storage blocked', async ({ page, host, service }) => {
  await page.addInitScript(() => {
    const refuse = {
      get() {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      },
    };
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) Object.defineProperty(window, name, refuse);
    Object.defineProperty(Document.prototype, 'cookie', refuse);
  });
  await page.goto(host.page({ src: service.applicationPage(await service.signIn(ACME)) }));
  await works(page);
});

test('no answer sets a cookie', async ({ page, host, service, context }) => {
  const setting = [];
  page.on('response', async (response) => {
    if ((await response.allHeaders())['set-cookie']) setting.push(response.url());
  });
  await page.goto(host.page({ src: service.applicationPage(await service.signIn(ACME)) }));
  await works(page);
  expect(setting).toEqual([]);
  expect(await context.cookies()).toEqual([]);
});

test('the token leaves the address, reaches no other request’s address and no log', async ({ page, host, service }) => {
  const token = await service.signIn(ACME, { user: 'lena' });
  const carrying = [];
  page.on('request', (request) => {
    const referer = request.headers().referer ?? '';
    if (!request.isNavigationRequest() && (request.url().includes(token) || referer.includes('jwt'))) carrying.push(request.url());
  });
  await page.goto(host.page({ src: service.applicationPage(token, { filter_region: '"south"' }) }));
  const frame = await embed(page);
  await expect.poll(() => frame.evaluate(() => location.href)).not.toContain('jwt');
  expect(await frame.evaluate(() => location.search)).toContain('filter_region');
  const dashboard = new Dashboard(frame);
  await dashboard.drawn();
  await dashboard.choose('Region', 'north');
  await expect.poll(async () => (await dashboard.rows('Revenue by region')).length).toBe(2);
  expect(carrying).toEqual([]);
  expect(service.log).not.toContain(token);
  expect(service.log).not.toContain(service.apiKey);
});

test('only the allowed host may frame the page', async ({ request, host, service }) => {
  const response = await request.get(service.applicationPage(await service.signIn(ACME)));
  const directives = response
    .headers()
    ['content-security-policy'].split(';')
    .map((directive) => directive.trim());
  expect(directives.find((directive) => directive.startsWith('frame-ancestors'))).toBe(`frame-ancestors ${host.origin}`);
  expect(response.headers()).not.toHaveProperty('x-frame-options');
});
