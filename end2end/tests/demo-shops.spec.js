// The demo's second host product: shops with their own look and rows, and the frames of a desktop, a tablet and a phone.
import { serious } from '../support/axe.js';
import { Conversation } from '../support/conversation.js';
import { SHOPS } from '../support/demo.js';
import { analytics, framed, test } from '../support/demo-fixtures.js';
import { expect } from '../support/fixtures.js';

/** The rows of a query of the semantic model, as a shop's user sees them. */
async function asked(demo, shop, query) {
  const { token } = await demo.session(shop, 'viewer', SHOPS);
  const { project } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
  const answer = await fetch(`${demo.service.url}/v2/api/projects/${project}/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(query),
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(JSON.stringify(body));
  return body.data.rows;
}

/** Each table of a shop: its rows by something that no other shop has. */
const OWN = {
  orders: { measures: ['orders'], dimensions: [{ name: 'orders.id' }], limit: 50_000 },
  products: { measures: ['products'], dimensions: [{ name: 'products.id' }], limit: 50_000 },
  customers: { measures: [], dimensions: [{ name: 'customers.id' }], limit: 50_000 },
};

test('a shop sees its own orders, products and customers, and no others', async ({ demo }) => {
  const shops = ['ridgeline', 'harbor', 'papermill', 'fern', 'littleoak'];
  for (const [table, query] of Object.entries(OWN)) {
    const seen = new Map();
    for (const shop of shops) {
      const rows = await asked(demo, shop, query);
      expect(rows.length, `${table} of ${shop}`).toBeGreaterThan(10);
      const others = rows.filter(([id]) => seen.has(id)).map(([id]) => `${id} of ${seen.get(id)}`);
      expect(others, `${table} that ${shop} sees`).toEqual([]);
      for (const [id] of rows) seen.set(id, shop);
    }
  }
});

test('the way to the other product keeps the role, and its page shows another trade in another look', async ({ page, demo }) => {
  await page.goto(`${demo.host}/?airport=ATL&user=manager`);
  await analytics(page, 'ATL');
  const accent = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent'));
  const theme = (frame) => frame.evaluate(() => getComputedStyle(document.body).getPropertyValue('--accent'));
  const skyport = [await accent(), await theme(await framed(page, 'ATL'))];
  const products = page.getByRole('group', { name: 'Demo product' });
  await products.getByRole('link', { name: 'Basket' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${demo.host}/shops?user=manager`);
  const dashboard = await analytics(page, 'Ridgeline Outdoor');
  await expect(dashboard.title).toHaveText('Sales');
  await expect(dashboard.chart('About this data')).toContainText('made up');
  await expect(page.getByRole('navigation', { name: 'Basket' })).toBeVisible();
  await expect(products.getByRole('link', { name: 'Basket' })).toHaveAttribute('aria-current', 'true');
  await expect(page.locator('.account')).toContainText('Gordon Blake');
  const basket = [await accent(), await theme(await framed(page, 'Ridgeline Outdoor'))];
  expect(basket[0]).not.toBe(skyport[0]);
  expect(basket[1]).not.toBe(skyport[1]);
  for (const name of ['Products', 'Visitors']) {
    await dashboard.navigation.getByText(name, { exact: true }).click();
    await expect(dashboard.title).toHaveText(name);
    await dashboard.drawn();
  }
  await products.getByRole('link', { name: 'Skyport' }).click();
  await expect(page).toHaveURL(`${demo.host}/?user=manager`);
  await analytics(page, 'ATL');
});

test('two shops stand beside each other, each with its own products', async ({ page, demo }) => {
  await page.goto(`${demo.host}/shops/compare?left=harbor&right=fern`);
  const names = async (customer) => (await (await analytics(page, customer)).rows('Best sellers')).map(([product]) => product);
  const [coffee, plants] = [await names('Harbor Coffee'), await names('Fern & Pot')];
  expect(coffee).toContain('Harbor blend 1 kg');
  expect(plants).toContain('Monstera');
  expect(coffee.filter((product) => plants.includes(product))).toEqual([]);
});

