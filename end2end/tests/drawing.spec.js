// Server and browser draw the same picture of a chart, and nothing is cut off.

import { cutOff, Dashboard } from '../support/dashboard.js';
import { ACME } from '../support/data.js';
import { expect, hydrated, inItsFont, test } from '../support/fixtures.js';
import { FILTERED, UNFILTERED } from '../support/project.js';

const DRAWN = [...FILTERED, ...UNFILTERED].filter((name) => name !== 'Revenue');

/** The colours that fill a chart's marks, as the browser computes them. */
function fills(figure) {
  const svg = [...figure.querySelectorAll('svg')].filter((one) => one.getBoundingClientRect().width > 100).at(-1);
  const marks = [...svg.querySelectorAll('path, rect, circle')].filter((mark) => mark.getBoundingClientRect().width > 5);
  return [...new Set(marks.map((mark) => getComputedStyle(mark).fill))].toSorted();
}

for (const javaScriptEnabled of [false, true]) {
  test.describe(javaScriptEnabled ? 'in the browser' : 'from the server', () => {
    test.use({ javaScriptEnabled });

    test('no text is cut off', async ({ page, service }) => {
      const address = service.applicationPage(await service.signIn(ACME));
      const dashboard = new Dashboard(page);
      await inItsFont(page, async () => {
        await page.goto(address);
        if (javaScriptEnabled) await hydrated(page);
        await dashboard.drawn();
      });
      const cut = {};
      for (const name of DRAWN) cut[name] = await dashboard.chart(name).evaluate(cutOff);
      expect(cut).toEqual(Object.fromEntries(DRAWN.map((name) => [name, []])));
    });

    test('a heatmap’s colours tell its values apart', async ({ page, service }) => {
      await page.goto(service.applicationPage(await service.signIn(ACME)));
      if (javaScriptEnabled) await hydrated(page);
      const dashboard = new Dashboard(page);
      await dashboard.drawn();
      expect((await dashboard.chart('Region and category').evaluate(fills)).length).toBeGreaterThan(6);
    });
  });
}
