// The chat of a workspace: questions, streaming, saved charts, and only the user's own rows.
import { Conversation, workspacePage } from '../support/conversation.js';
import { Dashboard } from '../support/dashboard.js';
import { ACME, GLOBEX, orders } from '../support/data.js';
import { embed, expect, hydrated, test } from '../support/fixtures.js';

/** Orders of a company by region, in the order of the regions' names. */
function byRegion(company) {
  const counts = new Map();
  for (const { region } of orders(company)) counts.set(region, (counts.get(region) ?? 0) + 1);
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

const sorted = (rows) => rows.toSorted(([a], [b]) => (a < b ? -1 : 1));
const figure = (conversation) => conversation.log.getByRole('figure').first();

test('a question is answered with a chart of the viewer’s own rows', async ({ page, service }) => {
  for (const company of [ACME, GLOBEX]) {
    const conversation = await Conversation.open(page, service, company, { user: 'asks' });
    await conversation.ask('orders by region');
    await expect(figure(conversation)).toHaveAttribute('data-state', 'ready');
    await expect(figure(conversation).locator('.plot svg')).toBeVisible();
    expect(sorted(await conversation.rows(figure(conversation)))).toEqual(byRegion(company));
  }
});

test('an answer’s chart is saved, arranged on the canvas and found on a dashboard', async ({ page, service }) => {
  const user = { user: 'collector', role: 'Editor' };
  const conversation = await Conversation.open(page, service, ACME, user);
  await conversation.ask('orders by region');
  const chart = figure(conversation);
  const title = await chart.getAttribute('aria-label');
  await chart.getByRole('button', { name: 'Save to library' }).click();
  await expect(conversation.status.filter({ hasText: `Saved to the library: ${title}` })).toBeVisible();
  await chart.getByRole('button', { name: 'Add to favorites' }).click();
  await expect(conversation.status.filter({ hasText: 'Added to favorites' })).toBeVisible();
  await conversation.button('Favorites').click();
  await expect(conversation.panel('Favorites').getByRole('figure', { name: title })).toBeVisible();
  await conversation.panel('Favorites').getByRole('button', { name: 'Add to canvas' }).click();
  await conversation.button('Canvas').click();
  const canvas = conversation.panel('Canvas');
  await expect(canvas.getByRole('figure', { name: title })).toHaveAttribute('data-state', 'ready');
  await canvas.getByRole('button', { name: 'Save as dashboard' }).click();
  await canvas.getByRole('textbox', { name: 'Dashboard name' }).fill('From the chat');
  await canvas.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(conversation.status.filter({ hasText: 'Saved as dashboard From the chat' })).toBeVisible();
  await page.goto(service.applicationPage(await service.signIn(ACME, user)));
  await hydrated(page);
  const dashboard = new Dashboard(page);
  await dashboard.navigation.getByText('From the chat', { exact: true }).click();
  await expect(dashboard.title).toHaveText('From the chat');
  await dashboard.drawn();
  expect(sorted(await dashboard.rows(title))).toEqual(byRegion(ACME));
});

test('the beginning of a long conversation is shown on request, and the page stays where its reader is', async ({ page, service }) => {
  const user = { user: 'talks' };
  const token = await service.signIn(ACME, user);
  let threadId = null;
  for (let number = 1; number <= 32; number += 1) {
    const answer = await fetch(`${service.url}/v2/api/workspaces/${service.project.workspaces['Ask the shop']}/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: `orders with quantity above ${number}`, threadId }),
    });
    expect(answer.status).toBe(200);
    const events = await answer.text();
    threadId ??= JSON.parse(events.match(/"threadId":("[^"]+")/)[1]);
  }
  const conversation = await Conversation.open(page, service, ACME, user);
  const questions = conversation.log.locator('.question > p');
  await expect(questions).toHaveCount(30);
  await expect(questions.first()).toHaveText('orders with quantity above 3');
  await expect(questions.last()).toBeInViewport();
  const earlier = conversation.button('Show earlier messages');
  await earlier.focus();
  await expect(questions.first()).toBeInViewport();
  const before = (await questions.first().boundingBox()).y;
  await earlier.press('Enter');
  await expect(questions).toHaveCount(32);
  await expect(questions.first()).toHaveText('orders with quantity above 1');
  const third = questions.nth(2);
  await expect(third).toHaveText('orders with quantity above 3');
  await expect(third).toBeInViewport();
  // The button above is gone, with its height.
  expect(Math.abs((await third.boundingBox()).y - before)).toBeLessThan(60);
  await expect(earlier).toHaveCount(0);
  // Whoever used it by keyboard goes on from the conversation.
  await expect(conversation.log).toBeFocused();
  // The next question is in view with its answer.
  await conversation.ask('How many orders?');
  await expect(questions).toHaveCount(33);
  await expect(questions.last()).toBeInViewport();
});

test('history survives reloads and new tokens, and is found, renamed and deleted', async ({ page, service }) => {
  const user = { user: 'remembers' };
  let conversation = await Conversation.open(page, service, ACME, user);
  await conversation.button('How many orders?').click();
  await conversation.answered();
  await expect(conversation.log).toContainText('120');
  conversation = await Conversation.open(page, service, ACME, user);
  await expect(conversation.log).toContainText('How many orders?');
  await conversation.button('New chat').click();
  await expect(conversation.button('orders by region')).toBeVisible();
  await conversation.ask('What can I ask?');
  await conversation.button('History').click();
  const history = conversation.panel('History');
  await expect(history.getByText('remembers', { exact: true }), "the user's name").toBeVisible();
  await expect(history.getByRole('listitem')).toHaveCount(2);
  await history.getByRole('searchbox').fill('120 ORDERS');
  await expect(history.getByRole('listitem')).toHaveCount(1);
  await history.getByRole('button', { name: 'Rename' }).click();
  await history.getByRole('textbox', { name: 'Title' }).fill('Orders, counted');
  await history.getByRole('textbox', { name: 'Title' }).press('Enter');
  await history.getByRole('searchbox').fill('counted');
  await history.getByRole('button', { name: 'Orders, counted' }).click();
  await expect(conversation.log).toContainText('120');
  await history.getByRole('button', { name: 'Delete' }).click();
  await expect(history.getByRole('listitem')).toHaveCount(0);
  await expect(conversation.log).not.toContainText('120');
  const stranger = await Conversation.open(page, service, ACME, { user: 'stranger' });
  await stranger.button('History').click();
  await expect(stranger.panel('History')).toContainText('No conversations yet.');
});

test('a question is edited and asked again, an answer is rated', async ({ page, service }) => {
  const user = { user: 'edits' };
  const conversation = await Conversation.open(page, service, ACME, user);
  await conversation.ask('How many orders?');
  await conversation.ask('What can I ask?');
  await conversation.log.getByText('How many orders?').first().hover();
  await conversation.button('Edit question').first().click();
  await expect(conversation.input).toHaveValue('How many orders?');
  await conversation.ask('orders by region');
  await expect(conversation.log.getByRole('article')).toHaveCount(1);
  await conversation.button('Good answer').click();
  await expect(conversation.button('Good answer')).toHaveAttribute('aria-pressed', 'true');
  await figure(conversation).getByRole('button', { name: 'Edit chart' }).click();
  await figure(conversation).getByRole('textbox', { name: 'Title' }).fill('Shares');
  await figure(conversation).getByRole('combobox', { name: 'Drawn as' }).selectOption('Pie');
  await figure(conversation).getByRole('button', { name: 'Apply' }).click();
  await expect(conversation.chart('Shares')).toHaveAttribute('data-state', 'ready');
  const again = await Conversation.open(page, service, ACME, user);
  await expect(again.button('Good answer')).toHaveAttribute('aria-pressed', 'true');
  await expect(again.chart('Shares')).toHaveAttribute('data-state', 'ready');
  await expect(again.log.getByRole('article')).toHaveCount(1);
});

test.describe('refused', () => {
  // The browser's own line about a refused request.
  test.use({ allowedErrors: [/status of 400/] });

  test('a question that is too long comes back with the reason, and nothing of the thread is lost', async ({ page, service }) => {
    const long = 'how many orders '.repeat(520);
    const conversation = await Conversation.open(page, service, ACME, { user: 'verbose' });
    const refused = conversation.surface
      .getByRole('alert')
      .filter({ hasText: 'A question must have 1 to 8000 characters; this one has 8319.' });
    await conversation.input.fill(long);
    await conversation.input.press('Enter');
    await expect(refused).toBeVisible();
    await expect(conversation.input).toHaveValue(long.trim());
    await expect(conversation.log.getByRole('article')).toHaveCount(0);
    await conversation.ask('How many orders?');
    await expect(refused).toHaveCount(0);
    await conversation.log.getByText('How many orders?').first().hover();
    await conversation.button('Edit question').click();
    await conversation.input.fill(long);
    await conversation.input.press('Enter');
    await expect(refused).toBeVisible();
    await expect(conversation.log).toContainText('120');
    // After a correction, it still replaces the question.
    await conversation.ask('orders by region');
    await expect(conversation.log.getByRole('article')).toHaveCount(1);
    await expect(figure(conversation)).toHaveAttribute('data-state', 'ready');
  });
});

test('the address’s parameters are followed', async ({ page, service }) => {
  const parameters = {
    theme: 'dark',
    nav: 'favorites',
    exampleQuestions: JSON.stringify(['One?', 'Two?', 'Three?', 'Four?']),
    placeholderOverrides: JSON.stringify({ userName: 'Maya', inputPlaceholder: 'Ask Ada', disclaimerText: 'Ada <b>errs</b>.' }),
  };
  const conversation = await Conversation.open(page, service, ACME, { user: 'plain', parameters });
  expect(await page.evaluate(() => getComputedStyle(document.body).colorScheme)).toBe('dark');
  await expect(conversation.input).toHaveCount(1);
  await expect(conversation.input).toHaveAttribute('placeholder', 'Ask Ada');
  await expect(page.getByText('Ada <b>errs</b>.')).toBeVisible();
  await expect(page.getByText('Hello Maya')).toBeVisible();
  await expect(conversation.panel('Favorites')).toBeVisible();
  await expect(conversation.button('Three?')).toBeVisible();
  await expect(conversation.button('Four?')).toHaveCount(0);
  await expect(conversation.button('How many orders?')).toHaveCount(0);
  expect(await page.evaluate(() => location.search)).not.toContain('jwt');
});

test('a prompt is sent once the frame is seen, and once alone', async ({ page, host, service }) => {
  const token = await service.signIn(ACME, { user: 'prompted' });
  await page.addInitScript(() => {
    if (window !== window.parent) return;
    addEventListener('DOMContentLoaded', () => {
      document.querySelector('iframe').style.display = 'none';
    });
  });
  const asked = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/share/chat')) asked.push(request);
  });
  await page.goto(host.page({ src: workspacePage(service, token, { prompt: 'How many orders?' }) }));
  const frame = await embed(page);
  await page.waitForTimeout(800);
  expect(asked).toHaveLength(0);
  await page.locator('iframe').evaluate((element) => {
    element.style.display = 'block';
  });
  const conversation = new Conversation(frame);
  await expect(conversation.log).toContainText('120');
  await page.locator('iframe').evaluate((element) => {
    element.style.display = 'none';
  });
  await page.locator('iframe').evaluate((element) => {
    element.style.display = 'block';
  });
  await page.waitForTimeout(500);
  expect(asked).toHaveLength(1);
});

test('the token comes by message; another user’s begins afresh', async ({ page, host, service }) => {
  const { origin } = host;
  const src = workspacePage(service, undefined, { tokenHandoff: 'true', parentOrigin: origin });
  await page.goto(host.page({ src }));
  const frame = await embed(page);
  const send = (token) =>
    page.evaluate(
      ([text, target]) => {
        document.querySelector('iframe').contentWindow.postMessage({ type: 'embed:set-token', v: 1, token: text }, target);
      },
      [token, service.url],
    );
  await expect.poll(() => page.evaluate(() => messages.map(({ data }) => data.type))).toContain('embed:ready');
  await send(await service.signIn(ACME, { user: 'by-message' }));
  const conversation = new Conversation(frame);
  await conversation.ask('How many orders?');
  await conversation.input.fill('half a thought');
  await send(await service.signIn(ACME, { user: 'by-message' }));
  await page.waitForTimeout(500);
  await expect(conversation.input).toHaveValue('half a thought');
  await expect(conversation.log).toContainText('120');
  await send(await service.signIn(GLOBEX, { user: 'another' }));
  await expect(conversation.button('orders by region')).toBeVisible();
  await expect(conversation.log).not.toContainText('120');
});

test('a frame sandboxed with scripts alone works', async ({ page, host, service }) => {
  const src = workspacePage(service, await service.signIn(ACME, { user: 'sandboxed' }));
  await page.goto(host.page({ src, sandbox: 'allow-scripts' }));
  const conversation = new Conversation(await embed(page));
  await conversation.input.fill('How many orders?');
  await conversation.button('Send').click();
  await expect(conversation.log).toContainText('120');
});

test.describe('messages', () => {
  test.use({ allowedErrors: [/the server responded with a status of/] });

  test('stand alone on the page', async ({ page, service }) => {
    const token = await service.signIn(ACME);
    for (const [name, message] of [
      ['Draft', 'This workspace has not been published'],
      ['nothing', 'Workspace not found.'],
    ]) {
      await page.goto(workspacePage(service, token, {}, name));
      await hydrated(page);
      await expect(page.getByRole('alert')).toHaveText(message);
    }
  });
});
