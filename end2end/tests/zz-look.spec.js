import { Demo } from '../support/demo.js';
import { Dashboard } from '../support/dashboard.js';
import { test } from '../support/fixtures.js';

test('looks', async ({ browser }) => {
  test.setTimeout(180_000);
  const demo = await Demo.start();
  for (const [width, height, scheme] of [[1440, 900, 'light'], [390, 844, 'light']]) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
    const page = await context.newPage();
    await page.goto(await demo.page('ATL', 'analyst'));
    const dashboard = new Dashboard(page);
    await dashboard.drawn();
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `/tmp/looks/page-${width}.png` });
    const select = page.getByRole('combobox', { name: 'Destination' });
    await select.click();
    await page.waitForTimeout(800);
    await page.screenshot({ path: `/tmp/looks/filter-${width}.png` });
    await select.fill('chi');
    await page.waitForTimeout(800);
    await page.screenshot({ path: `/tmp/looks/filter-search-${width}.png` });
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.waitForTimeout(1200);
    await page.screenshot({ path: `/tmp/looks/filter-chosen-${width}.png` });
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('menuitem', { name: 'New chart', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'New chart' });
    await dialog.getByRole('figure', { name: 'Preview' }).locator('svg').first().waitFor();
    await page.waitForTimeout(800);
    await page.screenshot({ path: `/tmp/looks/builder-${width}.png` });
    await dialog.getByText('More types').click();
    await dialog.getByRole('radio', { name: 'Heatmap' }).check();
    await page.waitForTimeout(800);
    await page.screenshot({ path: `/tmp/looks/builder-misfit-${width}.png` });
    await dialog.getByRole('button', { name: 'Add a group' }).click();
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `/tmp/looks/builder-heat-${width}.png` });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Chart from library', exact: true }).click();
    await page.waitForTimeout(1000);
    await page.screenshot({ path: `/tmp/looks/library-${width}.png` });
    await context.close();
  }
  await demo.stop?.();
});
