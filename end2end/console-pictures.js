// Takes the screenshots of the management console with the demo (`scripts/screenshots`). docs/console describes each.
import { chromium } from '@playwright/test';
import { launchOptions } from './support/chromium.js';
import { FreshService, submit } from './support/console.js';
import { Conversation } from './support/conversation.js';
import { Dashboard } from './support/dashboard.js';
import { Demo } from './support/demo.js';
import { hydrated } from './support/fixtures.js';
import { SlowModel } from './support/model.js';
import { keep } from './support/pictures.js';

/** The quality of WebP: small files, sharp text. */
const QUALITY = 0.6;
const DESK = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
const PASSWORD = 'correct horse battery';
const CALM = { locale: 'en-US', timezoneId: 'UTC', reducedMotion: /** @type {const} */ ('reduce') };

const browser = await chromium.launch(launchOptions);
const demo = await Demo.start(undefined, { INLAY_ALLOW_PRIVATE_SOURCES: 'true' });

/** Customers' users sign in, open dashboards and ask questions, so that there is usage to show. */
async function visited() {
  for (const [airport, user] of [
    ['ATL', 'viewer'],
    ['SEA', 'viewer'],
    ['ATL', 'analyst'],
    ['SEA', 'manager'],
  ]) {
    const page = await browser.newPage({ viewport: DESK, ...CALM });
    await page.goto(await demo.page(airport, user));
    await hydrated(page);
    await new Dashboard(page).drawn();
    await page.close();
  }
}

/** The operator's session. */
async function operator() {
  const context = await browser.newContext({ viewport: DESK, ...CALM });
  const page = await context.newPage();
  await page.goto(demo.service.log.match(/http\S+\/console\/reset\/\S+/)[0]);
  await submit(page, { 'New password': PASSWORD }, 'Save password');
  await page.waitForURL((address) => !address.pathname.includes('/reset/'));
  if (page.url().includes('/sign-in')) await submit(page, { 'Email address': 'operator@skyport.example', Password: PASSWORD }, 'Sign in');
  await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
  return { context, page };
}

await visited();
const { context, page } = await operator();
const main = page.getByRole('main');
const menu = page.getByRole('navigation', { name: 'Console' });
const link = (name) => main.getByRole('link', { name, exact: true });
const organization = page.url();
await link('Flight operations').click();
await main.getByRole('heading', { level: 1, name: 'Flight operations' }).waitFor();
const project = page.url();

/** A screenshot of the open page, no higher than its content. */
async function picture(name, { height = DESK.height } = {}) {
  await hydrated(page);
  await page.evaluate(() => document.fonts.ready);
  await page.mouse.move(0, 0);
  const whole = await main.evaluate((one) => one.scrollHeight);
  await page.setViewportSize({ ...DESK, height: Math.min(Math.max(whole, 560), height) });
  await page.evaluate(() => {
    /** @type {HTMLElement} */ (document.activeElement).blur();
    scrollTo(0, 0);
  });
  await keep(browser, `console-${name}`, await page.screenshot(), QUALITY);
  await page.setViewportSize(DESK);
}

/** Opens a page of the project or organization by the navigation. */
async function part(start, name) {
  await page.goto(start);
  await menu.getByRole('link', { name, exact: true }).click();
  await main.getByRole('heading', { level: 1, name }).waitFor();
}

/** The page of an empty store: the form that creates its owner. */
async function start() {
  const fresh = await FreshService.start();
  const empty = await browser.newPage({ viewport: { ...DESK, height: 720 }, ...CALM });
  await empty.goto(fresh.setup);
  await hydrated(empty);
  await empty.getByLabel('Organization').fill('Skyport');
  await empty.getByLabel('Email address').fill('operator@skyport.example');
  await empty.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
  await keep(browser, 'console-setup', await empty.screenshot(), QUALITY);
  await empty.close();
  await fresh.stop();
}

async function people() {
  await picture('project');
  await part(organization, 'Members');
  await submit(page, { 'Email address': 'dana@skyport.example', Role: 'Member: everything in projects' }, 'Create invitation');
  await page.getByText('Link created.').waitFor();
  await picture('members');
  await part(organization, 'Developer');
  await submit(page, { Name: 'Production' }, 'Create key');
  await page.getByText('Your new API key.').waitFor();
  await part(organization, 'Developer');
  await picture('developer');
  await part(organization, 'Migration');
  await picture('migration');
}

