// Editing by role: adding, moving, changing, removing, saving. Changes are never lost without a confirmation.

import { Dashboard } from '../support/dashboard.js';
import { ACME, expected } from '../support/data.js';
import { button, choose, edit, lastUser, save, secondWindow } from '../support/editor.js';
import { embed, expect, test } from '../support/fixtures.js';

test('a view-only page holds no tools and none of their code', async ({ open, page }) => {
  const scripts = [];
  page.on('request', (request) => {
    if (/inlay[\w-]*\.(js|wasm)$/.test(request.url())) scripts.push(request.url().split('/').at(-1));
  });
  const dashboard = await open(ACME);
  await dashboard.drawn();
  for (const name of ['Add', 'Actions', 'Save', 'Discard']) await expect(button(dashboard, name)).toHaveCount(0);
  await dashboard.chart('Revenue').hover();
  await dashboard.menuButton('Revenue').click();
  for (const name of ['Edit', 'Remove']) await expect(page.getByRole('menuitem', { name, exact: true })).toHaveCount(0);
  expect(scripts.filter((name) => name.includes('editor'))).toEqual([]);
});

test('a chart of the library is added, stays after a save, and only for this user', async ({ open, page }) => {
  const dashboard = await edit(open);
  const before = await dashboard.charts.count();
  await expect(button(dashboard, 'Save')).toHaveCount(0);
  await choose(dashboard, 'Add', 'Chart from library');
  await page
    .getByRole('dialog', { name: 'Add a chart' })
    .getByRole('button', { name: /^Largest orders/ })
    .click();
  await expect(dashboard.chart('Largest orders')).toHaveAttribute('data-state', 'ready');
  await expect(button(dashboard, 'Discard')).toBeVisible();
  await save(dashboard);
  expect(await dashboard.rows('Largest orders')).toHaveLength(25);
  const address = new URL(page.url());
  await page.goto('about:blank');
  const again = await open(ACME, { role: 'Editor', user: lastUser() });
  await again.drawn();
  expect(await again.charts.count()).toBe(before + 1);
  expect(address.search).not.toContain('jwt');
  const other = await edit(open);
  expect(await other.charts.count()).toBe(before);
});

test('a chart is taken off, brought back by undo, and taken off for good', async ({ open, page }) => {
  const dashboard = await edit(open);
  await (await dashboard.menuItem('Exchange rates', 'Remove')).click();
  await expect(dashboard.chart('Exchange rates')).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(dashboard.chart('Exchange rates')).toBeVisible();
  await expect(button(dashboard, 'Save')).toHaveCount(0);
  await choose(dashboard, 'Actions', 'Redo');
  await expect(dashboard.chart('Exchange rates')).toHaveCount(0);
  await save(dashboard);
});

test('`Discard` brings back what is stored', async ({ open }) => {
  const dashboard = await edit(open);
  await (await dashboard.menuItem('Exchange rates', 'Remove')).click();
  await (await dashboard.menuItem('Stock by depot', 'Remove')).click();
  await button(dashboard, 'Discard').click();
  await expect(dashboard.chart('Exchange rates')).toBeVisible();
  await expect(dashboard.chart('Stock by depot')).toBeVisible();
  await expect(button(dashboard, 'Discard')).toHaveCount(0);
});

test('charts are moved and resized by pointer and by keyboard', async ({ open, page }) => {
  const dashboard = await edit(open);
  const box = () => dashboard.chart('Revenue').boundingBox();
  const [before, other] = [await box(), await dashboard.chart('Revenue by month').boundingBox()];
  await dashboard.chart('Revenue').hover();
  const grip = await page.getByRole('button', { name: 'Move Revenue', exact: true }).boundingBox();
  await page.mouse.move(grip.x + 10, grip.y + 10);
  await page.mouse.down();
  await page.mouse.move(grip.x + 10 + (other.x - before.x), grip.y + 12, { steps: 8 });
  await page.mouse.up();
  await expect.poll(async () => Math.round((await box()).x)).toBe(Math.round(other.x));
  await expect(button(dashboard, 'Save')).toBeVisible();
  await page.getByRole('button', { name: 'Move Revenue', exact: true }).focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await expect.poll(async () => (await box()).width).toBeLessThan(before.width - 40);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(async () => (await box()).x).toBeLessThan(other.x - 40);
  const moved = await box();
  await save(dashboard);
  const again = await open(ACME, { role: 'Editor', user: lastUser() });
  await again.drawn();
  expect(await again.chart('Revenue').boundingBox()).toEqual(moved);
});

