// The Health page: what needs attention, with the way to mend it, on a desk and on a phone.
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { serious } from '../support/axe.js';
import { test as base, expect } from '../support/fixtures.js';
import { Service } from '../support/service.js';

/** @type {import('../support/types.js').TestWith<{ ailing: Service }>} */
const test = base.extend(
  /** @type {any} */ ({
    /** A service of this file's own, whose database is taken away. */
    ailing: [
      async ({ host }, use) => {
        const service = await Service.start(host.origin, {});
        await use(service);
        await service.stop();
      },
      { scope: 'worker' },
    ],
  }),
);

const health = (service) => `${service.url}/console/projects/${service.project.projectId}/health`;
const problems = (page) => page.getByRole('list', { name: 'Needs attention' }).getByRole('listitem');

test('the navigation leads to it, and it says what was found fine', async ({ page, service }) => {
  await service.operate(page);
  await page.goto(`${service.url}/console/projects/${service.project.projectId}`);
  const link = page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Health', exact: true });
  await link.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Health', exact: true })).toBeVisible();
  await expect(link).toHaveAttribute('aria-current', 'page');
  const checked = page.locator('section', { has: page.getByRole('heading', { name: 'Checked', exact: true }) });
  await expect(checked.getByRole('listitem').filter({ hasText: /connections? responds?$/ })).toBeVisible();
});

test('a database that is gone is broken, comes first and leads to its connection', async ({ page, ailing }) => {
  await ailing.operate(page);
  await rename(join(ailing.folder, 'warehouse.db'), join(ailing.folder, 'elsewhere.db'));
  await page.goto(health(ailing));
  const first = problems(page).first();
  await expect(first).toContainText('Broken');
  await expect(first).toContainText('Connection warehouse does not work.');
  await expect(first.getByText('Failing since').locator('time')).toBeVisible();
  for (const [width, colorScheme] of /** @type {const} */ ([
    [1280, 'light'],
    [390, 'dark'],
  ])) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(await serious(page)).toEqual([]);
  }
  await first.getByRole('link', { name: 'Open the connection' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'warehouse', exact: true })).toBeVisible();

  await rename(join(ailing.folder, 'elsewhere.db'), join(ailing.folder, 'warehouse.db'));
  await page.goBack();
  await page.getByRole('link', { name: 'Check again' }).click();
  await expect(problems(page).filter({ hasText: 'Connection warehouse' })).toHaveCount(0);
});
