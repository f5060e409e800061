// A page that stays open while a newer server takes over: it goes on, or is loaded anew once.
import { ACME, expected } from '../support/data.js';
import { expect, hydrated, test } from '../support/fixtures.js';

const NEWER = { 'inlay-build': 'newer', 'access-control-expose-headers': 'inlay-build', 'access-control-allow-origin': '*' };

/** Answers what a page asks for a chart's rows as a newer server might. */
const answered = (page, answer) => page.route('**/share/fn/tile-data', (route) => route.fulfill({ headers: NEWER, ...answer }));

/** Counts how often the page is loaded. */
function loads(page) {
  const seen = { count: 0 };
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) seen.count += 1;
  });
  return seen;
}

test('a page that cannot read a newer server is loaded anew, and just once', async ({ open, page }) => {
  const dashboard = await open(ACME);
  await dashboard.drawn();
  const loaded = loads(page);
  await answered(page, { status: 200, contentType: 'application/json', body: '{"shape":"of another day"}' });
  await dashboard.choose('Region', 'south');
  await expect.poll(() => loaded.count).toBe(1);
  await hydrated(page);
  // Loaded anew with the token, and with the filter that was set.
  await expect.poll(() => dashboard.rows('Revenue by month')).toEqual(expected('Revenue by month', ACME, { region: 'south' }));
  // Were it loaded anew each time, two servers of two builds would keep it from ever showing anything.
  await dashboard.choose('Region', 'east');
  await expect(page.getByText('Something went wrong').first()).toBeVisible();
  expect(loaded.count).toBe(1);
});

test.describe('what a newer server refuses', () => {
  test.use({ allowedErrors: [/status of 418/] });

  test('is told in the server’s words, also where the page does not know its code', async ({ open, page }) => {
    const dashboard = await open(ACME);
    await dashboard.drawn();
    const loaded = loads(page);
    const refusal = { code: 'CODE_OF_ANOTHER_DAY', message: 'The kettle is on.' };
    await answered(page, { status: 418, contentType: 'application/json', body: JSON.stringify(refusal) });
    await dashboard.choose('Region', 'south');
    await expect(page.getByText('The kettle is on.').first()).toBeVisible();
    expect(loaded.count).toBe(0);
  });
});