async function data() {
  await part(project, 'Connections');
  await page.getByRole('link', { name: 'Connect a database' }).first().click();
  await submit(
    page,
    { Name: 'sales', Database: 'PostgreSQL and compatible databases', Address: 'postgres://reader:secret@127.0.0.1:9/sales' },
    'Connect',
  );
  await page.getByText('Nothing listens').first().waitFor();
  await picture('refused');
  await part(project, 'Connections');
  await link('warehouse').click();
  await link('Choose tables').click();
  await page.getByRole('button', { name: 'Show rows of flights' }).click();
  await page.getByRole('heading', { name: 'First rows of flights' }).waitFor();
  await picture('tables');
  await link('warehouse').click();
  await link('flights').click();
  await page.getByLabel('Test as…').selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await page.getByRole('region', { name: 'Rows', exact: true }).waitFor();
  await picture('table', { height: 1400 });
  await part(project, 'Customers');
  await main.getByRole('table').getByRole('link').first().click();
  await page.getByRole('heading', { name: 'Users' }).waitFor();
  await picture('customer');
  await main.getByRole('region', { name: 'Users' }).getByRole('link').first().click();
  await link('View as').click();
  await seen();
  await picture('view-as');
}

/** Waits until the dashboard in the frame is drawn. */
const seen = () => new Dashboard(page.frameLocator('[data-frame]')).drawn();

async function making() {
  await part(project, 'Roles');
  await link('Analyst').click();
  await picture('role');
  await part(project, 'Charts');
  await link('Punctuality by month').click();
  await picture('chart');
  await part(project, 'Applications');
  await link('Flight operations').click();
  await page.getByLabel('Accent', { exact: true }).waitFor();
  await picture('theme', { height: 1240 });
  await link('Overview').click();
  await link('Edit on the page').waitFor();
  await picture('dashboard', { height: 1240 });
  await link('Edit on the page').click();
  await seen();
  await picture('editor');
}

/** Questions without an answer, and a verified answer. */
async function answers() {
  for (const [airport, question] of [
    ['ATL', 'Which crews were on time?'],
    ['SEA', 'which crews were on time'],
    ['ATL', 'How full were the planes?'],
  ]) {
    const asking = await browser.newPage({ viewport: DESK, ...CALM });
    await asking.goto(await demo.workspace(airport, 'analyst'));
    await hydrated(asking);
    await new Conversation(asking).ask(question);
    await asking.close();
  }
  await part(project, 'Workspaces');
  await link('Ask about flights').click();
  await link('Questions and answers').click();
  const query = '{"measures": ["on_time_share"], "dimensions": [{"name": "time", "grain": "month"}]}';
  await submit(page, { Question: 'How punctual were we?', Query: query, 'Verified by': 'Operations control' }, 'Save verified answer');
  await main.getByText('In use').waitFor();
  await picture('answers', { height: 1100 });
}

async function chat() {
  await part(project, 'Workspaces');
  await link('Ask about flights').click();
  await main.getByRole('heading', { level: 1, name: 'Ask about flights' }).waitFor();
  await picture('workspace', { height: 1100 });
  await page.getByRole('link', { name: 'Embed code and playground' }).click();
  await page.waitForURL(/\/embed\?/);
  await hydrated(page);
  await page.getByRole('button', { name: 'Sign in and frame' }).click();
  await page.frameLocator('[data-frame]').getByRole('textbox').waitFor();
  await hydrated(page);
  const playground = main.locator('section', { has: page.getByRole('heading', { name: 'Playground' }) });
  await playground.evaluate((one) => one.scrollIntoView());
  await keep(browser, 'console-playground', await page.screenshot(), QUALITY);
  const model = await SlowModel.start(['Ready', 'to', 'answer.'], 1);
  await part(organization, 'Language model');
  await submit(
    page,
    { Address: model.address, Model: 'large', Key: 'sk-secret', 'One user': '200000', Read: '2.50', Written: '10.00' },
    'Try',
  );
  await page.getByText('Ready to answer.').waitFor();
  await picture('model', { height: 1100 });
  await model.stop();
}

async function telling() {
  await part(project, 'Usage');
  await picture('usage', { height: 1100 });
  await part(project, 'Health');
  await picture('health');
  await part(project, 'Embed');
  await picture('embed');
  await part(organization, 'Audit log');
  await picture('audit');
  await part(project, 'Project file');
  const field = main.getByLabel('Project file', { exact: true }).last();
  await field.fill((await field.inputValue()).replace('label: Airport', 'label: Departure airport'));
  await page.getByRole('button', { name: 'Compare' }).click();
  const compared = page.getByRole('heading', { name: /^Applying this file would/ });
  await compared.evaluate((one) => one.scrollIntoView({ block: 'center' }));
  // Hides the address of the demo's own database file.
  await field.evaluate((text) => {
    text.scrollTop = 260;
  });
  await keep(browser, 'console-file', await page.screenshot(), QUALITY);
}

/** A role's page on a phone, in dark colours. */
async function phone() {
  const narrow = await browser.newContext({
    storageState: await context.storageState(),
    viewport: PHONE,
    colorScheme: 'dark',
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 1.5,
    ...CALM,
  });
  const small = await narrow.newPage();
  await small.goto(`${project}/roles`);
  await small.getByRole('link', { name: 'Analyst', exact: true }).click();
  await hydrated(small);
  await keep(browser, 'console-phone-role', await small.screenshot(), QUALITY);
}

for (const area of [start, people, data, making, chat, answers, telling, phone]) await area();
await Promise.all([browser.close(), demo.stop()]);
