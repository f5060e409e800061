// Fixtures of the demo, and what its host products' pages embed.
import { Dashboard } from './dashboard.js';
import { Demo } from './demo.js';
import { test as base, hydrated } from './fixtures.js';

/** Tests with a demo of their worker. @type {import('./types.js').TestWith<{ demo: Demo }>} */
export const test = base.extend(
  /** @type {any} */ ({
    demo: [
      async ({}, use) => {
        const demo = await Demo.start();
        await use(demo);
        await demo.stop();
      },
      { scope: 'worker', timeout: 180_000 },
    ],
  }),
);

/** The frame with a customer's analytics, by the customer's name on the page. */
export async function framed(page, customer) {
  const element = await page.locator(`iframe[title="Analytics of ${customer}"]`).elementHandle();
  const frame = await element.contentFrame();
  await hydrated(frame);
  return frame;
}

/** A customer's dashboard in the page, drawn. */
export async function analytics(page, customer) {
  const dashboard = new Dashboard(await framed(page, customer));
  await dashboard.drawn();
  return dashboard;
}
