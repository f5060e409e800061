// URL parameters and roles that hide parts of the page. Parameters never grant anything, and only `true` turns one on.
import { ACME } from '../support/data.js';
import { expect, test } from '../support/fixtures.js';

const EDITING = ['Add', 'Actions', 'Save'];

test('`hideHeader` takes the title, and only `true` does', async ({ open }) => {
  const dashboard = await open(ACME, { parameters: { hideHeader: 'true' } });
  await expect(dashboard.charts.first()).toBeVisible();
  await expect(dashboard.title).toHaveCount(0);
  for (const hideHeader of ['false', '1', 'TRUE', '']) {
    await expect((await open(ACME, { parameters: { hideHeader } })).title).toHaveText('Overview');
  }
});

test('`hideDownloadButton` takes the download of each chart', async ({ open }) => {
  const hidden = await open(ACME, { parameters: { hideDownloadButton: 'true' } });
  await expect(await hidden.menuItem('Revenue by region', 'Show data')).toBeVisible();
  await expect(hidden.surface.getByRole('menuitem', { name: 'Download CSV' })).toHaveCount(0);
  const shown = await open(ACME);
  await expect(await shown.menuItem('Revenue by region', 'Download CSV')).toBeVisible();
});

test('`transparent` lets the host shine through', async ({ open, page }) => {
  const background = () =>
    page.evaluate(() => [document.documentElement, document.body].map((element) => getComputedStyle(element).backgroundColor));
  await open(ACME, { parameters: { transparent: 'true' } });
  expect(await background()).toEqual(['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)']);
  await open(ACME);
  expect(await background()).toContain('rgb(255, 255, 255)');
});

test('the role `hideHeader` takes the whole header', async ({ open }) => {
  const dashboard = await open(ACME, { user: 'hugo', role: 'Without header' });
  await dashboard.drawn();
  await expect(dashboard.title).toHaveCount(0);
  await expect(dashboard.surface.getByRole('button', { name: 'Download PDF' })).toHaveCount(0);
});

test('the role `hideFilters` takes the filter bar, and filters of the address still narrow', async ({ open }) => {
  const dashboard = await open(ACME, { user: 'fay', role: 'Without filters', parameters: { filter_region: '"north"' } });
  await dashboard.drawn();
  await expect(dashboard.filters).toHaveCount(0);
  expect((await dashboard.rows('Revenue by region')).map(([region]) => region)).toEqual(['north']);
});

test('a view-only user gets no editing tools', async ({ open }) => {
  const dashboard = await open(ACME);
  await dashboard.drawn();
  for (const name of EDITING) await expect(dashboard.surface.getByRole('button', { name, exact: true })).toHaveCount(0);
});
