// From phone to wide desktop: nothing scrolls sideways, and every chart is within the page.

import { Dashboard } from '../support/dashboard.js';
import { ACME } from '../support/data.js';
import { embed, expect, test } from '../support/fixtures.js';
import { FILTERED } from '../support/project.js';

for (const width of [375, 768, 1280, 1920]) {
  test(`at ${width} pixels nothing scrolls sideways`, async ({ page, host, service }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(host.page({ src: service.applicationPage(await service.signIn(ACME)) }));
    const frame = await embed(page);
    const dashboard = new Dashboard(frame);
    await dashboard.drawn();
    const { scrolled, inside } = await frame.evaluate(() => ({
      scrolled: document.documentElement.scrollWidth,
      inside: document.documentElement.clientWidth,
    }));
    expect(scrolled).toBeLessThanOrEqual(inside);
    for (const figure of await dashboard.charts.all()) {
      const box = await figure.boundingBox();
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
    }
    for (const name of FILTERED.filter((chart) => chart !== 'Revenue')) {
      expect((await dashboard.drawing(name)).width, name).toBeLessThanOrEqual((await dashboard.chart(name).boundingBox()).width);
    }
  });
}

test('charts follow the width of the page', async ({ open, page }) => {
  const dashboard = await open(ACME);
  await dashboard.drawn();
  const width = async () => (await dashboard.drawing('Revenue by region')).width;
  const before = await width();
  await page.setViewportSize({ width: 700, height: 900 });
  await expect.poll(width).toBeLessThan(before);
});
