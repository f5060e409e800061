// The look of embedded pages: pictures of their states, compared with the references in end2end/pictures (docs/development.md).
import { Conversation } from '../support/conversation.js';
import { Dashboard } from '../support/dashboard.js';
import { ACME } from '../support/data.js';
import { edit, newChart } from '../support/editor.js';
import { expect, hydrated } from '../support/fixtures.js';
import { DRAWN } from '../support/gallery.js';
import { DASHBOARDS } from '../support/hard.js';
import { compare, DESK, differs, drawnByBrowser, PHONE, pictured } from '../support/stills.js';

const test = pictured();

test.use({ viewport: DESK });

const slug = (text) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
const button = (page, name) => page.getByRole('button', { name, exact: true });

/** Opens a dashboard of the hard states, without the names of the others. */
async function hard({ open, page, service }, { name }) {
  await open(ACME, { application: 'Hard', parameters: { dashboardId: service.dashboard(name, 'Hard') }, role: 'Without tabs' });
  await expect(page.locator('figure[data-state="loading"]')).toHaveCount(0);
  await drawnByBrowser(page);
}

for (const [theme, application] of Object.entries({ light: 'Airline', dark: 'Airline at night' })) {
  test(`a dashboard in the ${theme} theme, on a desk and on a phone`, async ({ open, page }) => {
    const dashboard = await open(ACME, { application });
    await dashboard.drawn();
    await drawnByBrowser(page);
    await compare(page, `dashboard-${theme}`, { height: 520 });
    await page.setViewportSize(PHONE);
    await compare(page, `dashboard-${theme}-phone`);
  });
}

test('each type of chart', async ({ open, page }) => {
  const dashboard = await open(ACME, { application: 'Gallery' });
  await dashboard.drawn();
  await drawnByBrowser(page);
  for (const name of DRAWN) await compare(page, `chart-${slug(name)}`, { of: [dashboard.chart(name)] });
});

test('a part that is moved, cut or recoloured is noticed', async ({ open, page }) => {
  const dashboard = await open(ACME, { application: 'Gallery' });
  await dashboard.drawn();
  await drawnByBrowser(page);
  for (const [name, style] of [
    ['Flights', '.tile-title { padding-inline-start: 2px }'],
    ['Flights', '.number-value { color: var(--accent) }'],
    ['Airlines', '.table td { padding-block: 9px }'],
    ['Airlines', '.table td { font-weight: 500 }'],
    ['Airlines', '.table thead th { background: #ececee }'],
    ['Busiest destinations', '.plot path { fill-opacity: 0.7 }'],
    ['Busiest destinations', '.plot { clip-path: inset(0 0 30px) }'],
    ['Flights per day', '.plot path { stroke: #888888 }'],
    ['How late', '.plot { transform: translateX(2px) }'],
  ])
    await differs(page, `chart-${slug(name)}`, style, { of: [dashboard.chart(name)] });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, viewport: { ...DESK, height: 820 } });

  test('charts in the dark theme, as the server draws them', async ({ page, service }) => {
    await page.goto(service.applicationPage(await service.signIn(ACME), {}, 'Gallery at night'));
    const dashboard = new Dashboard(page);
    await dashboard.drawn();
    await compare(page, 'server-dark', { of: DRAWN.slice(0, 12).map((name) => dashboard.chart(name)) });
  });
});

