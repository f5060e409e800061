// The palette of the console: `Ctrl K` leads to pages and to entries of lists, by keyboard and by pointer.
import { expect, test } from '../support/fixtures.js';

const palette = (page) => page.getByRole('dialog', { name: 'Go to' });
const heading = (page, name) => expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();

test.beforeEach(async ({ page, service }) => {
  await service.operate(page);
  await page.goto(`${service.url}/console/projects/${service.project.projectId}`);
});

test('it leads to a page of the navigation and to a chart, by name', async ({ page }) => {
  await page.keyboard.press('Control+k');
  const field = palette(page).getByRole('combobox', { name: 'Go to' });
  await expect(field).toBeFocused();
  await field.fill('audit');
  await expect(palette(page).getByRole('option')).toHaveText([/^Audit log/]);
  await page.keyboard.press('Enter');
  await heading(page, 'Audit log');
  await page.goBack();

  await page.keyboard.press('Control+k');
  await field.fill('chart revenue by mon');
  await expect(palette(page).getByRole('option', { name: /^Revenue by month/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await heading(page, 'Revenue by month');
});

test('arrows move through the list, a click opens an entry, Escape gives the focus back', async ({ page }) => {
  const link = page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Usage' });
  await link.focus();
  await page.keyboard.press('Control+k');
  const options = palette(page).getByRole('option');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(options.last()).toHaveAttribute('aria-selected', 'true');
  await palette(page).getByRole('combobox').fill('nothing of that name');
  await expect(palette(page).getByRole('status')).toHaveText('No matches');
  await page.keyboard.press('Escape');
  await expect(palette(page)).toHaveCount(0);
  await expect(link).toBeFocused();
  await page.keyboard.press('Control+k');
  await palette(page).getByRole('combobox').fill('roles');
  await options.filter({ hasText: 'Roles' }).click();
  await heading(page, 'Roles');
});

test('it fits a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 });
  await page.keyboard.press('Control+k');
  const box = await palette(page).boundingBox();
  expect([box.x >= 0, box.x + box.width <= 390]).toEqual([true, true]);
});
