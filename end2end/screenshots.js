// Takes the screenshots of the documentation (`scripts/screenshots`). docs/pages.md and docs/workspaces.md describe them.
import { chromium } from '@playwright/test';
import { launchOptions } from './support/chromium.js';
import { Conversation } from './support/conversation.js';
import { Dashboard } from './support/dashboard.js';
import { Demo } from './support/demo.js';
import { hydrated } from './support/fixtures.js';
import { ARABIC_DASHBOARD, GALLERY } from './support/gallery.js';
import { Host } from './support/host.js';
import { keep } from './support/pictures.js';
import { Service } from './support/service.js';

/** The quality of WebP: small files, sharp text. The gallery is large and gets a lower one. */
const QUALITY = 0.75;
const LOW = 0.4;
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

const browser = await chromium.launch(launchOptions);
const demo = await Demo.start();
const host = await Host.start();
const gallery = await Service.start(host.origin, { world: GALLERY });

/** Opens a page and waits until it is drawn, with nothing hovered. */
async function opened(url, viewport, settings = {}) {
  const page = await browser.newPage({ viewport, locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce', ...settings });
  await page.goto(url);
  await hydrated(page);
  const dashboard = new Dashboard(page);
  await dashboard.drawn();
  await page.evaluate(() => document.fonts.ready);
  await page.mouse.move(0, 0);
  return dashboard;
}

async function kept(name, { surface }, /** @type {{ quality?: number, fullPage?: boolean }} */ { quality = QUALITY, ...options } = {}) {
  await keep(browser, name, await surface.screenshot(options), quality);
  await surface.close();
}

const inGallery = async (application, parameters) => gallery.applicationPage(await gallery.signIn('acme'), parameters, application);

/** The README's picture: two customers beside each other in the demo's portal. */
async function portal() {
  const page = await browser.newPage({
    viewport: { width: 1920, height: 1200 },
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  await page.goto(`${demo.host}/compare?left=ATL&right=SEA&leftUser=analyst&rightUser=viewer`);
  for (const element of await page.locator('iframe').elementHandles()) {
    const frame = await element.contentFrame();
    await hydrated(frame);
    await new Dashboard(frame).drawn();
  }
  await keep(browser, 'demo', await page.screenshot(), QUALITY);
  await page.close();
}

async function editing() {
  const dashboard = await opened(await demo.page('ATL', 'analyst'), DESK);
  await dashboard.chart('Flights per day').hover();
  await dashboard.surface.getByRole('button', { name: 'Add', exact: true }).click();
  await kept('editing', dashboard);
}

async function builder() {
  const dashboard = await opened(await demo.page('ATL', 'analyst'), DESK);
  const page = dashboard.surface;
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'New chart', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'New chart' });
  const choose = (name, label) => dialog.getByRole('combobox', { name, exact: true }).selectOption({ label });
  await dialog.getByLabel('Name').fill('Late flights, and the months before');
  await choose('Measure', 'Late flights');
  await choose('Compare with', 'The period before');
  await dialog.getByRole('group', { name: 'Conditions' }).getByRole('combobox', { name: 'Period' }).selectOption({ label: 'Dates' });
  // Two whole months: the first of the one before the last, and the day before this month.
  const [year, month] = [new Date().getUTCFullYear(), new Date().getUTCMonth()];
  const days = { 'First day': Date.UTC(year, month - 2, 1), 'Last day': Date.UTC(year, month, 0) };
  for (const [label, day] of Object.entries(days)) {
    await dialog.getByLabel(label).fill(new Date(day).toISOString().slice(0, 10));
    await dialog.getByLabel(label).blur();
  }
  await dialog.getByRole('figure', { name: 'Preview' }).getByText('period before').waitFor();
  await dialog.getByRole('figure', { name: 'Preview' }).locator('svg').first().waitFor();
  await kept('builder', dashboard);
}

async function drillDown() {
  const dashboard = await opened(await demo.page('ATL', 'analyst'), DESK);
  const page = dashboard.surface;
  await dashboard.rows('Punctuality by month');
  await dashboard.table('Punctuality by month').locator('tbody tr').nth(1).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Drill down' }).getByRole('table').waitFor();
  await kept('drill-down', dashboard);
}

/** A conversation in the demo's workspace, in light or dark colours. */
async function chat(name, theme) {
  const page = await browser.newPage({ viewport: DESK, locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' });
  await page.goto(await demo.workspace('ATL', 'analyst', { theme }));
  await hydrated(page);
  const conversation = new Conversation(page);
  await conversation.ask('average delay by weekday');
  await conversation.ask('Which destinations are late most often?');
  await page.mouse.move(0, 0);
  await kept(name, { surface: page });
}

/** The AI insights sidebar. */
async function insights(name, viewport, settings) {
  const dashboard = await opened(await demo.page('ATL', 'analyst'), viewport, settings);
  const page = dashboard.surface;
  await page.getByRole('button', { name: 'AI insights', exact: true }).click();
  const panel = new Conversation(page.getByRole('complementary', { name: 'AI insights' }));
  await panel.button('What stands out on this page?').click();
  await panel.answered();
  await panel.ask('flights per week');
  await page.mouse.move(0, 0);
  await kept(name, dashboard);
}

/** A chart from a description. */
async function describe() {
  const dashboard = await opened(await demo.page('ATL', 'analyst'), DESK);
  const page = dashboard.surface;
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Describe a chart', exact: true }).click();
  const dialog = new Conversation(page.getByRole('dialog', { name: 'Describe a chart' }));
  await dialog.ask('share of late flights by weekday');
  await kept('describe', dashboard);
}

await portal();
await kept('desktop', await opened(await demo.page('ATL'), { ...DESK, height: 1280 }));
await kept(
  'phone',
  await opened(await demo.page('ATL'), { ...PHONE, height: 1400 }, { deviceScaleFactor: 1.5, hasTouch: true, isMobile: true }),
);
await kept('dark', await opened(await inGallery('Gallery at night'), { ...DESK, height: 1100 }));
const arabic = { locale: 'ar', dashboardId: gallery.dashboard(ARABIC_DASHBOARD, 'Gallery') };
await kept('right-to-left', await opened(await inGallery('Gallery', arabic), { ...DESK, height: 1120 }));
await kept(
  'gallery',
  await opened(await inGallery('Gallery', { dashboardId: gallery.dashboard('Gallery', 'Gallery') }), { ...DESK, width: 1080 }),
  { fullPage: true, quality: LOW },
);
await editing();
await builder();
await drillDown();
await chat('chat', 'light');
await chat('chat-dark', 'dark');
await insights('insights', DESK);
await insights('insights-phone', PHONE, { deviceScaleFactor: 1.5, hasTouch: true, isMobile: true });
await describe();

await Promise.all([browser.close(), demo.stop(), gallery.stop(), host.stop()]);