test('saved views: none yet, and two of which one is the default', async ({ open, page }) => {
  const dashboard = await open(ACME, { user: 'views-pictured' });
  await dashboard.drawn();
  await drawnByBrowser(page);
  const name = page.getByRole('textbox', { name: 'Name of the view' });
  const save = async (text) => {
    await name.fill(text);
    await name.press('Enter');
    await expect(page.getByRole('status').filter({ hasText: `“${text}” is saved.` })).toBeVisible();
  };
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await expect(name).toBeVisible();
  await compare(page, 'saved-views-none', { height: 420 });
  await save('Everything');
  await page.keyboard.press('Escape');
  await dashboard.choose('Region', 'north');
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await save('Only the north, for the meeting on Monday morning');
  await page.getByRole('button', { name: 'Open the dashboard with Everything', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Open the dashboard with Everything', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await page.mouse.move(0, 0);
  await compare(page, 'saved-views', { height: 420 });
});

test('filters: a list of values, values that are set, and a period without rows', async ({ open, page }) => {
  const dashboard = await open(ACME);
  await dashboard.drawn();
  await drawnByBrowser(page);
  await dashboard.filters.getByRole('combobox', { name: 'Region', exact: true }).click();
  await expect(page.getByRole('option').first()).toBeVisible();
  await compare(page, 'filter-values', { height: 420 });
  await page.getByRole('option').nth(1).click();
  await page.keyboard.press('Escape');
  const period = JSON.stringify({ from: '2024-02-01', to: '2024-04-01' });
  const narrowed = await open(ACME, { parameters: { filter_region: '["north","south"]', filter_period: period } });
  await narrowed.drawn();
  await drawnByBrowser(page);
  await compare(page, 'filters-set', { height: 420 });
  await page.setViewportSize(PHONE);
  await compare(page, 'filters-set-phone', { height: 480 });
  await page.setViewportSize(DESK);
  await open(ACME, { parameters: { filter_region: '["nowhere"]' } });
  await expect(page.getByText('No chart has data for these filters.')).toBeVisible();
  await compare(page, 'filters-without-rows', { height: 560 });
});

test('a chart’s menu, its data, its tooltip, and the rows behind a mark', async ({ open, page }) => {
  const dashboard = await open(ACME, { role: 'Driller' });
  await dashboard.drawn();
  await drawnByBrowser(page);
  const chart = dashboard.chart('Revenue by region');
  await chart.scrollIntoViewIfNeeded();
  const box = await dashboard.drawing('Revenue by region');
  // At once: the shade behind a mark glides from the one before, which the pages' clock forbids.
  await page.mouse.move(box.x + box.width / 2 - 30, box.y + box.height / 2);
  await expect(page.getByText('5,970', { exact: true }).last()).toBeVisible();
  await compare(page, 'tooltip', { of: [chart] });
  await dashboard.menuItem('Revenue by region', 'Show data');
  await compare(page, 'chart-menu', { of: [chart, page.getByRole('menu')] });
  await page.keyboard.press('Escape');
  await dashboard.rows('Revenue by region');
  await page.mouse.move(0, 0);
  await compare(page, 'chart-data', { of: [chart] });
  await dashboard.table('Revenue by region').locator('tbody tr').nth(1).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Drill down' }).getByRole('table').waitFor();
  await compare(page, 'drill-down', { of: [page.getByRole('dialog', { name: 'Drill down' })] });
});

test('states of charts: loading, failed, without rows, with settings that do not fit', async ({ open, page, service }) => {
  const parameters = { dashboardId: service.dashboard('States', 'Gallery') };
  await open(ACME, { application: 'Gallery', parameters });
  await expect(page.locator('figure[data-state="loading"]')).toHaveCount(0);
  await compare(page, 'chart-states', { of: [0, 1, 2, 3].map((at) => page.getByRole('figure').nth(at)) });
});

test('a dashboard while its rows are on their way', async ({ open, page }) => {
  const dashboard = await open(ACME, { application: 'Gallery', parameters: {} });
  await page.route(/\/share\/fn\//, () => new Promise(() => {}));
  await dashboard.navigation.getByText('States', { exact: true }).click();
  await expect(page.getByRole('tabpanel')).toHaveAttribute('aria-busy', 'true');
  await compare(page, 'loading', { of: [dashboard.charts.first(), dashboard.charts.nth(1)] });
});

test('editing: tools, menus, the library, and the builder', async ({ open, page }) => {
  const dashboard = await edit(open);
  await drawnByBrowser(page);
  await dashboard.chart('Revenue by region').hover();
  await compare(page, 'editing');
  await button(page, 'Add').click();
  await compare(page, 'editing-add', { height: 420 });
  await page.getByRole('menuitem', { name: 'Chart from library', exact: true }).click();
  const library = page.getByRole('dialog', { name: 'Add a chart' });
  await library.getByRole('button').nth(3).waitFor();
  await page.mouse.move(0, 0);
  await compare(page, 'library', { of: [library] });
  await page.keyboard.press('Escape');
  const { dialog, preview } = await newChart(dashboard);
  await expect(preview.locator('svg').first()).toBeVisible();
  await dialog.getByLabel('Name').fill('Orders by month');
  await compare(page, 'builder', { of: [dialog] });
});

test('a dashboard without charts, and one in a language from right to left', async ({ open, page, service }) => {
  await open(ACME, { application: 'Hard', parameters: { dashboardId: service.dashboard(DASHBOARDS.unbroken.name, 'Hard') } });
  await compare(page, 'without-charts', { height: 480 });
  const mirrored = await open(ACME, { application: 'Airline', parameters: { locale: 'en-Arab' } });
  await mirrored.drawn();
  await drawnByBrowser(page);
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await compare(page, 'right-to-left', { height: 460 });
});

// Names in other scripts than Latin stay out: their fonts are the system's.
for (const [name, dashboard, last] of /** @type {[string, any, number][]} */ ([
  ['numbers', DASHBOARDS.numbers, 7],
  ['one-row', DASHBOARDS.one, 11],
  ['all-null', DASHBOARDS.nulls, 7],
  ['small', DASHBOARDS.small, 11],
])) {
  test(`a hard dashboard: ${name}`, async ({ open, page, service }) => {
    await hard({ open, page, service }, dashboard);
    await compare(page, `hard-${name}`, { of: [page.getByRole('figure').first(), page.getByRole('figure').nth(last)] });
  });
}

/** Scrolls a conversation to its end: where it rests while charts are drawn depends on their time. */
const toEnd = (page) =>
  page.locator('.talk-scroll').evaluate((element) => {
    element.scrollTop = element.scrollHeight;
  });

test('a conversation: its beginning, an answer, a question that is declined', async ({ page, service }) => {
  for (const theme of ['light', 'dark']) {
    const conversation = await Conversation.open(page, service, ACME, { user: `pictured-${theme}`, parameters: { theme } });
    await expect(conversation.button('orders by region')).toBeVisible();
    if (theme === 'light') await compare(page, 'chat');
    await conversation.ask('orders by region');
    await drawnByBrowser(page);
    await toEnd(page);
    await compare(page, `chat-answer-${theme}`);
    if (theme === 'dark') continue;
    await conversation.ask('Which unicorns are the best ones?');
    await page.setViewportSize(PHONE);
    await toEnd(page);
    await compare(page, 'chat-declined-phone');
    await page.setViewportSize(DESK);
  }
});

test('the sidebar of AI insights', async ({ open, page }) => {
  const dashboard = await open(ACME, { role: 'Insider' });
  await dashboard.drawn();
  await drawnByBrowser(page);
  await button(page, 'AI insights').click();
  const sidebar = page.getByRole('complementary', { name: 'AI insights' });
  const panel = new Conversation(sidebar);
  await panel.button('What stands out on this page?').click();
  await panel.answered();
  await compare(page, 'insights', { of: [sidebar] });
});

test.describe('a message', () => {
  test.use({ allowedErrors: [/status of 401/] });

  test('a page without a valid token', async ({ page, service }) => {
    await page.goto(service.applicationPage('x.y.z'));
    await hydrated(page);
    await compare(page, 'message', { height: 400 });
  });
});
