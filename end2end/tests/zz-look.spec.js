import { Conversation } from '../support/conversation.js';
import { ACME } from '../support/data.js';
import { expect, test } from '../support/fixtures.js';

test('look', async ({ page, service, browser }) => {
  test.setTimeout(180_000);
  const conversation = await Conversation.open(page, service, ACME, { user: 'looks' });
  await conversation.ask('revenue by region in 2024');
  await page.screenshot({ path: '/tmp/look-1.png' });
  const reading = conversation.surface.getByRole('group', { name: 'Read as' });
  console.log(await reading.innerText());
  const buttons = reading.getByRole('button');
  for (let i = 0; i < (await buttons.count()); i++) {
    await buttons.nth(i).click();
    console.log(await reading.getByRole('menu').allInnerTexts());
    if (i === 1) await page.screenshot({ path: '/tmp/look-2.png' });
    await page.keyboard.press('Escape');
  }
  await page.setViewportSize({ width: 390, height: 800 });
  await page.screenshot({ path: '/tmp/look-3.png' });
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: '/tmp/look-4.png' });
  await conversation.ask('Which unicorns are the best ones?');
  const context = await browser.newContext();
  const c = await context.newPage();
  await service.operate(c);
  const { projectId, workspaces } = service.project;
  await c.goto(`${service.url}/console/projects/${projectId}/workspaces/${workspaces['Ask the shop']}/answers`);
  await c.screenshot({ path: '/tmp/look-5.png', fullPage: true });
  await c.getByRole('link', { name: 'Add measure' }).first().click();
  await c.waitForTimeout(500);
  await c.screenshot({ path: '/tmp/look-6.png', fullPage: true });
  await c.setViewportSize({ width: 390, height: 800 });
  await c.screenshot({ path: '/tmp/look-7.png', fullPage: true });
});