test('the page scrolls while a chart is dragged near the edge of the window', async ({ open, page }) => {
  await page.setViewportSize({ width: 1280, height: 600 });
  const dashboard = await edit(open);
  const top = () => dashboard.chart('Exchange rates').evaluate((figure) => figure.getBoundingClientRect().top + window.scrollY);
  const highest = await dashboard.charts.evaluateAll((figures) =>
    Math.min(...figures.map((figure) => figure.getBoundingClientRect().top + window.scrollY)),
  );
  await dashboard.chart('Exchange rates').scrollIntoViewIfNeeded();
  await dashboard.chart('Exchange rates').hover();
  const grip = await page.getByRole('button', { name: 'Move Exchange rates', exact: true }).boundingBox();
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(300);
  await page.mouse.move(grip.x + 10, grip.y + 10);
  await page.mouse.down();
  await page.mouse.move(grip.x + 10, 20, { steps: 8 });
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await page.mouse.up();
  await expect.poll(top).toBe(highest);
  await expect(button(dashboard, 'Save')).toBeVisible();
});

test('a chart moves to the top and to the bottom by its menu', async ({ open, page }) => {
  const dashboard = await edit(open);
  /** The charts of the highest row, or the chart that is lowest. */
  const places = async () => {
    const found = await dashboard.charts.evaluateAll((figures) =>
      figures.map((figure) => [figure.getAttribute('aria-label'), figure.getBoundingClientRect().top + window.scrollY]),
    );
    const sorted = found.toSorted(([, a], [, b]) => a - b);
    return { first: sorted.filter(([, top]) => top === sorted[0][1]).map(([name]) => name), last: sorted.at(-1)[0] };
  };
  expect((await places()).first).not.toContain('Exchange rates');
  await (await dashboard.menuItem('Exchange rates', 'Move to top')).click();
  await expect(page.getByRole('status').filter({ hasText: 'Moved to the top' })).toBeVisible();
  await expect.poll(async () => (await places()).first).toContain('Exchange rates');
  await (await dashboard.menuItem('Exchange rates', 'Move to bottom')).click();
  await expect.poll(async () => (await places()).last).toBe('Exchange rates');
  await (await dashboard.menuItem('Exchange rates', 'Move to bottom')).click();
  await expect(page.getByRole('status').filter({ hasText: 'Already the last chart' })).toBeVisible();
});

test('what was saved can be undone, and the undo saved', async ({ open, page }) => {
  const dashboard = await edit(open);
  await (await dashboard.menuItem('Exchange rates', 'Remove')).click();
  await save(dashboard);
  await page.keyboard.press('Control+z');
  await expect(dashboard.chart('Exchange rates')).toHaveAttribute('data-state', 'ready');
  await expect(button(dashboard, 'Save')).toBeVisible();
  await save(dashboard);
  expect(await dashboard.rows('Exchange rates')).toEqual(expected('Exchange rates', ACME));
  await choose(dashboard, 'Actions', 'Redo');
  await expect(dashboard.chart('Exchange rates')).toHaveCount(0);
  await choose(dashboard, 'Actions', 'Undo');
  await expect(button(dashboard, 'Save')).toHaveCount(0);
  const again = await open(ACME, { role: 'Editor', user: lastUser() });
  await again.drawn();
  expect(await again.rows('Exchange rates')).toEqual(expected('Exchange rates', ACME));
});

test('a copy is given up for the shared dashboard, after a question', async ({ open, page }) => {
  const dashboard = await edit(open);
  const way = page.getByRole('menuitem', { name: 'Back to the shared dashboard' });
  await button(dashboard, 'Actions').click();
  await expect(page.getByRole('menuitem', { name: 'Rename', exact: true })).toBeVisible();
  await expect(way, 'there is no copy yet').toHaveCount(0);
  await page.keyboard.press('Escape');
  await (await dashboard.menuItem('Exchange rates', 'Remove')).click();
  await save(dashboard);
  await choose(dashboard, 'Actions', 'Back to the shared dashboard');
  const question = page.getByRole('dialog', { name: 'Back to the shared dashboard' });
  await expect(question.getByText(/Your changes are lost, and so are the scheduled reports and alerts/)).toBeVisible();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(dashboard.chart('Exchange rates')).toHaveCount(0);
  await choose(dashboard, 'Actions', 'Back to the shared dashboard');
  await question.getByRole('button', { name: 'Delete my copy' }).click();
  await expect(dashboard.chart('Exchange rates')).toBeVisible();
  await dashboard.drawn();
  await button(dashboard, 'Actions').click();
  await expect(way).toHaveCount(0);
  const again = await open(ACME, { role: 'Editor', user: lastUser() });
  await again.drawn();
  await expect(again.chart('Exchange rates')).toBeVisible();
});

