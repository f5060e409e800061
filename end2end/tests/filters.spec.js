// Filters narrow the charts, request only the charts that they affect, and can be cleared.
import { ACME, expected } from '../support/data.js';
import { expect, test } from '../support/fixtures.js';
import { FILTERED, UNFILTERED } from '../support/project.js';

/** Records the names of the charts whose rows the page requests. */
function asked(page, service) {
  const names = Object.fromEntries([...FILTERED, ...UNFILTERED].map((name) => [service.chart(name), name]));
  const seen = [];
  page.on('request', (request) => {
    if (request.method() !== 'POST' || !request.url().includes('/share/fn/tile-data')) return;
    seen.push(
      ...Object.keys(names)
        .filter((id) => request.postData().includes(id))
        .map((id) => names[id]),
    );
  });
  return seen;
}

test('a select filter narrows the charts that read its table, and only those are asked again', async ({ open, page, service }) => {
  const dashboard = await open(ACME);
  await dashboard.drawn();
  const charts = asked(page, service);
  await dashboard.choose('Region', 'south');
  for (const chart of ['Revenue', 'Revenue by month', 'Region and category']) {
    await expect.poll(() => dashboard.rows(chart), chart).toEqual(expected(chart, ACME, { region: 'south' }));
  }
  for (const chart of UNFILTERED) expect(await dashboard.rows(chart), chart).toEqual(expected(chart, ACME));
  expect(charts.toSorted()).toEqual(FILTERED.toSorted());
});

test('a value with a quote in it is a value', async ({ open }) => {
  const dashboard = await open(ACME, { parameters: { filter_region: JSON.stringify("o'west") } });
  await dashboard.drawn();
  expect(await dashboard.rows('Revenue by month')).toEqual(expected('Revenue by month', ACME, { region: "o'west" }));
});

test('several values of a select are any of them', async ({ open }) => {
  const dashboard = await open(ACME);
  await dashboard.drawn();
  await dashboard.choose('Region', 'south');
  await dashboard.choose('Region', 'east');
  const both = [...expected('Revenue by region', ACME, { region: 'east' }), ...expected('Revenue by region', ACME, { region: 'south' })];
  await expect.poll(() => dashboard.rows('Revenue by region')).toEqual(both);
});

test('a date range keeps its first day and leaves out the first day after it', async ({ open }) => {
  const period = { from: '2024-02-01', to: '2024-04-01' };
  const dashboard = await open(ACME, { parameters: { filter_period: JSON.stringify(period) } });
  await dashboard.drawn();
  expect(await dashboard.rows('Revenue by month')).toEqual(expected('Revenue by month', ACME, period));
  await expect(dashboard.filters.getByLabel('Period from')).toHaveValue('2024-02-01');
});

test('an end before the beginning empties the other input', async ({ open }) => {
  const period = { from: '2024-03-01', to: '2024-04-01' };
  const dashboard = await open(ACME, { parameters: { filter_period: JSON.stringify(period) } });
  await dashboard.drawn();
  await dashboard.filters.getByLabel('Period to').fill('2024-02-15');
  await dashboard.filters.getByLabel('Period to').press('Tab');
  await expect(dashboard.filters.getByLabel('Period from')).toHaveValue('');
  await expect.poll(() => dashboard.rows('Revenue by month')).toEqual(expected('Revenue by month', ACME, { to: '2024-02-16' }));
});

test('a period without data is told once, and leads to the days that have some', async ({ open, page }) => {
  const dashboard = await open(ACME, { parameters: { filter_period: JSON.stringify({ relative: 'last_30_days' }) } });
  const message = page.getByRole('status').filter({ hasText: 'No data in this period.' });
  await expect(message).toContainText(/There is data from Jan \d+, 2024 to \w+ \d+, 2024\./);
  for (const name of FILTERED.filter((name) => name !== 'Revenue')) {
    await expect(dashboard.chart(name)).toHaveAttribute('data-state', 'empty');
    await expect(dashboard.chart(name).getByRole('button', { name: 'Clear filters' })).toHaveCount(0);
  }
  await message.getByRole('button', { name: /^Show / }).click();
  await expect(message).toBeHidden();
  await expect.poll(() => dashboard.rows('Revenue by month').then((rows) => rows.length)).toBeGreaterThan(0);
  await expect(dashboard.filters.getByLabel('Period from')).toHaveValue(/^2024-/);
});

test('a value without rows is told once, and the filters can be cleared', async ({ open, page }) => {
  const dashboard = await open(ACME, { parameters: { filter_region: JSON.stringify('nowhere') } });
  const message = page.getByRole('status').filter({ hasText: 'No chart has data for these filters.' });
  await message.getByRole('button', { name: 'Clear filters' }).click();
  await expect(message).toBeHidden();
  await dashboard.drawn();
  expect(await dashboard.rows('Revenue by month')).toEqual(expected('Revenue by month', ACME));
});

