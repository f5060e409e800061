// Downloads: a chart's rows as an Excel workbook, a dashboard as PDF. Both only contain the viewer's rows and can be hidden.
import { readFile } from 'node:fs/promises';
import { ACME } from '../support/data.js';
import { expect, test } from '../support/fixtures.js';

const pdfButton = (dashboard) => dashboard.surface.getByRole('button', { name: 'Download PDF' });

async function downloaded(page, start) {
  const [download] = await Promise.all([page.waitForEvent('download'), start()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

test('`Download XLSX` gives a workbook', async ({ open, page }) => {
  const dashboard = await open(ACME);
  await dashboard.drawn();
  const item = await dashboard.menuItem('Revenue by region', 'Download XLSX');
  const { name, bytes } = await downloaded(page, () => item.click());
  expect(name).toBe('Revenue by region.xlsx');
  expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
});

test('`Download PDF` gives the dashboard as pages of vectors', async ({ open, page }) => {
  const dashboard = await open(ACME, { parameters: { filter_region: '"south"' } });
  await dashboard.drawn();
  const { name, bytes } = await downloaded(page, () => pdfButton(dashboard).click());
  expect(name).toBe('Overview.pdf');
  const text = bytes.toString('latin1');
  expect(text.startsWith('%PDF-')).toBe(true);
  // Four rows of charts: two on each page.
  expect(text.match(/\/Type\s*\/Page\b/g)?.length ?? 0).toBe(2);
  expect(text).toContain('/Title(Overview)');
  expect(text).not.toMatch(/\/Subtype\s*\/Image/);
});

test('each download has its flag', async ({ open, page }) => {
  const without = await open(ACME, { role: 'Without downloads', user: 'no-downloads' });
  await expect(without.title).toBeVisible();
  await expect(pdfButton(without)).toHaveCount(0);
  const hidden = await open(ACME, { parameters: { hideDownloadButton: 'true' } });
  await hidden.drawn();
  await expect(pdfButton(hidden)).toBeVisible();
  await hidden.chart('Revenue by region').hover();
  await hidden.menuButton('Revenue by region').click();
  await expect(page.getByRole('menuitem', { name: 'Show data' })).toBeVisible();
  for (const name of ['Download CSV', 'Download XLSX']) await expect(page.getByRole('menuitem', { name })).toHaveCount(0);
});
