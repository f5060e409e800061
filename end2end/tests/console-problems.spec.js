// Error pages are shown within the console, with and without scripts, and link back.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { serious } from '../support/axe.js';
import { test as base, expect, hydrated } from '../support/fixtures.js';
import { OPERATOR, Service } from '../support/service.js';

/** @type {import('../support/types.js').TestWith<{ broken: Service, plain: import('@playwright/test').Page }>} */
const test = base.extend(
  /** @type {any} */ ({
    /** A service of this file's own, whose store breaks at the end. */
    broken: [
      async ({ host }, use) => {
        const service = await Service.start(host.origin, {});
        await use(service);
        await service.stop();
      },
      { scope: 'worker' },
    ],

    /** A browser without scripts. */
    plain: async ({ browser }, use) => {
      const context = await browser.newContext({ javaScriptEnabled: false });
      await use(await context.newPage());
      await context.close();
    },
  }),
);

// The browser's own lines about refused requests.
test.use({ allowedErrors: [/status of (4\d\d|500)/] });

const at = (service) => `${service.url}/console/projects/${service.project.projectId}`;
const NOWHERE = '019a0000-0000-7000-8000-000000000000';

/** Checks that the error is shown within the console, in the project, and in the page's title. */
async function inside(page, title, told) {
  await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible();
  await expect(page).toHaveTitle(`${title} · Inlay`);
  await expect(page.getByRole('alert')).toContainText(told);
  await expect(page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Connections' })).toBeVisible();
  await expect(page.getByText('Inlay', { exact: true }).filter({ visible: true })).toHaveCount(1);
}

async function signIn(page, service) {
  await page.goto(`${service.url}/console/sign-in`);
  await page.getByLabel('Email address').fill(OPERATOR.email);
  await page.getByLabel('Password').fill(OPERATOR.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Projects' })).toBeVisible();
}

test('what is not there is said where the reader is, and leads back', async ({ page, service }) => {
  await service.operate(page);
  await page.goto(`${at(service)}/charts`);
  await page.evaluate(
    (address) => {
      location.href = address;
    },
    `${at(service)}/charts/${NOWHERE}`,
  );
  await inside(page, 'Not found', 'It may have been deleted');
  await hydrated(page);
  for (const [width, colorScheme] of /** @type {const} */ ([
    [1280, 'light'],
    [1280, 'dark'],
  ])) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await serious(page)).toEqual([]);
  }
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page).toHaveURL(`${at(service)}/charts`);
  await page.goto(`${at(service)}/origins`);
  await inside(page, 'Nothing to show here', 'only accepts a form');
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await page.getByRole('link', { name: 'Go to the project' }).click();
  await expect(page).toHaveURL(at(service));
});

test('a form that nobody takes is told of beside it by the script, and on a page without one', async ({ page, plain, service }) => {
  await service.operate(page);
  const field = (one) => one.getByRole('textbox', { name: 'Allowed origins' });
  const large = async (one) => {
    await one.goto(at(service));
    if (one === page) await hydrated(one);
    await field(one).fill('x'.repeat(1_500_000));
    await one.getByRole('button', { name: 'Save', exact: true }).click();
  };
  await large(page);
  await expect(page.getByRole('alert')).toContainText('larger than 1 MiB');
  await expect(field(page)).toHaveValue(/^xxx/);
  await signIn(plain, service);
  await large(plain);
  await inside(plain, 'Too large', 'larger than 1 MiB');
  await plain.getByRole('link', { name: 'Back' }).click();
  await expect(plain).toHaveURL(at(service));

  // The session was renewed in another tab: the page's form belongs to the old one.
  await plain.goto(at(service));
  const other = await plain.context().newPage();
  await signIn(other, service);
  await plain.getByRole('button', { name: 'Save', exact: true }).click();
  await inside(plain, 'Not permitted', 'This form belongs to another session');
});

test('what goes wrong is said inside the console, with what the log knows it by', async ({ page, plain, broken }) => {
  await broken.operate(page);
  await signIn(plain, broken);
  const rename = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('ALTER TABLE roles RENAME TO lost')";
  execFileSync('python3', ['-c', rename, join(broken.folder, 'data', 'inlay.db')]);
  for (const one of [page, plain]) {
    const answer = await one.goto(`${at(broken)}/roles`);
    expect(answer.status()).toBe(500);
    await inside(one, 'Something went wrong', answer.headers()['x-request-id']);
    await expect(one.getByRole('link', { name: 'Try again' })).toHaveAttribute('href', new URL(`${at(broken)}/roles`).pathname);
  }
});
