// The messages that replace a page, each with its status (docs/spec/contract.md, sections 6 and 9).
import { ACME } from '../support/data.js';
import { expect, hydrated, test } from '../support/fixtures.js';

const NOWHERE = '00000000-0000-7000-8000-000000000000';
// The browser itself logs a line for a document with an error status.
test.use({ allowedErrors: [/^Failed to load resource: the server responded with a status of 40[14]/] });

async function shows(page, address, status, text) {
  const response = await page.goto(address);
  await hydrated(page);
  expect(response.status()).toBe(status);
  await expect(page.getByRole('alert')).toHaveText(text);
  expect((await page.locator('body').innerText()).trim()).toBe(text);
  expect(response.headers()).toMatchObject({ 'cache-control': expect.stringContaining('no-store'), 'referrer-policy': 'no-referrer' });
  expect(response.headers()).not.toHaveProperty('set-cookie');
}

for (const [what, jwt] of [
  ['no token', undefined],
  ['no token at all in it', ''],
  ['something that is no token', 'x.y.z'],
]) {
  test(`an address with ${what} is refused`, async ({ page, service }) => {
    await shows(page, service.applicationPage(jwt), 401, 'Invalid or missing token.');
  });
}

test('a token whose claims were altered is refused', async ({ page, service }) => {
  const [header, claims, signature] = (await service.signIn(ACME)).split('.');
  const changed = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), exp: 4102444800 };
  const token = [header, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.');
  await shows(page, service.applicationPage(token), 401, 'Invalid or missing token.');
});

test('an unknown dashboard is not found, and no other opens', async ({ page, service }) => {
  const token = await service.signIn(ACME);
  await shows(page, service.applicationPage(token, { dashboardId: NOWHERE }), 404, 'Dashboard not found.');
  await shows(page, service.applicationPage(token, { dashboardId: 'x' }), 404, 'Dashboard not found.');
  await shows(page, service.page(`/share/dashboard/${NOWHERE}`, { jwt: token }), 404, 'Dashboard not found.');
});

test('a dashboard of another application is not found', async ({ page, service }) => {
  const token = await service.signIn(ACME);
  const dashboardId = service.dashboard('Overview', 'Shop at night');
  await shows(page, service.applicationPage(token, { dashboardId }), 404, 'Dashboard not found.');
});

test('an unknown application shows that the dashboard is not found', async ({ page, service }) => {
  const token = await service.signIn(ACME);
  await shows(page, service.page(`/share/application/${NOWHERE}`, { jwt: token }), 404, 'Dashboard not found.');
});