test('a dashboard is renamed, duplicated and made the default', async ({ open, page }) => {
  const dashboard = await edit(open);
  await choose(dashboard, 'Actions', 'Rename');
  await page.getByRole('dialog', { name: 'Rename dashboard' }).getByLabel('Name').fill('My shop');
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await expect(dashboard.title).toHaveText('My shop');
  await save(dashboard);
  await expect(dashboard.navigation.getByRole('link', { name: 'My shop' })).toBeVisible();
  await choose(dashboard, 'Actions', 'Duplicate');
  await page.getByRole('dialog', { name: 'Duplicate dashboard' }).getByRole('button', { name: 'Duplicate' }).click();
  await expect(dashboard.title).toHaveText('My shop (Copy)');
  await dashboard.drawn();
  await choose(dashboard, 'Actions', 'Set as default');
  await expect(page.getByRole('status').filter({ hasText: 'Set as your default dashboard' })).toBeVisible();
  const again = await open(ACME, { role: 'Editor', user: lastUser() });
  await expect(again.title).toHaveText('My shop (Copy)');
});

test('a new dashboard is empty and takes charts', async ({ open, page }) => {
  const dashboard = await edit(open);
  await choose(dashboard, 'Add', 'Dashboard');
  await page.getByRole('dialog', { name: 'New dashboard' }).getByLabel('Name').fill('Fresh');
  await page.keyboard.press('Enter');
  await expect(dashboard.title).toHaveText('Fresh');
  await choose(dashboard, 'Add', 'Chart from library');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Exchange rates/ })
    .click();
  await save(dashboard);
  expect(await dashboard.rows('Exchange rates')).toEqual(expected('Exchange rates', ACME));
});

