// `Download image` of every chart: the server draws HTML charts from the same rows.
import { readFile } from 'node:fs/promises';
import { ACME } from '../support/data.js';
import { expect, inWorld } from '../support/fixtures.js';
import { GALLERY } from '../support/gallery.js';

const test = inWorld(GALLERY);

/** Width and height of a PNG, from its header. */
const size = (png) => ({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) });

async function image(page, dashboard, name) {
  const item = await dashboard.menuItem(name, 'Download image');
  const [download] = await Promise.all([page.waitForEvent('download'), item.click()]);
  const file = await readFile(await download.path());
  expect(download.suggestedFilename()).toBe(`${name}.png`);
  expect(file.subarray(1, 4).toString('latin1')).toBe('PNG');
  return file;
}

for (const name of ['Flights this month', 'Airlines', 'Flights by quarter', 'About', 'Busiest destinations', 'Arrivals by state']) {
  test(`${name} as an image`, async ({ open, page }) => {
    const dashboard = await open(ACME, { application: 'Gallery' });
    await dashboard.drawn();
    const file = await image(page, dashboard, name);
    const { width, height } = size(file);
    expect(width).toBeGreaterThan(400);
    expect(height).toBeGreaterThan(200);
    // An empty picture is a few hundred bytes.
    expect(file.length).toBeGreaterThan(4_000);
  });
}

test('an image holds all rows of a table, not only those in sight', async ({ open, page }) => {
  const dashboard = await open(ACME, { application: 'Gallery' });
  await dashboard.drawn();
  const answer = page.waitForResponse(
    (response) => response.url().includes('/share/fn/tile-picture') && response.request().postData().includes('"size":[720'),
  );
  await image(page, dashboard, 'Airlines');
  const svg = await (await answer).json();
  for (const text of ['Delta', 'Hawaiian', 'Total', '114,570', '33.4%', '$377.00']) expect(svg).toContain(text);
});
