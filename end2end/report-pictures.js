// Takes the screenshots for docs/reports.md (`scripts/screenshots`): a report's mail, its dialog, the page behind its link, its
// PDF.

import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { launchOptions } from './support/chromium.js';
import { Dashboard } from './support/dashboard.js';
import { hydrated } from './support/fixtures.js';
import { Host } from './support/host.js';
import { Mailbox } from './support/mailbox.js';
import { Service } from './support/service.js';

const IMAGES = new URL('../docs/images/', import.meta.url);
const RECIPIENT = 'grace@example.com';

const browser = await chromium.launch(launchOptions);
const [host, mailbox] = await Promise.all([Host.start(), Mailbox.start()]);
const service = await Service.start(host.origin, { environment: mailbox.environment });
await service.command('reports', 'enable', '--organization', service.organizationId);

const context = await browser.newContext({
  viewport: { width: 1280, height: 900 },
  locale: 'en-US',
  timezoneId: 'UTC',
  reducedMotion: 'reduce',
});

async function keep(name, png) {
  await writeFile(new URL(name, IMAGES), png);
  console.log(`${name} ${Math.round(png.length / 1000)} kB`);
}

/** Schedules a report, sends it, and returns its mail. */
async function sent(page, name, format) {
  const taken = mailbox.taken.length;
  await page.getByRole('button', { name: 'Schedule report' }).click();
  const dialog = page.getByRole('dialog', { name: 'Schedule report' });
  const make = dialog.getByRole('button', { name: 'New report' });
  await dialog.getByLabel('Name').or(make).waitFor();
  if (await make.isVisible()) await make.click();
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Recipients').fill(RECIPIENT);
  await dialog.getByLabel('Subject').fill(name);
  await dialog.getByLabel('Message').fill('Figures for Monday’s meeting. The south is worth a look.');
  await dialog.getByLabel('Format').selectOption(format);
  await dialog.getByRole('list', { name: 'Next runs' }).getByRole('listitem').nth(4).waitFor();
  if (format === 'link') await keep('report-dialog.png', await page.screenshot());
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
  await dialog.getByRole('button', { name: `Run ${name}` }).click();
  while (mailbox.taken.length === taken)
    await new Promise((wake) => {
      setTimeout(wake, 100);
    });
  await dialog.getByRole('button', { name: 'Close' }).click();
  return mailbox.taken.at(-1);
}

/** The first page of a PDF as PNG. */
async function firstPage(content) {
  const folder = await mkdtemp(join(tmpdir(), 'inlay-report-'));
  await writeFile(join(folder, 'report.pdf'), Buffer.from(content));
  execFileSync('pdftoppm', ['-png', '-r', '80', '-f', '1', '-l', '1', '-singlefile', 'report.pdf', 'report'], { cwd: folder });
  const picture = await readFile(join(folder, 'report.png'));
  await rm(folder, { recursive: true });
  return picture;
}

const page = await context.newPage();
await page.goto(
  service.applicationPage(await service.signIn('acme', { role: 'Reader', user: 'Ada Lovelace' }), { filter_region: '"south"' }),
);
await hydrated(page);
await new Dashboard(page).drawn();

const mail = await sent(page, 'Sales of the week', 'link');
const letter = await browser.newPage({ viewport: { width: 720, height: 470 } });
await letter.setContent(mail.html);
await keep('report-mail.png', await letter.screenshot());

const [link] = mail.text.match(/http\S+\/share\/report\?key=\S+/);
const shown = await context.newPage();
await shown.goto(link);
await shown.evaluate(() => document.fonts.ready);
await keep('report-page.png', await shown.screenshot());

const paper = await sent(page, 'Sales of the week on paper', 'pdf');
await keep('report-pdf.png', await firstPage(paper.attachments[0].content));

await Promise.all([browser.close(), service.stop(), mailbox.stop(), host.stop()]);
