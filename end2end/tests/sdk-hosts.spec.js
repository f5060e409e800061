// Each example host with its client: a browser signs in and sees only its company's figures.
import { Dashboard } from '../support/dashboard.js';
import { test as base, expect, hydrated } from '../support/fixtures.js';
import { applyShop, HOSTS, origins, start } from '../support/hosts.js';

/** The sums of the shop's orders, by company. */
const REVENUE = { ann: 41_440, gus: 65_120 };
const NAMES = Object.keys(HOSTS);

/** @type {import('../support/types.js').TestWith<{ shop: { project: any, origin: Record<string, string> } }>} */
const test = base.extend(
  /** @type {any} */ ({
    shop: [
      async ({ service }, use) => {
        const where = await origins(NAMES.length);
        const project = await applyShop(service, where);
        await use({ project, origin: Object.fromEntries(NAMES.map((name, index) => [name, where[index]])) });
      },
      { scope: 'worker' },
    ],
  }),
);

async function signIn(page, origin, user) {
  await page.goto(origin);
  await page.getByLabel('Who are you?').selectOption(user);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const element = await page.locator('iframe[title="Your figures"]').elementHandle();
  const frame = await element.contentFrame();
  await hydrated(frame);
  const dashboard = new Dashboard(frame);
  await dashboard.drawn();
  return dashboard;
}

for (const name of NAMES) {
  test.describe(`the host in ${name}`, () => {
    test.use({ allowedErrors: [/^Failed to load resource/] });

    test('shows each of its users their own company', async ({ page, service, shop }) => {
      const host = await start(name, shop.origin[name], service, shop.project);
      try {
        for (const [user, revenue] of Object.entries(REVENUE)) {
          const dashboard = await signIn(page, shop.origin[name], user);
          expect(await dashboard.rows('Revenue')).toEqual([[revenue]]);
          const html = await page.content();
          expect(html).not.toContain(service.apiKey);
          await page.getByRole('button', { name: 'Sign out' }).click();
          await expect(page.getByLabel('Who are you?')).toBeVisible();
        }
        const signedOut = await page.request.post(`${shop.origin[name]}/token`);
        expect(signedOut.status()).toBe(401);
      } finally {
        await host.stop();
      }
    });

    test('tells its users nothing of what Inlay tells it', async ({ page, service, shop }) => {
      const host = await start(name, shop.origin[name], { url: service.url, apiKey: 'inlay_0190_wrong' }, shop.project);
      try {
        await page.goto(shop.origin[name]);
        await page.getByLabel('Who are you?').selectOption('ann');
        await page.getByRole('button', { name: 'Sign in' }).click();
        await expect(page.getByRole('alert')).toHaveText('Your figures cannot be shown right now. We try again.');
        const answer = await page.request.post(`${shop.origin[name]}/token`);
        expect([answer.status(), await answer.text()]).toEqual([502, '']);
        expect(host.log).toMatch(/API key/i);
        expect(host.log).not.toContain('0190_wrong');
      } finally {
        await host.stop();
      }
    });
  });
}