test('dates are set by hand', async ({ open }) => {
  const dashboard = await open(ACME);
  await dashboard.drawn();
  await dashboard.filters.getByLabel('Period from').fill('2024-05-01');
  await dashboard.filters.getByLabel('Period from').press('Tab');
  await expect.poll(() => dashboard.rows('Revenue by month')).toEqual(expected('Revenue by month', ACME, { from: '2024-05-01' }));
});

test('a period without rows shows each chart as empty, and `Clear filters` brings everything back', async ({ open }) => {
  const dashboard = await open(ACME, { parameters: { filter_period: '{"relative":"today"}' } });
  await expect(dashboard.chart('Revenue by month')).toHaveAttribute('data-state', 'empty');
  await expect(dashboard.chart('Stock by depot')).toHaveAttribute('data-state', 'ready');
  await dashboard.filters.getByRole('button', { name: 'Clear filters' }).click();
  await dashboard.drawn();
  expect(await dashboard.rows('Revenue by month')).toEqual(expected('Revenue by month', ACME));
});

test('filters are held while another dashboard opens and the first is opened again', async ({ open }) => {
  const dashboard = await open(ACME);
  await dashboard.drawn();
  await dashboard.choose('Region', 'south');
  await expect.poll(() => dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME, { region: 'south' }));
  await dashboard.navigation.getByText('Details', { exact: true }).click();
  await expect(dashboard.title).toHaveText('Details');
  await dashboard.navigation.getByText('Overview', { exact: true }).click();
  await expect(dashboard.title).toHaveText('Overview');
  await dashboard.drawn();
  expect(await dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME, { region: 'south' }));
});

/** Answers the requests for a filter's choices late. Returns what lets them through. */
async function holdChoices(page, answer = (route) => route.continue()) {
  /** @type {() => void} */
  let release = () => {};
  const released = new Promise((resolve) => {
    release = () => resolve(undefined);
  });
  await page.route('**/share/fn/filter-choices', async (route) => {
    await released;
    await answer(route);
  });
  return release;
}

for (const [name, keys, chosen] of [
  ['typed text and Enter', ['s', 'o', 'u', 'Enter'], 'south'],
  ['typed text, an arrow and Enter', ['o', 'r', 't', 'h', 'ArrowDown', 'Enter'], 'north'],
  ['Enter and then Escape', ['s', 'o', 'u', 'Enter', 'Escape'], 'south'],
  ['Enter and then Tab', ['s', 'o', 'u', 'Enter', 'Tab'], 'south'],
  ['more text after a choice', ['s', 'o', 'u', 'Enter', 't'], 'south'],
]) {
  test(`keys that are pressed while the choices are on their way are not lost: ${name}`, async ({ open, page }) => {
    const dashboard = await open(ACME);
    await dashboard.drawn();
    const release = await holdChoices(page);
    const field = dashboard.filters.getByRole('combobox', { name: 'Region', exact: true });
    await field.focus();
    await page.keyboard.press('Enter');
    await expect(dashboard.filters.getByText('Loading…')).toBeVisible();
    for (const key of keys) await page.keyboard.press(key);
    expect(await dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME));
    release();
    await expect.poll(() => dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME, { region: chosen }));
    if (['Escape', 'Tab'].includes(keys.at(-1))) await expect(field).toHaveAttribute('aria-expanded', 'false');
  });
}

test('arrows that are pressed early lead to the same option as late ones', async ({ open, page }) => {
  const dashboard = await open(ACME);
  await dashboard.drawn();
  const field = dashboard.filters.getByRole('combobox', { name: 'Region', exact: true });
  await field.click();
  const options = dashboard.filters.getByRole('option');
  await expect(options.first()).toBeVisible();
  const second = (await options.nth(1).locator('.select-text').innerText()).trim();
  await page.keyboard.press('Escape');
  const again = await open(ACME);
  await again.drawn();
  const release = await holdChoices(page);
  await again.filters.getByRole('combobox', { name: 'Region', exact: true }).focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  release();
  await expect.poll(() => again.rows('Revenue')).toEqual(expected('Revenue', ACME, { region: second }));
});

test.describe('choices that do not come', () => {
  test.use({ allowedErrors: [/status of 503/] });

  test('choose nothing, and the next list works', async ({ open, page }) => {
    const dashboard = await open(ACME, { parameters: { filter_region: '"south"' } });
    await dashboard.drawn();
    const refusal = { status: 503, json: { code: 'UNAVAILABLE', message: 'Not now.' } };
    const release = await holdChoices(page, (route) => route.fulfill(refusal));
    const field = dashboard.filters.getByRole('combobox', { name: 'Region', exact: true });
    await field.focus();
    for (const key of ['Enter', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    release();
    await expect(dashboard.filters.getByText('Not now.')).toBeVisible();
    expect(await dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME, { region: 'south' }));
    await page.unroute('**/share/fn/filter-choices');
    await field.focus();
    await page.keyboard.press('Escape');
    for (const key of ['Enter', 'n', 'o', 'r', 't', 'h', 'Enter']) await page.keyboard.press(key);
    await expect
      .poll(async () => (await dashboard.rows('Revenue by region')).map(([region]) => region))
      .toEqual(expect.arrayContaining(['north', 'south']));
  });
});
