// A chart in a conversation is the same figure with the same menu as on a dashboard, whatever its type and its state.
import { readFile } from 'node:fs/promises';
import { Conversation } from '../support/conversation.js';
import { ACME, orders } from '../support/data.js';
import { expect, test } from '../support/fixtures.js';

const MENU = ['Show data', 'Download CSV', 'Download XLSX', 'Download image'];

let users = 0;

/** Asks the workspace as a new user, and returns the answer's chart. */
async function chart(page, service, question, who = {}) {
  users += 1;
  const conversation = await Conversation.open(page, service, ACME, { user: `charts-${process.pid}-${users}`, ...who });
  await conversation.ask(question);
  return { conversation, figure: conversation.log.getByRole('figure').first() };
}

async function menu(figure) {
  await figure.hover();
  await figure.getByRole('button', { name: 'Chart menu' }).click();
  return figure.getByRole('menuitem');
}

/** Downloads a file by the chart's menu: its name and its bytes. */
async function download(page, figure, name) {
  await menu(figure);
  const [file] = await Promise.all([page.waitForEvent('download'), figure.getByRole('menuitem', { name }).click()]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

const PNG = '89504e470d0a1a0a';

/** Turns the chart into another type. */
async function convert(figure, type) {
  await figure.getByRole('button', { name: 'Edit chart' }).click();
  await figure.getByLabel('Drawn as').selectOption({ label: type });
  await figure.getByRole('button', { name: 'Apply' }).click();
  await expect(figure.getByRole('button', { name: 'Apply' })).toHaveCount(0);
}

test('a picture, a number and a table have the same menu, with files that hold their rows', async ({ page, service }) => {
  const { conversation, figure } = await chart(page, service, 'orders by region');
  await expect(figure.locator('.plot svg')).toBeVisible();
  expect(await (await menu(figure)).allInnerTexts()).toEqual(MENU);
  await page.keyboard.press('Escape');
  for (const type of ['Bars', 'Number', 'Table']) {
    if (type !== 'Bars') await convert(conversation.log.getByRole('figure').first(), type);
    const current = conversation.log.getByRole('figure').first();
    await expect(current).toHaveAttribute('data-state', 'ready');
    expect(await (await menu(current)).allInnerTexts(), type).toEqual(MENU);
    await page.keyboard.press('Escape');
    const image = await download(page, current, 'Download image');
    expect(image.name, type).toMatch(/\.png$/);
    expect(image.bytes.subarray(0, 8).toString('hex'), type).toBe(PNG);
    const book = await download(page, current, 'Download XLSX');
    expect(book.name, type).toMatch(/\.xlsx$/);
    expect(book.bytes.subarray(0, 2).toString(), type).toBe('PK');
  }
  const lines = (await download(page, conversation.log.getByRole('figure').first(), 'Download CSV')).bytes.toString().trim().split('\r\n');
  expect(lines).toHaveLength(1 + new Set(orders(ACME).map(({ region }) => region)).size);
});

test('a pinned chart keeps its files when its conversation is deleted', async ({ page, service }) => {
  const { conversation, figure } = await chart(page, service, 'orders by region');
  await figure.getByRole('button', { name: 'Add to favorites' }).click();
  await expect(conversation.status.filter({ hasText: 'Added to favorites' })).toBeVisible();
  await conversation.button('History').click();
  await conversation.panel('History').getByRole('button', { name: 'Delete' }).click();
  await expect(conversation.panel('History').getByRole('listitem')).toHaveCount(0);
  await conversation.button('Favorites').click();
  const pinned = conversation.panel('Favorites').getByRole('figure');
  expect((await download(page, pinned, 'Download XLSX')).bytes.subarray(0, 2).toString()).toBe('PK');
});

test.describe('without rows', () => {
  test.use({ allowedErrors: [/status of (4|5)\d\d/] });

  test('an empty and a failed chart have their menu, too', async ({ page, service }) => {
    const { conversation, figure } = await chart(page, service, 'orders by region');
    await figure.getByRole('button', { name: 'Add to favorites' }).click();
    await expect(conversation.status.filter({ hasText: 'Added to favorites' })).toBeVisible();
    for (const { shown, state, text } of [
      { shown: 'empty', state: 'empty', text: 'No data yet.' },
      { shown: { failed: 'The database did not respond.' }, state: 'error', text: 'The database did not respond.' },
    ]) {
      await page.route('**/share/fn/workspace/pins', async (route) => {
        const answer = await route.fetch();
        const pins = await answer.json();
        await route.fulfill({ response: answer, json: pins.map((pin) => ({ ...pin, chart: { ...pin.chart, shown } })) });
      });
      await conversation.button('Favorites').click();
      const pinned = conversation.panel('Favorites').getByRole('figure');
      await expect(pinned).toHaveAttribute('data-state', state);
      await expect(pinned).toContainText(text);
      expect(await (await menu(pinned)).allInnerTexts(), state).toEqual(MENU);
      await page.keyboard.press('Escape');
      await conversation.button('Favorites').click();
      await page.unroute('**/share/fn/workspace/pins');
    }
  });
});

/** The AI insights' chart for a question about a dashboard that is opened with these parameters. */
async function insight(page, open, parameters) {
  users += 1;
  const dashboard = await open(ACME, { role: 'Insider', user: `insights-${process.pid}-${users}`, parameters });
  await dashboard.drawn();
  await page.getByRole('button', { name: 'AI insights' }).click();
  const panel = page.getByRole('complementary', { name: 'AI insights' });
  await panel.getByRole('textbox', { name: 'Question' }).fill('average amount by category');
  await page.keyboard.press('Enter');
  const figure = panel.getByRole('figure');
  await expect(figure).toHaveAttribute('data-state', 'ready');
  return figure;
}

test('a chart of the AI insights has the same menu', async ({ open, page }) => {
  const figure = await insight(page, open);
  expect(await (await menu(figure)).allInnerTexts()).toEqual(MENU);
  await page.keyboard.press('Escape');
  const book = await download(page, figure, 'Download XLSX');
  expect(book.bytes.subarray(0, 2).toString()).toBe('PK');
});

test('`hideDownloadButton` of the address takes the files of the AI insights, too', async ({ open, page }) => {
  const figure = await insight(page, open, { hideDownloadButton: 'true' });
  expect(await (await menu(figure)).allInnerTexts()).toEqual(['Show data', 'Download image']);
});
