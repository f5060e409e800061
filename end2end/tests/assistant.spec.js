// The assistant of dashboards: charts from a description, and the AI insights sidebar.
import { ACME, expected, orders } from '../support/data.js';
import { expect, test } from '../support/fixtures.js';

let users = 0;

/** Opens the Overview as a new user with a role. */
async function begin(open, role, options = {}) {
  users += 1;
  const user = `assisted-${process.pid}-${users}`;
  const dashboard = await open(ACME, { role, user, ...options });
  await dashboard.drawn();
  return { dashboard, user };
}

const button = (surface, name) => surface.getByRole('button', { name, exact: true });

/** Asks a question and waits until the answer is complete. */
async function ask(surface, field, question) {
  const input = surface.getByRole('textbox', { name: field });
  await input.fill(question);
  await input.press('Enter');
  await expect(button(surface, 'Send')).toBeVisible();
  await expect(surface.locator('[aria-busy="true"]')).toHaveCount(0);
}

/** Opens the dialog for charts from a description. */
async function describe(page) {
  await button(page, 'Add').click();
  await page.getByRole('menuitem', { name: 'Describe a chart', exact: true }).click();
  return page.getByRole('dialog', { name: 'Describe a chart' });
}

test('a chart is described, refined, put on the dashboard, saved and there after a reload', async ({ open, page }) => {
  const { dashboard, user } = await begin(open, 'Describer');
  const before = await dashboard.charts.count();
  const dialog = await describe(page);
  await ask(dialog, 'Description', 'total amount by region');
  await ask(dialog, 'Description', 'as a pie');
  const drawn = dialog.getByRole('figure').last();
  await expect(drawn).toHaveAttribute('data-state', 'ready');
  const title = await drawn.getAttribute('aria-label');
  await button(dialog, 'Add to dashboard').last().click();
  await expect(dialog).toHaveCount(0);
  await expect(dashboard.chart(title)).toHaveAttribute('data-state', 'ready');
  await button(page, 'Save').click();
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible();
  await page.goto('about:blank');
  const again = await open(ACME, { role: 'Describer', user });
  await again.drawn();
  expect(await again.charts.count()).toBe(before + 1);
  const rows = (await again.rows(title)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  expect(rows).toEqual(expected('Revenue by region', ACME));
  // The page's filters affect it like any other chart.
  await again.choose('Region', 'north');
  await expect.poll(async () => (await again.rows(title)).length).toBe(1);
});

test('a described chart is kept by undo and changed once it is saved', async ({ open, page }) => {
  const { dashboard } = await begin(open, 'Describer');
  const dialog = await describe(page);
  await ask(dialog, 'Description', 'average amount by category');
  const title = await dialog.getByRole('figure').getAttribute('aria-label');
  await button(dialog, 'Add to dashboard').click();
  await expect(dashboard.chart(title)).toHaveAttribute('data-state', 'ready');
  await page.keyboard.press('Control+z');
  await expect(dashboard.chart(title)).toHaveCount(0);
  await page.keyboard.press('Control+y');
  await expect(dashboard.chart(title)).toHaveAttribute('data-state', 'ready');
  await (await dashboard.menuItem(title, 'Edit')).click();
  await expect(page.getByRole('dialog', { name: 'Edit chart' }).getByRole('alert')).toContainText('Save the dashboard before');
  await page.getByRole('dialog', { name: 'Edit chart' }).getByRole('button', { name: 'Cancel' }).click();
  await button(page, 'Save').click();
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible();
  await (await dashboard.menuItem(title, 'Edit')).click();
  await expect(page.getByRole('dialog', { name: 'Edit chart' }).getByRole('textbox', { name: 'Name' })).toHaveValue(title);
});

test('the sidebar talks about the charts on screen with the filters that are set', async ({ open, page }) => {
  const { dashboard } = await begin(open, 'Insider');
  await expect(button(page, 'Add')).toHaveCount(0);
  await button(page, 'AI insights').click();
  const panel = page.getByRole('complementary', { name: 'AI insights' });
  await expect(panel.getByRole('textbox', { name: 'Question' })).toBeFocused();
  await button(panel, 'What stands out on this page?').click();
  const log = panel.getByRole('log', { name: 'Conversation' });
  await expect(log).toContainText('Revenue by region');
  await ask(panel, 'Question', 'How many orders?');
  await expect(log).toContainText(String(orders(ACME).length));
  await dashboard.choose('Region', 'north');
  await ask(panel, 'Question', 'How many orders?');
  await expect(log).toContainText('Region north');
  await expect(log.getByRole('article').last()).toContainText(String(orders(ACME, { region: 'north' }).length));
  await expect(button(panel, 'Add to dashboard')).toHaveCount(0);
  // The conversation is kept while the panel is closed, and the focus returns to its button.
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(button(page, 'AI insights')).toBeFocused();
  await button(page, 'AI insights').click();
  await expect(log).toContainText('Region north');
  await button(panel, 'New conversation').click();
  await expect(log).not.toContainText('Region north');
});

test.describe('refused', () => {
  // The browser's own line about a refused request.
  test.use({ allowedErrors: [/status of 400/] });

  test('a question that is too long comes back with the reason', async ({ open, page }) => {
    await begin(open, 'Insider');
    await button(page, 'AI insights').click();
    const panel = page.getByRole('complementary', { name: 'AI insights' });
    const input = panel.getByRole('textbox', { name: 'Question' });
    const long = 'x'.repeat(8001);
    await input.fill(long);
    await input.press('Enter');
    await expect(panel.getByRole('alert')).toHaveText('A question must have 1 to 8000 characters; this one has 8001.');
    await expect(input).toHaveValue(long);
    await expect(panel.getByRole('article')).toHaveCount(0);
    await ask(panel, 'Question', 'How many orders?');
    await expect(panel.getByRole('alert')).toHaveCount(0);
    await expect(panel.getByRole('log')).toContainText(String(orders(ACME).length));
  });
});

test('an insight becomes a chart of the dashboard where the role allows it', async ({ open, page }) => {
  const { dashboard } = await begin(open, 'Describer');
  await button(page, 'AI insights').click();
  const panel = page.getByRole('complementary', { name: 'AI insights' });
  await ask(panel, 'Question', 'average amount by category');
  const title = await panel.getByRole('figure').getAttribute('aria-label');
  await button(panel, 'Add to dashboard').click();
  await expect(dashboard.surface.locator('.grid').getByRole('figure', { name: title, exact: true })).toHaveAttribute('data-state', 'ready');
  await expect(button(page, 'Save')).toBeVisible();
});

test('who may not ask sees no button, and loads nothing of it', async ({ open, page }) => {
  const scripts = [];
  page.on('request', (request) => scripts.push(request.url()));
  for (const role of [undefined, 'Editor']) {
    const { dashboard } = await begin(open, role);
    await expect(button(page, 'AI insights')).toHaveCount(0);
    if (role) {
      await button(page, 'Add').click();
      await expect(page.getByRole('menuitem', { name: 'Chart from library' })).toBeVisible();
    }
    await expect(page.getByRole('menuitem', { name: 'Describe a chart' })).toHaveCount(0);
    await expect(dashboard.title).toBeVisible();
  }
  expect(scripts.filter((address) => address.endsWith('/workspace.css'))).toEqual([]);
});

test('on a phone the sidebar takes the whole width and nothing scrolls sideways', async ({ open, page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await begin(open, 'Insider');
  await button(page, 'AI insights').click();
  const panel = page.getByRole('complementary', { name: 'AI insights' });
  await ask(panel, 'Question', 'orders by region');
  await expect(panel.getByRole('figure')).toHaveAttribute('data-state', 'ready');
  const box = await panel.boundingBox();
  expect([box.x, box.width]).toEqual([0, 390]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
