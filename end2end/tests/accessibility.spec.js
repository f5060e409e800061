// axe finds nothing serious, in light and dark colours, in the states that a viewer sees.
import { serious } from '../support/axe.js';
import { ACME } from '../support/data.js';
import { expect, hydrated, test } from '../support/fixtures.js';

for (const application of ['Shop', 'Shop at night']) {
  test.describe(application, () => {
    test('a dashboard, with a menu and a table open', async ({ open, page }) => {
      const dashboard = await open(ACME, { application });
      await dashboard.drawn();
      expect(await serious(page)).toEqual([]);
      await dashboard.rows('Revenue by region');
      await dashboard.menuItem('Revenue by month', 'Show data');
      expect(await serious(page)).toEqual([]);
    });

    test('a select filter open', async ({ open, page }) => {
      const dashboard = await open(ACME, { application });
      await dashboard.drawn();
      await dashboard.filters.getByRole('combobox', { name: 'Region', exact: true }).click();
      await expect(page.getByRole('option').first()).toBeVisible();
      expect(await serious(page)).toEqual([]);
    });

    test('an editor', async ({ open, page }) => {
      const dashboard = await open(ACME, { application, user: 'ed', role: 'Editor' });
      await dashboard.drawn();
      expect(await serious(page)).toEqual([]);
    });
  });
}

test.describe('a message', () => {
  test.use({ allowedErrors: [/status of 401/] });

  test('stands in a page without faults', async ({ page, service }) => {
    await page.goto(service.applicationPage('x'));
    await hydrated(page);
    expect(await serious(page)).toEqual([]);
  });
});
