// The code on the console's Embed page works as it is.
import { COMPILERS } from '../support/compilers.js';
import { Dashboard } from '../support/dashboard.js';
import { expect, meet, revenue, test } from '../support/embed-page.js';
import { hydrated } from '../support/fixtures.js';
import { Program } from '../support/site.js';

const LANGUAGES = ['curl', 'node', 'python', 'go', 'ruby', 'php', 'java', 'csharp', 'rust'];

/** The embed page, and what it shows. */
async function shown(page, service) {
  await meet(service);
  await service.operate(page);
  await page.goto(`${service.url}/console/projects/${service.project.projectId}/embed`);
  await hydrated(page);
  const code = (name) => page.getByRole('group', { name, exact: true }).evaluate((block) => block.textContent);
  const samples = Object.fromEntries(
    await page
      .locator('.tabs')
      .evaluate((tabs) =>
        [...tabs.querySelectorAll('input')].map((input) => [
          input.value,
          input.nextElementSibling.nextElementSibling.querySelector('pre').textContent,
        ]),
      ),
  );
  return { code, samples };
}

async function shows(page) {
  const frame = await (await page.locator('iframe').elementHandle()).contentFrame();
  await hydrated(frame);
  const dashboard = new Dashboard(frame);
  await dashboard.drawn();
  expect(await dashboard.rows('Revenue')).toEqual([[revenue()]]);
}

test('the page script works with the code, the program and the policy that are shown', async ({ page, service, host }) => {
  test.setTimeout(90_000);
  const { code, samples } = await shown(page, service);
  host.page = await code('In the page');
  host.script = await code('In /analytics.js');
  host.policy = await code('Policy with the page script');
  for (const language of ['node', 'python']) {
    host.program = await Program.start(language, samples[language], { INLAY_API_KEY: service.apiKey });
    await host.program.ready();
    await page.goto(host.origin);
    await shows(page);
    await host.program.stop();
  }
});

test('a plain frame works with its policy, and curl with the token for it', async ({ page, service, host }) => {
  const { code, samples } = await shown(page, service);
  const program = await Program.start('curl', samples.curl, { INLAY_API_KEY: service.apiKey });
  expect(await program.ended(), program.told.stderr).toBe(0);
  const { token, expiresAt } = JSON.parse(program.told.stdout).data;
  expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
  await program.stop();
  host.page = (await code('A plain iframe')).replace('URL_ENCODED_TOKEN', encodeURIComponent(token));
  host.policy = await code('Policy with a plain iframe');
  expect(host.policy).not.toContain('script-src');
  await page.goto(host.origin);
  await shows(page);
});

test('another role is chosen for the code, and the page to embed keeps it', async ({ page, service }) => {
  const { samples } = await shown(page, service);
  const choice = page.getByLabel('Role in the code');
  const first = await choice.inputValue();
  for (const text of Object.values(samples)) expect(text).toContain(first);
  const name = `Code role ${Date.now()}`;
  await page.goto(`${service.url}/console/projects/${service.project.projectId}/roles/new?template=editor`);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Create role', exact: true }).click();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  await page.goto(`${service.url}/console/projects/${service.project.projectId}/embed`);
  await choice.selectOption({ label: name });
  const chosen = await choice.inputValue();
  await page.getByRole('button', { name: 'Use this role' }).click();
  const code = page.getByRole('group', { name: 'curl', exact: true });
  await expect(code).toContainText(chosen);
  await expect(code).not.toContainText(first);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(choice).toHaveValue(chosen);
});

test('a refusal is told to the log, and the page hears nothing of it', async ({ page, service }) => {
  const { samples } = await shown(page, service);
  for (const language of ['node', 'python']) {
    const program = await Program.start(language, samples[language], { INLAY_API_KEY: 'inlay_none' });
    const answer = await (await program.ready()).ask();
    expect([answer.status, await answer.json()]).toEqual([502, {}]);
    await expect.poll(() => program.told.stderr).toMatch(/401.*INVALID_API_KEY/);
    await program.stop();
  }
  const curl = await Program.start('curl', samples.curl, { INLAY_API_KEY: 'inlay_none' });
  expect(await curl.ended()).not.toBe(0);
  expect(curl.told.stdout).toContain('INVALID_API_KEY');
  await curl.stop();
});

test('the code is read by its languages and names every property', async ({ page, service }) => {
  test.setTimeout(90_000);
  const { samples } = await shown(page, service);
  expect(Object.keys(samples)).toEqual(LANGUAGES);
  for (const [language, text] of Object.entries(samples)) {
    for (const part of ['company', 'zone-min', 'clock', service.project.projectId, 'userRoleId']) expect(text, language).toContain(part);
    const compiler = COMPILERS[{ curl: 'sh', node: 'js' }[language] ?? language];
    // Python's has run above. The server's own tests compile Rust's. The others are checked if the language is installed.
    if (language === 'python' || !compiler || (compiler.available && !compiler.available())) continue;
    await compiler.check(text);
  }
});

test('languages are tabs that work by keyboard, and are remembered', async ({ page, service }) => {
  await shown(page, service);
  const tabs = page.getByRole('radiogroup', { name: 'Language' });
  await expect(tabs.getByRole('radio', { name: 'curl' })).toBeChecked();
  await expect(page.getByRole('group', { name: 'curl', exact: true })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Node', exact: true })).toBeHidden();
  await tabs.getByRole('radio', { name: 'curl' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('group', { name: 'Python', exact: true })).toBeVisible();
  await page.reload();
  await hydrated(page);
  await expect(tabs.getByRole('radio', { name: 'Python' })).toBeChecked();
});

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false });

  test('languages are chosen all the same', async ({ page, service }) => {
    await service.operate(page);
    await page.goto(`${service.url}/console/projects/${service.project.projectId}/embed`);
    await page.locator('label', { hasText: /^Go$/ }).click();
    await expect(page.getByRole('group', { name: 'Go', exact: true })).toBeVisible();
    await expect(page.getByRole('group', { name: 'curl', exact: true })).toBeHidden();
  });
});
