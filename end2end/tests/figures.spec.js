// What a chart is made of: HTML or one SVG (docs/spec/contract.md, section 10).
import { ACME } from '../support/data.js';
import { expect, inWorld } from '../support/fixtures.js';
import { DRAWN, GALLERY } from '../support/gallery.js';

const test = inWorld(GALLERY);
const HTML = ['number', 'table', 'pivot', 'text'];
const TYPES = Object.fromEntries(GALLERY.project('').charts.map(({ name, type }) => [name, type]));

test('number, table, pivot and text are HTML in their figure, all others one SVG', async ({ open }) => {
  const dashboard = await open(ACME, { application: 'Gallery' });
  await dashboard.drawn();
  for (const name of DRAWN) {
    const plot = dashboard.chart(name).locator('.plot');
    await expect(plot, name).toHaveCount(HTML.includes(TYPES[name]) ? 0 : 1);
    if (!HTML.includes(TYPES[name])) await expect(plot.locator('svg'), name).toHaveCount(1);
  }
});
