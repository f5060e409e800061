// Scheduled reports: from the dialog to the recipient's mail, with a real mail server, and back by its links.
import { serious } from '../support/axe.js';
import { Dashboard } from '../support/dashboard.js';
import { test as base, embed, expect } from '../support/fixtures.js';
import { Mailbox } from '../support/mailbox.js';
import { Service } from '../support/service.js';

/** A service that sends mail, with an organization that has reports. */
/** @type {import('../support/types.js').TestWith<{ mailbox: Mailbox }>} */
const test = base.extend(
  /** @type {any} */ ({
    mailbox: [
      async ({}, use) => {
        const mailbox = await Mailbox.start();
        await use(mailbox);
        await mailbox.stop();
      },
      { scope: 'worker' },
    ],

    service: [
      async ({ host, mailbox }, use) => {
        const service = await Service.start(host.origin, { environment: { ...mailbox.environment, INLAY_QUERY_CACHE_SECONDS: '0' } });
        await service.command('reports', 'enable', '--organization', service.organizationId);
        await use(service);
        await service.stop();
      },
      { scope: 'worker' },
    ],
  }),
);

// The browser's own line about the refused request.
test.use({ allowedErrors: [/400 \(Bad Request\) \(.*\/share\/fn\/reports\)/] });

const schedule = (page) => page.getByRole('button', { name: 'Schedule report' });
const dialogOf = (page) => page.getByRole('dialog', { name: 'Schedule report' });

async function scheduled(page, { name, recipient, format = 'link' }) {
  await schedule(page).click();
  const dialog = dialogOf(page);
  const make = dialog.getByRole('button', { name: 'New report' });
  await expect(dialog.getByLabel('Name').or(make)).toBeVisible();
  if (await make.isVisible()) await make.click();
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Recipients').fill(recipient);
  await dialog.getByLabel('Subject').fill(`${name} for you`);
  await dialog.getByLabel('Message').fill('Have a look.');
  await dialog.getByLabel('Format').selectOption(format);
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
  await expect(dialog.getByRole('status')).toHaveText('Scheduled');
  return dialog;
}

const mailTo = (mailbox, address) => mailbox.taken.find(({ recipients }) => recipients.includes(address));

test('a viewer schedules a report, sends it, and its mail opens the dashboard as it was', async ({ open, page, mailbox, context }) => {
  const dashboard = await open('acme', { role: 'Reader', user: 'link' });
  await dashboard.drawn();
  const dialog = await scheduled(page, { name: 'Weekly figures', recipient: 'grace@example.com' });
  await expect(dialog.getByText(/^Next: Mon /)).toBeVisible();
  await dialog.getByRole('button', { name: 'Run Weekly figures' }).click();
  await expect.poll(() => mailTo(mailbox, 'grace@example.com')?.subject, { timeout: 30_000 }).toBe('Weekly figures for you');

  const mail = mailTo(mailbox, 'grace@example.com');
  const [link] = mail.text.match(/http\S+\/share\/report\?key=\S+/);
  const opened = await context.newPage();
  const answer = await opened.goto(link);
  expect(answer.status()).toBe(200);
  await expect(opened.getByRole('heading', { level: 1 })).toHaveText('Overview');
  await expect(opened.getByRole('figure', { name: 'Revenue by region' }).locator('.plot svg').first()).toBeVisible();
  await expect(opened.getByText(/^As of /)).toBeVisible();
  await expect(opened.getByRole('button')).toHaveCount(0);
  expect(await opened.locator('script').count()).toBe(0);
  await opened.close();

  const [way] = mail.text.match(/http\S+\/share\/report\/unsubscribe\?key=\S+/);
  const leaving = await context.newPage();
  await leaving.goto(way);
  await leaving.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(leaving.getByText('no longer receives')).toBeVisible();
  await leaving.close();

  await dialog.getByRole('button', { name: 'History of Weekly figures' }).click();
  await expect(dialog.getByRole('list', { name: 'Runs' }).getByRole('listitem').first()).toContainText('Sent, 1 mail');
});

test('files come with the mail', async ({ open, page, mailbox }) => {
  const dashboard = await open('acme', { role: 'Reader', user: 'files' });
  await dashboard.drawn();
  const dialog = await scheduled(page, { name: 'Rows', recipient: 'rows@example.com', format: 'csv' });
  await dialog.getByRole('button', { name: 'Run Rows' }).click();
  await expect.poll(() => mailTo(mailbox, 'rows@example.com')?.attachments.length, { timeout: 30_000 }).toBe(8);
  const names = mailTo(mailbox, 'rows@example.com').attachments.map(({ filename }) => filename);
  expect(names).toContain('Revenue by region.csv');
});

