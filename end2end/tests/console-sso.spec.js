// Single sign-on to the console, with an OpenID Connect provider on this machine.
import { mkdir } from 'node:fs/promises';
import { serious } from '../support/axe.js';
import { FreshService, submit } from '../support/console.js';
import { test as base, expect, hydrated } from '../support/fixtures.js';
import { IdentityProvider } from '../support/identity.js';
import { Mailbox } from '../support/mailbox.js';

const PICTURES = process.env.INLAY_PICTURES;
const OWNER = { email: 'owner@example.test', password: 'correct horse battery' };
const ADA = { sub: 'ada-1', email: 'ada@example.test' };

const SETTINGS = { INLAY_ALLOW_LOOPBACK_IDENTITY_PROVIDERS: 'true' };

/** @type {import('../support/types.js').TestWith<{ fresh: FreshService, provider: IdentityProvider, member: import('@playwright/test').Page }>} */
const test = base.extend(
  /** @type {any} */ ({
    fresh: async ({}, use) => {
      const service = await FreshService.start(SETTINGS);
      await use(service);
      await service.stop();
    },
    provider: async ({}, use) => {
      const provider = await IdentityProvider.start();
      await use(provider);
      await provider.stop();
    },
    /** Another browser without a session. */
    member: async ({ browser }, use) => {
      const context = await browser.newContext();
      await use(await context.newPage());
      await context.close();
    },
  }),
);

/** The same with a mail server. */
/** @type {import('../support/types.js').TestWith<{ fresh: FreshService, provider: IdentityProvider, member: import('@playwright/test').Page, mailbox: Mailbox }>} */
const mailed = test.extend(
  /** @type {any} */ ({
    mailbox: async ({}, use) => {
      const mailbox = await Mailbox.start();
      await use(mailbox);
      await mailbox.stop();
    },
    fresh: async ({ mailbox }, use) => {
      const service = await FreshService.start({ ...SETTINGS, ...mailbox.environment });
      await use(service);
      await service.stop();
    },
  }),
);

// The browser's own lines about refused requests, and about the connection that a test cuts.
test.use({ allowedErrors: [/status of 4\d\d|ERR_INTERNET_DISCONNECTED/] });

const menu = (page) => page.getByRole('navigation', { name: 'Console' });
const heading = (page, name) => expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
const providers = (page) => page.getByRole('region', { name: 'Single sign-on' });

/** Checks that axe finds nothing serious. Takes a screenshot if requested. */
async function look(page, name) {
  await hydrated(page);
  expect(await serious(page), name).toEqual([]);
  if (!PICTURES) return;
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
}

/** The owner sets the service up and registers the provider, and the redirect URL there. Returns the URL where members start. */
async function register(page, fresh, provider) {
  await page.goto(fresh.setup);
  await submit(page, { Organization: 'Acme', 'Email address': OWNER.email, Password: OWNER.password }, 'Create owner');
  await heading(page, 'Projects');
  await menu(page).getByRole('link', { name: 'Developer' }).click();
  await submit(page, { Provider: provider.issuer, 'Client id': provider.client, 'Client secret': provider.secret }, 'Add provider');
  await expect(page.getByText('Members can sign in through this provider.')).toBeVisible();
  expect(await page.content()).not.toContain(provider.secret);
  provider.redirect = await providers(page).getByText('/callback').innerText();
  return providers(page).getByRole('link', { name: 'Sign-in address' }).getAttribute('href');
}

/** The owner invites a member. Returns the invitation's URL. */
async function invite(page, email) {
  await menu(page).getByRole('link', { name: 'Members' }).click();
  await submit(page, { 'Email address': email, Role: 'Member: everything in projects' }, 'Create invitation');
  return page.getByLabel('Link created.').innerText();
}

