// The fixtures of all browser tests: one service and one host per worker, and pages that must have no errors.
import { test as base, expect } from '@playwright/test';
import { Dashboard } from './dashboard.js';
import { Host } from './host.js';
import { Service } from './service.js';

export { expect };

/** Waits until a page or frame is interactive. Before that, clicks on the server's HTML are lost. */
export async function hydrated(surface) {
  await surface.locator('html[data-hydrated]').waitFor({ state: 'attached' });
}

/** The frame of the host page's n-th embed, hydrated. */
export async function embed(page, index = 0) {
  const element = await page.locator(`iframe[name="embed-${index}"]`).elementHandle();
  const frame = await element.contentFrame();
  await hydrated(frame);
  return frame;
}

/**
 * Visits a page until it uses its font from the start: the first visit may show a fallback, whose text is wider. `visit` opens
 * the page.
 */
export async function inItsFont(page, visit) {
  let cached = false;
  await expect(async () => {
    const had = cached;
    await visit();
    cached = await page.evaluate(() => [...document.fonts].some(({ status }) => status === 'loaded'));
    expect(had).toBe(true);
  }).toPass();
}

/** Fixtures for a project other than the tests' own, with its own service. */
export const inWorld = (world) => withService({ world });

/** Fixtures with a service that is started with these options. */
export const withService = (options) =>
  test.extend(
    /** @type {any} */ ({
      service: [
        async ({ host }, use) => {
          const service = await Service.start(host.origin, options);
          await use(service);
          await service.stop();
        },
        { scope: 'worker' },
      ],
    }),
  );

/** @type {import('./types.js').TestWith} */
export const test = base.extend(
  /** @type {any} */ ({
    /** Console errors that a test expects, such as the browser's line about a 404. */
    allowedErrors: [[], { option: true }],

    host: [
      async ({}, use) => {
        const host = await Host.start();
        await use(host);
        await host.stop();
      },
      { scope: 'worker' },
    ],

    service: [
      async ({ host }, use) => {
        const service = await Service.start(host.origin);
        await use(service);
        await service.stop();
      },
      { scope: 'worker' },
    ],

    /** Fails the test on a console error, an uncaught error or a panic in any page of the context. */
    errors: [
      async ({ context, allowedErrors }, use) => {
        const errors = [];
        const note = (text) => {
          if (!allowedErrors.some((allowed) => allowed.test(text))) errors.push(text);
        };
        context.on('console', (message) => {
          if (message.type() === 'error' || /panicked at/.test(message.text())) note(`${message.text()} (${message.location().url})`);
        });
        context.on('weberror', (error) => note(String(error.error().stack ?? error.error())));
        await use(errors);
        expect(errors, 'errors in the browser').toEqual([]);
      },
      { auto: true },
    ],

    /** Opens an application's page as a user of a company, without a host. */
    open: async ({ page, service }, use) => {
      await use(async (company, /** @type {import('./types.js').Opening} */ { parameters, application, ...user } = {}) => {
        const token = await service.signIn(company, user);
        const response = await page.goto(service.applicationPage(token, parameters, application));
        await hydrated(page);
        return Object.assign(new Dashboard(page), { response });
      });
    },
  }),
);