test('the cadence is picked or written, and the next runs are shown', async ({ open, page }) => {
  const dashboard = await open('acme', { role: 'Reader', user: 'cadence' });
  await dashboard.drawn();
  await schedule(page).click();
  const dialog = dialogOf(page);
  const runs = dialog.getByRole('list', { name: 'Next runs' }).getByRole('listitem');
  await expect(runs).toHaveCount(5);
  await expect(runs.first()).toHaveText(/^Mon .*08:00/);
  await dialog.getByLabel('Cadence').selectOption('month');
  await dialog.getByRole('combobox', { name: /^Day/ }).selectOption('L');
  await dialog.getByLabel('Time', { exact: true }).fill('17:30');
  await dialog.getByLabel('Time', { exact: true }).blur();
  await expect(runs.first()).toHaveText(/(28|29|30|31) \w{3} \d{4}, 17:30/);
  await dialog.getByLabel('Time zone').fill('Asia/Kolkata');
  await dialog.getByLabel('Time zone').blur();
  await expect(runs.first()).toHaveText(/17:30 IST/);
  await dialog.getByLabel('Cadence').selectOption('cron');
  await expect(dialog.getByRole('textbox', { name: 'Cron' })).toHaveValue('30 17 L * *');
  await dialog.getByRole('textbox', { name: 'Cron' }).fill('* * * * *');
  await expect(dialog.getByRole('alert')).toContainText('at least 15 minutes');
  await dialog.getByRole('textbox', { name: 'Cron' }).fill('0 6 * * *');
  await expect(runs.first()).toHaveText(/06:00 IST/);
  expect(await serious(page)).toEqual([]);
});

test('what is wrong is said, and nothing is lost', async ({ open, page }) => {
  const dashboard = await open('acme', { role: 'Reader', user: 'wrong' });
  await dashboard.drawn();
  await schedule(page).click();
  const dialog = dialogOf(page);
  await dialog.getByLabel('Recipients').fill('nobody');
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('nobody');
  await expect(dialog.getByLabel('Recipients')).toHaveValue('nobody');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(schedule(page)).toBeFocused();
});

test('a report rests, runs again and goes', async ({ open, page }) => {
  const dashboard = await open('acme', { role: 'Reader', user: 'rests' });
  await dashboard.drawn();
  const dialog = await scheduled(page, { name: 'Resting', recipient: 'rests@example.com' });
  await dialog.getByRole('button', { name: 'Pause Resting' }).click();
  await expect(dialog.getByText('Paused', { exact: true }).first()).toBeVisible();
  await dialog.getByRole('button', { name: 'Resume Resting' }).click();
  await expect(dialog.getByText(/^Next: /)).toBeVisible();
  await dialog.getByRole('button', { name: 'Delete Resting' }).click();
  await expect(dialog.getByRole('button', { name: 'Delete Resting' })).toHaveText('Confirm deletion');
  await dialog.getByRole('button', { name: 'Delete Resting' }).click();
  await expect(dialog.getByText('No reports yet.')).toBeVisible();
});

test('an alert watches a number of the dashboard', async ({ open, page, mailbox }) => {
  const dashboard = await open('acme', { role: 'Reader', user: 'alert' });
  await dashboard.drawn();
  const dialog = await scheduled(page, { name: 'First', recipient: 'first@example.com' });
  await dialog.getByRole('button', { name: 'New alert' }).click();
  await expect(dialog.getByLabel('When')).toHaveValue(/.+/);
  await dialog.getByLabel('Threshold').fill('1');
  await dialog.getByLabel('Recipients').fill('alert@example.com');
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
  await expect(dialog.getByRole('status')).toHaveText('Scheduled');
  await dialog.getByRole('button', { name: 'Run Alert: Revenue' }).click();
  await expect.poll(() => mailTo(mailbox, 'alert@example.com')?.text, { timeout: 30_000 }).toContain('above 1');
});

test('who may not has no button', async ({ open, page }) => {
  const dashboard = await open('acme', { user: 'none' });
  await dashboard.drawn();
  await expect(schedule(page)).toHaveCount(0);
});

test('it works by token hand-off, too', async ({ page, host, service }) => {
  const src = service.page(`/share/application/${service.application('Shop')}`, { tokenHandoff: 'true', parentOrigin: host.origin });
  await page.goto(host.page({ src }));
  const frame = await embed(page);
  const token = await service.signIn('acme', { role: 'Reader', user: 'handed' });
  await page.evaluate(
    ([given, origin]) => {
      window.frames[0].postMessage({ type: 'embed:set-token', v: 1, token: given }, origin);
    },
    [token, service.url],
  );
  await new Dashboard(frame).drawn();
  await schedule(frame).click();
  await expect(dialogOf(frame).getByLabel('Name')).toHaveValue('Overview');
});