test('the shops’ page for questions answers from the shop’s own orders', async ({ page, demo }) => {
  const [[orders]] = await asked(demo, 'fern', { measures: ['orders'] });
  await page.goto(`${demo.host}/shops/ask?shop=fern&user=manager`);
  const conversation = new Conversation(await framed(page, 'Fern & Pot'));
  await conversation.ask('How many orders?');
  await expect(conversation.log).toContainText(orders.toLocaleString('en-US'));
});

test('the frame becomes a phone and a tablet by the keyboard, and scrolls in itself', async ({ page, demo }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${demo.host}/shops?shop=harbor&user=viewer`);
  await analytics(page, 'Harbor Coffee');
  const frames = page.getByRole('group', { name: 'Frame' });
  await frames.getByRole('radio', { name: 'Desktop' }).focus();
  for (const [name, width] of /** @type {[string, number][]} */ ([
    ['Tablet', 820],
    ['Phone', 390],
  ])) {
    await page.keyboard.press('ArrowRight');
    await expect(frames.getByRole('radio', { name })).toBeChecked();
    await expect(frames.getByRole('radio', { name })).toBeFocused();
    await expect(page).toHaveURL(`${demo.host}/shops?shop=harbor&user=viewer&frame=${name.toLowerCase()}`);
    const { surface } = await analytics(page, 'Harbor Coffee');
    const inside = await surface.evaluate(() => {
      const root = document.documentElement;
      return { width: innerWidth, wide: root.scrollWidth, scrolls: root.scrollHeight > innerHeight };
    });
    expect(inside).toEqual({ width, wide: width, scrolls: true });
    await surface.evaluate(() => scrollTo(0, 500));
    expect(await surface.evaluate(() => scrollY)).toBe(500);
    const fits = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
    expect(fits).toEqual([1280, 800]);
  }
  // Reloaded, and on the way to another page, the frame stays.
  await page.reload();
  await expect(frames.getByRole('radio', { name: 'Phone' })).toBeChecked();
  await page.getByRole('navigation', { name: 'Basket' }).getByRole('link', { name: 'Ask', exact: true }).click();
  await expect(page).toHaveURL(/\/shops\/ask\?shop=harbor&user=viewer&frame=phone$/);
  await framed(page, 'Harbor Coffee');
  await frames.getByRole('radio', { name: 'Phone' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(`${demo.host}/shops/ask?shop=harbor&user=viewer`);
});

for (const frame of ['desktop', 'tablet', 'phone']) {
  test(`a page around a ${frame} moves nothing while it loads`, async ({ page, demo }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${demo.host}/shops?shop=ridgeline&user=analyst&frame=${frame}`);
    const place = (selector) => page.locator(selector).boundingBox();
    const before = await place('.stage > :is(.skeleton, iframe)').catch(() => null);
    await analytics(page, 'Ridgeline Outdoor');
    if (before && frame !== 'desktop') expect(await place('iframe')).toEqual(before);
    const shifted = await page.evaluate(() => {
      const shifts = /** @type {Promise<number>} */ (
        new Promise((done) => {
          const sum = (list) => list.getEntries().reduce((all, { value }) => all + value, 0);
          new PerformanceObserver((list) => done(sum(list))).observe({ type: 'layout-shift', buffered: true });
          setTimeout(() => done(0), 500);
        })
      );
      return shifts;
    });
    expect(shifted).toBeLessThan(0.001);
  });
}

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  for (const path of ['/?frame=phone', '/shops?frame=tablet', '/shops/compare', '/shops/how']) {
    test(`axe finds nothing serious on ${path} in ${colorScheme} colours`, async ({ page, demo }) => {
      await page.emulateMedia({ colorScheme });
      await page.goto(demo.host + path);
      expect(await serious(page)).toEqual([]);
    });
  }
}
