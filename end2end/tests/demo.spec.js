// `make demo`: the portal on its own origin, with real flights, and only its own departures for each airport.
import { Conversation } from '../support/conversation.js';
import { Dashboard } from '../support/dashboard.js';
import { departures } from '../support/demo.js';
import { analytics, framed, test } from '../support/demo-fixtures.js';
import { expect } from '../support/fixtures.js';

const flightsPerDay = async (dashboard) => (await dashboard.rows('Flights per day')).map(([day, flights]) => [day, flights]);

test('the portal shows an airport’s own departures', async ({ page, demo }) => {
  await page.goto(`${demo.host}/?airport=ATL&user=viewer`);
  const dashboard = await analytics(page, 'ATL');
  await expect(dashboard.title).toHaveText('Overview');
  expect(await dashboard.charts.count()).toBeGreaterThanOrEqual(8);
  expect(await flightsPerDay(dashboard)).toEqual(await departures('ATL'));
  await dashboard.navigation.getByText('Delays', { exact: true }).click();
  await expect(dashboard.title).toHaveText('Delays');
  await dashboard.drawn();
});

test('numbers and their titles are whole, however narrow their charts are', async ({ page, demo }) => {
  for (const width of [390, 660, 720, 1024]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(await demo.page('ORD'));
    await new Dashboard(page).drawn();
    const cut = await page
      .locator('.tile-number :is(.tile-title, .number-value)')
      .evaluateAll((parts) =>
        parts
          .filter((part) => part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight + 1)
          .map(({ textContent }) => textContent),
      );
    expect(cut, `${width} px`).toEqual([]);
  }
});

test('two airports stand beside each other, each with its own', async ({ page, demo }) => {
  await page.goto(`${demo.host}/compare?left=BOS&right=SEA`);
  const [boston, seattle] = [await analytics(page, 'BOS'), await analytics(page, 'SEA')];
  expect(await flightsPerDay(boston)).toEqual(await departures('BOS'));
  expect(await flightsPerDay(seattle)).toEqual(await departures('SEA'));
});

test('a filter lists cities instead of codes, and all that match or none are chosen', async ({ page, demo }) => {
  await page.goto(await demo.page('ATL', 'viewer'));
  const dashboard = new Dashboard(page);
  await dashboard.drawn();
  const filter = page.getByRole('combobox', { name: 'Destination' });
  const options = page.getByRole('listbox').getByRole('option');
  await filter.click();
  await expect(options.first()).toHaveText(/^[A-Z][a-z].* [A-Z]{3}\d+$/);
  await filter.fill('houston');
  await expect(options).toHaveText([/^Houston IAH/, /^Houston HOU/]);
  // A code finds its city, too.
  await filter.fill('iah');
  await expect(options).toHaveText([/^Houston IAH/]);
  await filter.fill('houston');
  await expect(options).toHaveCount(2);
  await page.getByRole('button', { name: 'Select all' }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('filter_destination')).toBe('["IAH","HOU"]');
  await expect(page.getByRole('button', { name: 'Select all' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(filter).toHaveAttribute('placeholder', 'Houston IAH, Houston HOU');
  // The names are there in the first HTML of a page that opens with the filter.
  const address = new URL(await demo.page('ATL', 'viewer'));
  address.searchParams.set('filter_destination', '["IAH","HOU"]');
  const html = await (await page.request.get(address.href)).text();
  expect(html).toContain('placeholder="Houston IAH, Houston HOU"');
  await page.goto(address.href);
  await dashboard.drawn();
  await expect(filter).toHaveAttribute('placeholder', 'Houston IAH, Houston HOU');
  await filter.click();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(filter).toHaveAttribute('placeholder', 'All');
});

test('an analyst filters by the default time, before it is saved and after', async ({ page, demo }) => {
  await page.goto(await demo.page('DEN', 'analyst'));
  const dashboard = new Dashboard(page);
  await dashboard.drawn();
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Time', exact: true }).click();
  const days = await departures('DEN');
  const [first, last] = [days[40][0], days[67][0]];
  const choose = async () => {
    await page.getByLabel('Time from').fill(first);
    await page.getByLabel('Time from').blur();
    await page.getByLabel('Time to').fill(last);
    await page.getByLabel('Time to').blur();
    await expect.poll(() => flightsPerDay(dashboard)).toEqual(days.slice(40, 68));
  };
  await choose();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible();
  await page.goto(await demo.page('DEN', 'analyst'));
  await dashboard.drawn();
  await choose();
});

for (const user of ['analyst', 'manager', 'viewer']) {
  test(`the portal answers a ${user}’s questions about an airport’s own departures`, async ({ page, demo }) => {
    const days = await departures('SEA');
    const all = days.reduce((sum, [, flights]) => sum + flights, 0);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(`${demo.host}/ask?airport=SEA&user=${user}`);
    const conversation = new Conversation(await framed(page, 'SEA'));
    await conversation.ask('How many flights?');
    await expect(conversation.log).toContainText(all.toLocaleString('en-US'));
    // The chat fills the page: it scrolls in itself, and its field stays in sight.
    const { scrolled, inside } = await page.evaluate(() => ({
      scrolled: [document.documentElement.scrollWidth, document.documentElement.scrollHeight],
      inside: [document.documentElement.clientWidth, document.documentElement.clientHeight],
    }));
    expect(scrolled).toEqual(inside);
    await expect(conversation.input).toBeInViewport({ ratio: 1 });
    await page.getByRole('navigation', { name: 'Skyport' }).getByRole('link', { name: 'Performance' }).click();
    await expect(page).toHaveURL(`${demo.host}/?airport=SEA&user=${user}`);
    expect(await flightsPerDay(await analytics(page, 'SEA'))).toEqual(days);
  });
}
