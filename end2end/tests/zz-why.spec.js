import { test } from '../support/demo-fixtures.js';
import { expect } from '../support/fixtures.js';

test('why', async ({ demo, page }) => {
  test.setTimeout(100_000);
  page.setDefaultTimeout(10_000);
  const { embedUrl, token } = await demo.session('BOS', 'analyst');
  console.log(embedUrl.slice(0, 80));
  const url = new URL(embedUrl);
  url.searchParams.set('jwt', token);
  await page.goto(url.href);
  await page.waitForTimeout(3000);
  const number = page.getByRole('button', { name: /^Show the rows of Mean delay/ }).first();
  await page.screenshot({ path: '/tmp/why-0.png' });
  console.log(await page.getByRole('button').evaluateAll((all) => all.map((b) => b.getAttribute('aria-label') ?? b.textContent).join(' | ')));
  await number.click();
  const dialog = page.getByRole('dialog', { name: 'Drill down' });
  await dialog.getByRole('table').waitFor();
  await page.screenshot({ path: '/tmp/why-1.png' });
  await dialog.getByRole('button', { name: 'Why did it change?' }).click();
  await page.waitForTimeout(4000);
  await page.screenshot({ path: '/tmp/why-2.png' });
});