test('whoever is invited comes in through the provider, and finds the way again until it is removed', async ({
  page,
  fresh,
  provider,
  member,
}) => {
  const begin = await register(page, fresh, provider);
  const invitation = await invite(page, ADA.email);
  provider.person = ADA;
  await member.goto(invitation);
  await heading(member, 'Join Acme');
  await look(member, 'invitation');
  await member.getByRole('link', { name: 'Continue with Acme' }).click();
  await heading(member, 'Projects');
  await expect(menu(member).getByRole('link', { name: ADA.email })).toBeVisible();
  expect(provider.refusals).toEqual([]);

  // The browser remembers the provider until the user removes it.
  await menu(member).getByRole('button', { name: 'Sign out' }).click();
  await heading(member, 'Sign in');
  await look(member, 'sign-in-remembered');
  await member.getByRole('link', { name: 'Continue with Acme' }).click();
  await heading(member, 'Projects');
  await menu(member).getByRole('button', { name: 'Sign out' }).click();
  await member.getByRole('button', { name: 'Single sign-on' }).click();
  await heading(member, 'Single sign-on');
  await look(member, 'single-sign-on');
  await member.getByRole('button', { name: 'Forget this on this browser' }).click();
  await expect(member.getByText('This browser no longer remembers your provider.')).toBeVisible();
  await expect(member.getByRole('link', { name: 'Continue with Acme' })).toHaveCount(0);

  // A browser without cookies finds it by the organization's short name.
  await menu(page).getByRole('link', { name: 'Developer' }).click();
  await submit(page, { 'Short name': 'Acme' }, 'Save short name');
  await expect(page.getByRole('link', { name: /\/console\/sso\?organization=acme$/ })).toBeVisible();
  await look(page, 'developer-single-sign-on');
  await member.getByRole('button', { name: 'Single sign-on' }).click();
  await submit(member, { 'Short name of your organization': 'nobody' }, 'Continue');
  await expect(member.getByText('is not the short name of an organization', { exact: false })).toBeVisible();
  await submit(member, { 'Short name of your organization': 'acme' }, 'Continue');
  await heading(member, 'Sign in to Acme');
  await look(member, 'sign-in-to');
  await member.getByRole('link', { name: 'Continue with Acme' }).click();
  await heading(member, 'Projects');

  await providers(page).getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('dialog', { name: 'Remove this provider?' }).getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('who signed in through it have ended', { exact: false })).toBeVisible();
  await member.reload();
  await heading(member, 'Sign in');
  await expect(member.getByRole('link', { name: 'Continue with Acme' })).toHaveCount(0);
  await member.goto(begin);
  await heading(member, 'Not found');
});

/** A refused field keeps its value and shows its error. */
async function refused(page, label, typed, words) {
  const field = page.getByLabel(label, { exact: true });
  await expect(field).toHaveValue(typed);
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(words);
}

mailed('what cannot be is said beside its field, and a lost connection loses nothing', async ({ page, fresh, provider, context }) => {
  await register(page, fresh, provider);
  const nowhere = `${provider.issuer}/nowhere`;
  await submit(page, { Provider: nowhere, 'Client id': 'another', 'Client secret': 's3cret' }, 'Add provider');
  await refused(page, 'Provider', nowhere, /does not respond/);
  await expect(page.getByLabel('Client id', { exact: true })).toHaveValue('another');
  await submit(page, { 'Short name': 'a' }, 'Save short name');
  await refused(page, 'Short name', 'a', /2 to 40 letters/);
  await context.setOffline(true);
  await submit(page, { 'Short name': 'acme' }, 'Save short name');
  await expect(page.getByRole('alert').filter({ hasText: 'connection is lost' })).toBeVisible();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Save short name', exact: true }).click();
  await expect(page.getByRole('link', { name: /organization=acme$/ })).toBeVisible();
  await menu(page).getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Single sign-on' }).click();
  await submit(page, { 'Email address': 'nobody' }, 'Send sign-in link');
  await refused(page, 'Email address', 'nobody', /is not a valid email address/);
});

mailed('a mail leads to the provider, whoever asks', async ({ page, fresh, provider, member, mailbox }) => {
  const begin = await register(page, fresh, provider);
  await menu(page).getByRole('link', { name: 'Members' }).click();
  await submit(page, { 'Email address': ADA.email, Role: 'Member: everything in projects' }, 'Create invitation');
  await expect(page.getByText('A mail with the link has been sent to', { exact: false })).toBeVisible();
  const asked = [];
  for (const address of ['eve@example.test', ADA.email]) {
    await member.goto(`${fresh.url}/console/sso`);
    await submit(member, { 'Email address': address }, 'Send sign-in link');
    await expect(member.getByRole('status')).toContainText('has been sent');
    asked.push(await member.getByRole('main').innerText());
  }
  expect(asked[0]).toBe(asked[1]);
  await look(member, 'single-sign-on-by-mail');
  const ways = () => mailbox.taken.filter(({ subject }) => subject === 'Sign in to the console');
  await expect.poll(() => ways().length).toBe(1);
  expect(ways()[0].recipients).toEqual([ADA.email]);
  provider.person = ADA;
  const [, way] = ways()[0].html.match(/href="([^"]+)"/);
  expect(way).toBe(begin);
  await member.goto(way);
  await heading(member, 'Projects');
});

test('whoever does not fit is refused in plain words', async ({ page, fresh, provider, member }) => {
  const begin = await register(page, fresh, provider);
  await invite(page, ADA.email);
  provider.person = ADA;
  const again = "Signing in through your organization's provider failed. Start the sign-in again.";
  /** @type {[{ claims?: object, back?: object }, string][]} */
  const refused = [
    [{ claims: { nonce: 'of another sign-in' } }, again],
    [{ back: { state: 'of another browser' } }, again],
    [{ back: { code: 'of nobody' } }, again],
    [{ claims: { email_verified: false } }, 'has not verified your email address'],
    [{ claims: { email: 'eve@example.test' } }, 'Ask an admin to invite this email address'],
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
