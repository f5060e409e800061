// Messages that only one kind of page has; those of every kind are in frame-messages.spec.js.
import { Conversation, workspacePage } from '../support/conversation.js';
import { ACME } from '../support/data.js';
import { expect, hydrated, test } from '../support/fixtures.js';

const NOWHERE = '00000000-0000-7000-8000-000000000000';
// The browser itself logs a line for a document with an error status.
test.use({ allowedErrors: [/^Failed to load resource: the server responded with a status of 404/] });

async function shows(page, address, status, text) {
  const response = await page.goto(address);
  await hydrated(page);
  expect(response.status()).toBe(status);
  await expect(page.getByRole('alert')).toHaveText(text);
  expect((await page.locator('body').innerText()).trim()).toBe(text);
}

test('an unknown dashboard is not found, and no other opens', async ({ page, service }) => {
  const token = await service.signIn(ACME);
  for (const dashboardId of [NOWHERE, 'x', '']) {
    await shows(page, service.applicationPage(token, { dashboardId }), 404, 'Dashboard not found.');
  }
});

test('a dashboard of another application is not found', async ({ page, service }) => {
  const token = await service.signIn(ACME);
  const dashboardId = service.dashboard('Overview', 'Shop at night');
  await shows(page, service.applicationPage(token, { dashboardId }), 404, 'Dashboard not found.');
});

test('a workspace without a version in production says so', async ({ page, service }) => {
  const token = await service.signIn(ACME);
  await shows(page, workspacePage(service, token, {}, 'Draft'), 200, 'This workspace has not been published');
});

test('a workspace that is not published leaves the token alone, and opens once it is', async ({ page, host, service }) => {
  const file = (publish) => ({
    version: 1,
    project: { name: 'Unpublished', allowedOrigins: [host.origin] },
    connections: [{ name: 'warehouse', kind: 'sqlite', url: 'sqlite:warehouse.db' }],
    tables: [{ connection: 'warehouse', table: 'rates', rows: 'all' }],
    workspaces: [{ name: 'Ask', connection: 'warehouse', publish }],
  });
  const project = await service.apply(file(false));
  const path = `/share/workspace/${project.projectId}/${project.workspaces.Ask}`;
  const jwt = await service.signIn(ACME, { project });
  await page.goto(host.page({ src: service.page(path, { parentOrigin: host.origin, tokenHandoff: 'true' }) }));
  const frame = page.frameLocator('iframe');
  const send = (token) => page.evaluate((text) => frames[0].postMessage({ type: 'embed:set-token', v: 1, token: text }, '*'), token);
  await expect.poll(() => page.evaluate(() => window.messages.map(({ data }) => data.type))).toContain('embed:ready');
  await send(jwt);
  await expect(frame.getByRole('alert')).toHaveText('This workspace has not been published');
  await service.apply(file(true));
  await expect(async () => {
    await send(await service.signIn(ACME, { project }));
    await expect(new Conversation(frame).input).toBeVisible({ timeout: 1_000 });
  }).toPass();
  expect(await page.evaluate(() => window.messages.map(({ data }) => data.type))).not.toContain('embed:error');
});

test('a chart that fails is told to the host, on a dashboard and in a workspace', async ({ page, host, service }) => {
  const failed = async () => {
    const all = await page.evaluate(() => window.messages.map(({ data }) => data));
    return all.filter(({ code }) => code === 'CHART_FAILED').map(({ message }) => String(message));
  };
  // Without the property that the row rule reads, the query fails.
  const jwt = await service.signIn('nobody', { properties: {} });
  await page.goto(host.page({ src: service.applicationPage(jwt, { parentOrigin: host.origin }) }));
  await expect.poll(async () => (await failed()).some((message) => message.startsWith('Revenue: '))).toBe(true);
  for (const message of await failed()) expect(message).not.toMatch(/select|company/i);

  const user = { user: 'pins-failing' };
  const conversation = await Conversation.open(page, service, ACME, user);
  await conversation.ask('orders by region');
  await conversation.button('Add to favorites').click();
  await expect(conversation.status.filter({ hasText: 'Added to favorites' })).toBeVisible();
  const title = await conversation.log.getByRole('figure').first().getAttribute('aria-label');
  await page.route('**/workspace/pins', async (route) => {
    const response = await route.fetch();
    const pins = await response.json();
    await route.fulfill({ response, json: pins.map((pin) => ({ ...pin, chart: { ...pin.chart, shown: { failed: 'No answer.' } } })) });
  });
  const parameters = { parentOrigin: host.origin, nav: 'favorites' };
  await page.goto(host.page({ src: workspacePage(service, await service.signIn(ACME, user), parameters) }));
  await expect.poll(failed).toEqual([`${title}: No answer.`]);
});