test('another dashboard opens only after the question what becomes of the changes', async ({ open, page }) => {
  const dashboard = await edit(open);
  await (await dashboard.menuItem('Exchange rates', 'Remove')).click();
  await dashboard.navigation.getByText('Details', { exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Unsaved changes' });
  await question.getByRole('button', { name: 'Stay here' }).click();
  await expect(dashboard.title).toHaveText('Overview');
  await dashboard.navigation.getByText('Details', { exact: true }).click();
  await question.getByRole('button', { name: 'Save changes' }).click();
  await expect(dashboard.title).toHaveText('Details');
  await dashboard.navigation.getByText('Overview', { exact: true }).click();
  await expect(dashboard.title).toHaveText('Overview');
  await dashboard.drawn();
  await expect(dashboard.chart('Exchange rates')).toHaveCount(0);
});

test.describe('two windows', () => {
  test.use({ allowedErrors: [/status of 409/] });

  test('the later save sees a clear conflict and can be kept as a dashboard of its own', async ({ open, context, service, page }) => {
    const first = await edit(open);
    const { page: other, dashboard: second } = await secondWindow(context, service);
    await (await first.menuItem('Exchange rates', 'Remove')).click();
    await save(first);
    await (await second.menuItem('Stock by depot', 'Remove')).click();
    await button(second, 'Save').click();
    const conflict = other.getByRole('dialog', { name: 'Save conflict' });
    await conflict.getByRole('button', { name: 'Save mine as a new dashboard' }).click();
    await expect(second.title).toHaveText('Overview (Mine)');
    await expect(second.chart('Exchange rates')).toBeVisible();
    await expect(second.chart('Stock by depot')).toHaveCount(0);
    await page.bringToFront();
  });

  test('the newer version of a renamed dashboard renames it in the navigation', async ({ open, context, service, page }) => {
    const first = await edit(open);
    const { page: other, dashboard: second } = await secondWindow(context, service);
    await button(first, 'Actions').click();
    await expect(page.getByRole('menuitem', { name: 'Undo' })).toHaveAttribute('aria-disabled', 'true');
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Overview B');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await button(first, 'Actions').click();
    await expect(page.getByRole('menuitem', { name: 'Undo' })).not.toHaveAttribute('aria-disabled', 'true');
    await page.keyboard.press('Escape');
    await save(first);
    await (await second.menuItem('Stock by depot', 'Remove')).click();
    await button(second, 'Save').click();
    await other.getByRole('dialog', { name: 'Save conflict' }).getByRole('button', { name: 'Load the newer version' }).click();
    await expect(second.title).toHaveText('Overview B');
    await expect(second.navigation.getByRole('link', { name: 'Overview B', exact: true })).toBeVisible();
    await expect(second.navigation.getByRole('link', { name: 'Overview', exact: true })).toHaveCount(0);
  });
});

test.describe('without the server', () => {
  test.use({ allowedErrors: [/ERR_INTERNET_DISCONNECTED|Failed to fetch/] });

  test('changes are kept, and saved once it is back', async ({ open, context, page }) => {
    const dashboard = await edit(open);
    await (await dashboard.menuItem('Exchange rates', 'Remove')).click();
    await context.setOffline(true);
    await button(dashboard, 'Save').click();
    await expect(page.getByRole('status').filter({ hasText: 'Your changes are kept here.' })).toBeVisible();
    await context.setOffline(false);
    await save(dashboard);
  });
});

test('a filter is added, narrows at once, and is there after a save', async ({ open, page }) => {
  const dashboard = await edit(open);
  await dashboard.filters.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('dialog', { name: 'Add filter' }).getByRole('button', { name: 'category' }).click();
  await dashboard.choose('category', 'Books');
  await expect.poll(async () => (await dashboard.rows('Orders by category')).map(([name]) => name)).toEqual(['Books']);
  await save(dashboard);
  const again = await open(ACME, { role: 'Editor', user: lastUser() });
  await expect(again.filters.getByRole('combobox', { name: 'category' })).toBeVisible();
});

test('a page whose token comes by message gets the tools with it', async ({ page, host, service }) => {
  const parameters = { tokenHandoff: 'true', parentOrigin: host.origin };
  await page.goto(host.page({ src: service.page(`/share/application/${service.application()}`, parameters) }));
  const frame = await embed(page);
  const token = await service.signIn(ACME, { role: 'Editor', user: `editor-handed-${process.pid}` });
  const send = (text) => page.evaluate((one) => frames[0].postMessage({ type: 'embed:set-token', v: 1, token: one }, '*'), text);
  await send(token);
  const dashboard = new Dashboard(frame);
  await dashboard.drawn();
  await expect(button(dashboard, 'Add')).toBeVisible();
  const types = await page.evaluate(() => window.messages.map(({ data }) => data.type));
  expect(types.filter((type) => type === 'embed:ready')).toHaveLength(1);
  expect(types).toContain('embed:loaded');
  await send(await service.signIn(ACME, { role: 'Editor', user: `editor-handed-${process.pid}` }));
  await (await dashboard.menuItem('Exchange rates', 'Remove')).click();
  await save(dashboard);
});

test('what was changed is there again when an expired session is revived', async ({ page, host, service }) => {
  const user = `editor-revived-${process.pid}`;
  const claims = (token) => JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
  const token = await service.signIn(ACME, { role: 'Editor', user });
  await page.clock.install();
  const src = service.page(`/share/application/${service.application()}`, { parentOrigin: host.origin, jwt: token });
  await page.goto(host.page({ src }));
  const frame = await embed(page);
  const dashboard = new Dashboard(frame);
  await dashboard.drawn();
  await (await dashboard.menuItem('Exchange rates', 'Remove')).click();
  await page.clock.fastForward((claims(token).exp - claims(token).iat + 1) * 1000);
  await expect(frame.getByRole('alert')).toHaveText('Session expired');
  const fresh = await service.signIn(ACME, { role: 'Editor', user });
  await page.evaluate((one) => frames[0].postMessage({ type: 'embed:set-token', v: 1, token: one }, '*'), fresh);
  await expect(button(dashboard, 'Save')).toBeVisible();
  await expect(dashboard.chart('Exchange rates')).toHaveCount(0);
  await save(dashboard);
});
