// The open dashboard, and how a viewer opens another.

import { Dashboard } from '../support/dashboard.js';
import { ACME, expected } from '../support/data.js';
import { expect, hydrated, test } from '../support/fixtures.js';

test('the default dashboard opens; navigation and tabs lead to the others', async ({ open }) => {
  const dashboard = await open(ACME);
  await expect(dashboard.title).toHaveText('Overview');
  await expect(dashboard.title).toHaveCount(1);
  await dashboard.navigation.getByText('Details', { exact: true }).click();
  await expect(dashboard.title).toHaveText('Details');
  await expect(dashboard.chart('Largest orders')).toHaveAttribute('data-state', 'ready');
  await dashboard.tabs.getByRole('tab', { name: 'Overview', exact: true }).click();
  await expect(dashboard.title).toHaveText('Overview');
  await dashboard.drawn();
  expect(await dashboard.rows('Revenue')).toEqual(expected('Revenue', ACME));
});

test('tabs move by arrow keys', async ({ open, page }) => {
  const dashboard = await open(ACME);
  await dashboard.tabs.getByRole('tab', { name: 'Overview', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(dashboard.tabs.getByRole('tab', { name: 'Details', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dashboard.title).toHaveText('Details');
  await expect(dashboard.tabs.getByRole('tab', { name: 'Details', exact: true })).toHaveAttribute('aria-selected', 'true');
});

test('`dashboardId` opens exactly that dashboard, without navigation and tabs', async ({ open, service }) => {
  const dashboard = await open(ACME, { parameters: { dashboardId: service.dashboard('Details') } });
  await expect(dashboard.title).toHaveText('Details');
  await dashboard.drawn();
  await expect(dashboard.navigation).toHaveCount(0);
  await expect(dashboard.tabs).toHaveCount(0);
});

test('the page of a dashboard finds its application', async ({ page, service }) => {
  const token = await service.signIn(ACME);
  await page.goto(service.page(`/share/dashboard/${service.dashboard('Details')}`, { jwt: token }));
  await hydrated(page);
  const dashboard = new Dashboard(page);
  await expect(dashboard.title).toHaveText('Details');
  await dashboard.drawn();
  expect(await dashboard.rows('Revenue by month')).toEqual(expected('Revenue by month', ACME));
});

test('the role `disableTabs` leaves the navigation and takes the tabs', async ({ open }) => {
  const dashboard = await open(ACME, { user: 'tess', role: 'Without tabs' });
  await expect(dashboard.navigation).toBeVisible();
  await expect(dashboard.tabs).toHaveCount(0);
});
