// On paper: only the dashboard, in light colours, with its name and the date, and without charts across pages.
import { ACME } from '../support/data.js';
import { expect, inWorld } from '../support/fixtures.js';
import { GALLERY } from '../support/gallery.js';

const test = inWorld(GALLERY);

for (const application of ['Gallery', 'Gallery at night']) {
  test(`${application} on paper`, async ({ open, page }) => {
    const dashboard = await open(ACME, { application });
    await dashboard.drawn();
    await page.emulateMedia({ media: 'print' });
    await expect(dashboard.navigation).toBeHidden();
    await expect(dashboard.tabs).toBeHidden();
    await expect(page.getByRole('button', { name: 'Download PDF' })).toBeHidden();
    await expect(dashboard.title).toBeVisible();
    const look = await page.evaluate(() => ({
      ground: getComputedStyle(document.documentElement).backgroundColor,
      text: getComputedStyle(document.body).color,
      day: getComputedStyle(document.documentElement, '::before').content,
    }));
    expect(look.ground).toBe('rgb(255, 255, 255)');
    expect(look.text).toBe('rgb(28, 33, 41)');
    expect(look.day).toMatch(/^"[A-Z][a-z]{2} \d{1,2}, 20\d\d"$/);
    await page.emulateMedia({ media: null });
    const file = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    const pages = file.match(/\/Type\s*\/Page\b/g).length;
    expect(pages).toBeGreaterThan(3);
    const [, width, height] = file.match(/\/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)\s*\]/);
    expect(Number(width)).toBeGreaterThan(Number(height));
  });
}

test('charts are as wide on paper as their cards', async ({ open, page }) => {
  const dashboard = await open(ACME, { application: 'Gallery' });
  await dashboard.drawn();
  // The width of the paper without its margins. The page does not know it: its charts were drawn for the screen.
  const before = (await dashboard.drawing('Punctuality')).width;
  await page.evaluate(() => {
    document.documentElement.style.width = '900px';
  });
  await page.emulateMedia({ media: 'print' });
  await expect.poll(async () => (await dashboard.drawing('Punctuality')).width).toBeLessThan(before);
  await expect
    .poll(async () => {
      const [card, drawing] = [await dashboard.chart('Punctuality').boundingBox(), await dashboard.drawing('Punctuality')];
      return drawing.x + drawing.width - card.x - card.width;
    })
    .toBeLessThanOrEqual(0);
});
