import { Dashboard } from '../support/dashboard.js';
import { Demo } from '../support/demo.js';
import { test, expect, hydrated } from '../support/fixtures.js';

test('look', async ({ browser }) => {
  test.setTimeout(300_000);
  const demo = await Demo.start();
  const shoot = async (name, url, size, act) => {
    const page = await browser.newPage({ viewport: size });
    await page.goto(url);
    await hydrated(page);
    const dashboard = new Dashboard(page);
    await dashboard.drawn();
    if (act) await act(page, dashboard);
    await page.waitForTimeout(600);
    await page.screenshot({ path: `/tmp/looks/${name}.png`, fullPage: false });
    await page.close();
  };
  const url = await demo.page('ORD', 'viewer');
  await shoot('v1024', url, { width: 1024, height: 1300 }, async (page, dashboard) => {
    await dashboard.chart('On time, 30 days').hover();
  });
  await shoot('v390', url, { width: 390, height: 800 });
  await shoot('bar', url, { width: 1440, height: 1200 }, async (page, dashboard) => {
    const chart = dashboard.chart('Busiest destinations');
    await chart.hover();
    await page.waitForTimeout(1500);
    const box = await chart.boundingBox();
    await page.mouse.click(box.x + box.width * 0.5, box.y + 63);
    await page.waitForTimeout(2500);
  });
  await shoot('drill', await demo.page('ORD', 'analyst'), { width: 1440, height: 1200 }, async (page, dashboard) => {
    const chart = dashboard.chart('Busiest destinations');
    await chart.hover();
    await page.waitForTimeout(1500);
    const box = await chart.boundingBox();
    await page.mouse.click(box.x + box.width * 0.5, box.y + 63);
    await page.waitForTimeout(2500);
  });
  await demo.stop();
  expect(true).toBe(true);
});
