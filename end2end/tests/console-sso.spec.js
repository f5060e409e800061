// Single sign-on to the console, against a provider of OpenID Connect on this machine.
import { FreshService, submit } from '../support/console.js';
import { expect, test as base } from '../support/fixtures.js';
import { IdentityProvider } from '../support/identity.js';

const OWNER = { email: 'owner@example.test', password: 'correct horse battery' };
const ADA = { sub: 'ada-1', email: 'ada@example.test' };

const test = base.extend({
  fresh: async ({}, use) => {
    const service = await FreshService.start({ INLAY_ALLOW_LOOPBACK_IDENTITY_PROVIDERS: 'true' });
    await use(service);
    await service.stop();
  },
  provider: async ({}, use) => {
    const provider = await IdentityProvider.start();
    await use(provider);
    await provider.stop();
  },
  /** Another browser, which nobody is signed in with. */
  member: async ({ browser }, use) => {
    const context = await browser.newContext();
    await use(await context.newPage());
    await context.close();
  },
});

// The browser's own lines about answers that refuse.
test.use({ allowedErrors: [/status of 4\d\d/] });

const menu = (page) => page.getByRole('navigation', { name: 'Console' });
const heading = (page, name) => expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
const providers = (page) => page.getByRole('region', { name: 'Single sign-on' });

/** The owner sets the service up and registers the provider, and there the redirect address; where members begin. */
async function register(page, fresh, provider) {
  await page.goto(fresh.setup);
  await submit(page, { Organization: 'Acme', 'Email address': OWNER.email, Password: OWNER.password }, 'Make the owner');
  await heading(page, 'Projects');
  await menu(page).getByRole('link', { name: 'Developer' }).click();
  await submit(page, { Provider: provider.issuer, 'Client id': provider.client, 'Client secret': provider.secret }, 'Add provider');
  await expect(page.getByText('Members can sign in through this provider.')).toBeVisible();
  expect(await page.content()).not.toContain(provider.secret);
  provider.redirect = await providers(page).getByText('/callback').innerText();
  return providers(page).getByRole('link', { name: 'Sign-in address' }).getAttribute('href');
}

/** The owner invites somebody; the address of the invitation. */
async function invite(page, email) {
  await menu(page).getByRole('link', { name: 'Members' }).click();
  await submit(page, { 'Email address': email, Role: 'Member: everything in projects' }, 'Make invitation');
  return page.getByLabel('A link was made.').innerText();
}

test('an invited member comes in through the provider, until it is removed', async ({ page, fresh, provider, member }) => {
  const begin = await register(page, fresh, provider);
  await member.goto(await invite(page, ADA.email));
  await submit(member, { 'Choose a password': 'another long password' }, 'Join');
  await heading(member, 'Projects');
  await menu(member).getByRole('button', { name: 'Sign out' }).click();
  await heading(member, 'Sign in');

  provider.person = ADA;
  await member.goto(begin);
  await heading(member, 'Projects');
  await expect(menu(member).getByRole('link', { name: ADA.email })).toBeVisible();
  expect(provider.refusals).toEqual([]);

  await menu(page).getByRole('link', { name: 'Developer' }).click();
  await providers(page).getByText('Remove', { exact: true }).first().click();
  await page.getByRole('dialog', { name: 'Remove this provider?' }).getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('their sessions have ended', { exact: false })).toBeVisible();
  await member.reload();
  await heading(member, 'Sign in');
  await member.goto(begin);
  await heading(member, 'Not found');
});

test('whoever does not fit is refused in plain words', async ({ page, fresh, provider, member }) => {
  const begin = await register(page, fresh, provider);
  await member.goto(await invite(page, ADA.email));
  await submit(member, { 'Choose a password': 'another long password' }, 'Join');
  await menu(member).getByRole('button', { name: 'Sign out' }).click();
  await heading(member, 'Sign in');

  provider.person = ADA;
  const again = 'Signing in by your organization\'s provider did not work. Try again from the beginning.';
  const refused = [
    [{ claims: { nonce: 'of another sign-in' } }, again],
    [{ back: { state: 'of another browser' } }, again],
    [{ back: { code: 'of nobody' } }, again],
    [{ claims: { email_verified: false } }, 'does not say that your email address is proven'],
    [{ claims: { email: 'eve@example.test' } }, 'ask an admin to invite you by the same email address'],
  ];
  for (const [{ claims = {}, back = {} }, words] of refused) {
    provider.wrong = { claims, back };
    await member.goto(begin);
    await expect(member.getByRole('alert')).toContainText(words);
    await member.getByRole('link', { name: 'Go to the console' }).click();
    await heading(member, 'Sign in');
  }
  provider.wrong = { claims: {}, back: {} };
  await member.goto(begin);
  await heading(member, 'Projects');
});
