// The exact look of the console: its font from the first visit on, right-aligned numbers, rows of one line; and an
// application's colours, typed or picked.
import { submit } from '../support/console.js';
import { ACME } from '../support/data.js';
import { expect, hydrated, test } from '../support/fixtures.js';

const field = (page, name) => page.getByLabel(name, { exact: true });
const projectPage = (service, rest) => `${service.url}/console/projects/${service.project.projectId}/${rest}`;

/** The first visit of a browser to the sign-in page: the widths of a text, the fonts that it asked for, how far things moved. */
async function firstVisit(browser, service) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const fonts = [];
  page.on('response', (response) => {
    if (response.url().includes('.woff2')) fonts.push(response);
  });
  await page.addInitScript(() => {
    window.moved = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.moved += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(`${service.url}/console/sign-in`);
  await hydrated(page);
  await expect.poll(() => page.evaluate(() => document.fonts.check('16px "Inter Variable"'))).toBe(true);
  // `optional` fonts that come late are not used on this visit, however well they are loaded: letters tell.
  const widths = await page.evaluate(() => {
    const measure = (family) => {
      const text = Object.assign(document.createElement('span'), { textContent: 'Sign in to Inlay, quickly: 0123456789' });
      Object.assign(text.style, { font: `16px ${family}`, position: 'absolute', whiteSpace: 'nowrap' });
      document.body.append(text);
      const { width } = text.getBoundingClientRect();
      text.remove();
      return width;
    };
    return [measure(getComputedStyle(document.body).fontFamily), measure('"Inter Variable", monospace'), measure('monospace')];
  });
  const names = fonts.map((font) => new URL(font.url()).pathname.split('/').at(-1));
  const bytes = (await fonts[0].body()).length;
  const moved = await page.evaluate(() => window.moved);
  await context.close();
  return { widths, names, bytes, moved };
}

test('the first visit is drawn in the console’s font, asks for it once, and does not move', async ({ browser, service }) => {
  // A busy machine may load the font later than the 0.1 s that browsers wait for it. At least one of several first visits must
  // have it.
  await expect(async () => {
    const { widths, names, bytes, moved } = await firstVisit(browser, service);
    expect(names).toEqual(['inter-latin.woff2']);
    expect(bytes).toBeLessThan(50_000);
    expect(moved).toBe(0);
    expect(widths[0]).toBe(widths[1]);
    expect(widths[1]).not.toBe(widths[2]);
  }).toPass();
});

test('what can be done with a row is in sight', async ({ page, service }) => {
  await service.operate(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  const organization = `${service.url}/console/organizations/${service.organizationId}`;
  for (const part of ['developer', 'members']) {
    await page.goto(`${organization}/${part}`);
    await hydrated(page);
    const hidden = await page
      .locator('.table')
      .evaluateAll((tables) => tables.map((table) => table.scrollWidth - table.clientWidth).filter((more) => more > 0));
    expect(hidden, part).toEqual([]);
  }
  await page.goto(projectPage(service, 'embed'));
  await hydrated(page);
  await page.getByLabel('Origin of your page').fill('https://elsewhere.example');
  await page.getByRole('button', { name: 'Try origin' }).click();
  await expect(page.locator('#origin-verdict')).toBeInViewport();
});

test('numbers and their headings stand on the right, thousands apart', async ({ page, service }) => {
  await service.signIn(ACME);
  await service.operate(page);
  await page.goto(projectPage(service, `connections/${service.project.connections.warehouse}/tables`));
  await hydrated(page);
  await page.getByRole('button', { name: 'Show rows of orders' }).click();
  const rows = page.getByRole('region', { name: 'First rows' });
  await expect(rows).toBeVisible();
  const aligned = (cell) => cell.evaluate((one) => [getComputedStyle(one).textAlign, getComputedStyle(one).fontVariantNumeric]);
  for (const [name, align] of [
    ['amount', 'right'],
    ['quantity', 'right'],
    ['region', 'left'],
  ]) {
    const heading = rows.getByRole('columnheader', { name, exact: true });
    const at = await heading.evaluate((one) => /** @type {HTMLTableCellElement} */ (one).cellIndex);
    expect((await aligned(heading))[0], name).toBe(align);
    const cell = await aligned(rows.locator('tbody tr').first().locator('td').nth(at));
    expect(
      cell.map((one) => one.replace('start', 'left')),
      name,
    ).toEqual([align, 'tabular-nums']);
  }
  await page.goto(projectPage(service, 'charts/new'));
  await hydrated(page);
  await field(page, 'Name').fill('Large');
  await field(page, 'Connection').selectOption({ label: 'warehouse' });
  await field(page, 'Query').fill('select 1234567 as id, 1234567 as worth, -98765.5 as owed, 2024 as year from orders limit 1');
  await page.getByLabel('Try as').selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Try', exact: true }).click();
  const cells = page.getByRole('region', { name: 'Rows', exact: true }).locator('tbody td');
  await expect(cells).toHaveText(['1234567', '1,234,567', '−98,765.5', '2024']);
});

test('what can be done with a row stands in one line from 700 pixels on', async ({ page, service }) => {
  await service.operate(page);
  await page.goto(projectPage(service, `applications/${service.application()}`));
  await hydrated(page);
  for (const width of [700, 960, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    const tops = await page
      .getByRole('group', { name: 'Move Details' })
      .getByRole('button')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(tops.length, 'up and down').toBe(2);
    expect(new Set(tops).size, `at ${width} px`).toBe(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `at ${width} px`).toBeLessThanOrEqual(0);
  }
});

test('a colour is typed or picked, both in step, and the preview follows', async ({ page, service }) => {
  await service.operate(page);
  await page.goto(projectPage(service, 'applications'));
  await hydrated(page);
  await submit(page, { Name: 'Shop, painted' }, 'Create application');
  await expect(page.getByRole('heading', { level: 1, name: 'Shop, painted' })).toBeVisible();
  const [text, picker] = [field(page, 'Accent'), field(page, 'Pick: Accent')];
  const accent = () => page.locator('[data-variables]').evaluate((look) => look.style.getPropertyValue('--accent'));
  const before = await accent();
  await expect(picker, 'what it is while nobody chooses').toHaveValue(before);
  await text.fill('#a0c');
  await expect(picker).toHaveValue('#aa00cc');
  await expect.poll(accent).not.toBe(before);
  const typed = await accent();
  await picker.fill('#006644');
  await expect(text).toHaveValue('#006644');
  await expect.poll(accent).not.toBe(typed);

  await text.fill('green');
  await expect(text).toHaveAttribute('aria-invalid', 'true');
  await expect(text).toHaveAccessibleDescription(/is not a colour; write one like #0b5fff/i);
  await expect(picker, 'the last colour that was one').toHaveValue('#006644');
  await picker.fill('#113355');
  await expect(text).toHaveValue('#113355');
  await expect(text).not.toHaveAttribute('aria-invalid', 'true');

  const palette = field(page, 'Colours of series');
  await palette.fill('#111111\n#22');
  await expect(palette).toHaveAccessibleDescription(/is not a colour/i);
  await field(page, 'Colour of series 2').fill('#222222');
  await expect(palette).toHaveValue('#111111\n#222222');
  await page.getByRole('button', { name: 'Add a colour' }).click();
  await expect(palette).toHaveValue('#111111\n#222222\n#113355');
  await expect(field(page, 'Colour of series 3')).toBeFocused();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved. Pages use it when they are next opened.')).toBeVisible();
  await expect(field(page, 'Accent')).toHaveValue('#113355');
  await expect(field(page, 'Colour of series 3')).toHaveValue('#113355');
  // The tests share the project.
  await page.getByRole('button', { name: 'Delete application' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete application' }).click();
  await expect(page.getByText('Application deleted.')).toBeVisible();
});
