// Points of the contract that no other file is about: messages, addresses and names of the pages (docs/spec/contract.md, sections 6, 9 and 10).
import { Bridge } from '../support/bridge.js';
import { Dashboard } from '../support/dashboard.js';
import { ACME } from '../support/data.js';
import { embed, expect, test } from '../support/fixtures.js';

test('each dashboard that opens is told once, with its charts, empty ones included', async ({ page, host, service }) => {
  const bridge = await Bridge.open(page, host, service, { jwt: await service.signIn(ACME), filter_period: '{"relative":"today"}' });
  const loaded = () => bridge.heard('embed:loaded');
  const told = (charts) => ({ type: 'embed:loaded', v: 1, durationMs: expect.any(Number), charts });
  await expect.poll(loaded).toEqual([told(8)]);
  await expect(bridge.dashboard.chart('Revenue by month')).toHaveAttribute('data-state', 'empty');
  await bridge.dashboard.filters.getByRole('button', { name: 'Clear filters' }).click();
  await bridge.dashboard.drawn();
  await bridge.dashboard.navigation.getByText('Details', { exact: true }).click();
  await expect.poll(loaded).toEqual([told(8), told(2)]);
  await bridge.settled();
  expect(await loaded()).toHaveLength(2);
});

test('a chart that fails is told, without a word of the database', async ({ page, host, service }) => {
  const token = await service.signIn('nobody', { properties: {} });
  const bridge = await Bridge.open(page, host, service, { jwt: token });
  await expect(bridge.dashboard.chart('Revenue')).toHaveAttribute('data-state', 'error');
  await expect.poll(async () => (await bridge.heard('embed:error')).map(({ code }) => code)).toContain('CHART_FAILED');
  for (const { message } of await bridge.heard('embed:error')) {
    // `Orders by category: …`: the chart's name is the host's own.
    const [, reason] = message.split(': ');
    expect(reason).not.toMatch(/select|orders|stock|company|sqlite|warehouse/i);
  }
});

test('without an origin, or with one that is none, nothing is posted', async ({ page, host, service }) => {
  const token = await service.signIn(ACME);
  for (const parentOrigin of [undefined, 'nonsense', 'https://user@host.example']) {
    await page.goto(host.page({ src: service.applicationPage(token, { parentOrigin, autoHeight: 'true' }) }));
    const dashboard = new Dashboard(await embed(page));
    await dashboard.drawn();
    await dashboard.choose('Region', 'south');
    await expect.poll(async () => (await dashboard.rows('Revenue by region')).length).toBe(1);
    expect(await page.evaluate(() => window.messages), parentOrigin).toEqual([]);
  }
});

test('a host’s filters need no question mark', async ({ page, host, service }) => {
  const bridge = await Bridge.open(page, host, service, { jwt: await service.signIn(ACME) });
  await bridge.dashboard.drawn();
  await bridge.setParams('filter_region=%22north%22');
  await bridge.shows(['north']);
});

test('a date range has two dates and a list of periods', async ({ page, host, service }) => {
  const bridge = await Bridge.open(page, host, service, { jwt: await service.signIn(ACME) });
  const { dashboard } = bridge;
  await dashboard.drawn();
  for (const end of ['from', 'to']) await expect(dashboard.filters.getByLabel(`Period ${end}`)).toHaveAttribute('type', 'date');
  await dashboard.filters.getByRole('combobox', { name: 'Period period' }).selectOption('last_7_days');
  const search = `?${new URLSearchParams({ filter_period: '{"relative":"last_7_days"}' })}`;
  const asked = (text) => [...new URLSearchParams(text)];
  await expect.poll(async () => (await bridge.heard('embed:params')).map((one) => asked(one.search))).toEqual([asked(search)]);
  await expect(dashboard.chart('Revenue by month')).toHaveAttribute('data-state', 'empty');
});
