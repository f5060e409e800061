// What stands beside an answer, and how a question without one becomes a verified answer.
import { serious } from '../support/axe.js';
import { Conversation } from '../support/conversation.js';
import { ACME } from '../support/data.js';
import { expect, hydrated, test } from '../support/fixtures.js';

const next = (conversation) => conversation.surface.getByRole('group', { name: 'Ask next' });

test('an answer tells how its rows were worked out, and offers what to ask next', async ({ page, service }) => {
  const conversation = await Conversation.open(page, service, ACME, { user: 'curious' });
  await conversation.ask('orders by region');
  const figure = conversation.log.getByRole('figure').first();
  const proof = figure.getByRole('group').filter({ hasText: 'How this was worked out' });
  await expect(figure.getByText(/rows of the data that you may see/)).toBeHidden();
  await figure.getByText('How this was worked out').click();
  await expect(figure.getByText('orders by region.')).toBeVisible();
  await expect(figure.getByText(/^4 rows of the data that you may see, \d+ \w+ \d{4}, \d\d:\d\d\.$/)).toBeVisible();
  await expect(proof).not.toContainText(/select/i);
  expect(await serious(page)).toEqual([]);
  const offered = await next(conversation).getByRole('button').allInnerTexts();
  expect(offered.length).toBeGreaterThan(0);
  await next(conversation).getByRole('button').first().click();
  await conversation.answered();
  await expect(conversation.log.getByRole('figure')).toHaveCount(2);
  await expect(conversation.log).toContainText(offered[0]);
});

test('the parts of a reading are told, and changed from their menus', async ({ page, service }) => {
  const conversation = await Conversation.open(page, service, ACME, { user: 'adjusts' });
  await conversation.ask('revenue by region in 2024');
  const reading = conversation.surface.getByRole('group', { name: 'Read as' });
  await expect(reading).toHaveText(/Number.*revenue.*By\s*region.*Period\s*2024/i);
  expect(await serious(page)).toEqual([]);
  // By keyboard: the menu opens upwards, and a choice is asked as the next question.
  await reading.getByRole('button', { name: 'By region' }).press('ArrowDown');
  const items = reading.getByRole('menuitem');
  await expect(items.first()).toBeFocused();
  const wanted = reading.getByRole('menuitem', { name: 'month', exact: true });
  await expect(wanted).toBeInViewport();
  await wanted.click();
  await conversation.answered();
  await expect(conversation.log).toContainText('By month');
  await expect(conversation.log.getByRole('figure')).toHaveCount(2);
  await expect(reading).toHaveText(/By\s*month.*Period\s*2024/i);
});

test('a question without an answer is listed, verified, and answered from then on', async ({ page, service, browser }) => {
  const question = 'Which unicorns are the best ones?';
  const conversation = await Conversation.open(page, service, ACME, { user: 'insists' });
  await conversation.ask(question);
  await expect(conversation.log.getByRole('figure')).toHaveCount(0);
  await expect(next(conversation).getByRole('button')).not.toHaveCount(0);
  expect(await serious(page)).toEqual([]);

  const context = await browser.newContext();
  const console = await context.newPage();
  await service.operate(console);
  const { projectId, workspaces } = service.project;
  await console.goto(`${service.url}/console/projects/${projectId}/workspaces/${workspaces['Ask the shop']}`);
  await console.getByRole('link', { name: 'Questions and answers' }).click();
  const open = console.getByRole('region', { name: 'Open questions' });
  const row = open.getByRole('row').filter({ hasText: question });
  await expect(row).toContainText('1 declined');
  await row.getByRole('link', { name: 'Verify an answer' }).click();
  await hydrated(console);
  await expect(console.getByLabel('Question', { exact: true })).toHaveValue(question);
  expect(await serious(console)).toEqual([]);
  await console.getByLabel('Query').fill('select region, count(*) as orders from orders group by region');
  await console.getByLabel('Verified by').fill('Finance team');
  await console.getByRole('button', { name: 'Save verified answer' }).click();
  const verified = console.getByRole('region', { name: 'Verified answers' }).getByRole('row').filter({ hasText: question });
  await expect(verified).toContainText('In use');
  await expect(row).toHaveCount(0);
  expect(await serious(console)).toEqual([]);

  await conversation.ask('which unicorns are the best ones');
  await expect(conversation.log).toContainText('Verified by Finance team.');
  await expect(conversation.log.getByRole('figure')).toHaveCount(1);
  await verified.getByRole('button', { name: 'Delete', exact: true }).click();
  await console.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(console.getByText('Verified answer deleted.')).toBeVisible();
  await context.close();
});
