// An editor of the tests' dashboards: a new user for each test, so that tests do not share copies.

import { Dashboard } from './dashboard.js';
import { ACME } from './data.js';
import { expect, hydrated } from './fixtures.js';

let users = 0;

/** The user that `edit` signed in last. */
export const lastUser = () => `editor-${process.pid}-${users}`;

/** Opens the Overview as a new user with a role. */
export async function edit(open, role = 'Editor', options = {}) {
  users += 1;
  const dashboard = await open(ACME, { role, user: lastUser(), ...options });
  await dashboard.drawn();
  return dashboard;
}

/** The same dashboard in another window of that user. */
export async function secondWindow(context, service) {
  const page = await context.newPage();
  await page.goto(service.applicationPage(await service.signIn(ACME, { role: 'Editor', user: lastUser() })));
  await hydrated(page);
  const dashboard = new Dashboard(page);
  await dashboard.drawn();
  return { page, dashboard };
}

export const button = (dashboard, name) => dashboard.surface.getByRole('button', { name, exact: true });

export async function choose(dashboard, menu, item) {
  await button(dashboard, menu).click();
  await dashboard.surface.getByRole('menuitem', { name: item, exact: true }).click();
}

export async function save(dashboard) {
  await button(dashboard, 'Save').click();
  await expect(dashboard.surface.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible();
  await expect(button(dashboard, 'Save')).toHaveCount(0);
}

/** Chooses a chart's type in the builder. Types that cannot draw its query stand under `More types`. */
export async function chooseType(dialog, name) {
  const type = dialog.getByRole('radio', { name, exact: true, includeHidden: true });
  await expect(type).toBeAttached();
  if (!(await type.isVisible())) await dialog.getByText('More types').click();
  await type.check();
}

/** Opens the builder for a new chart. */
export async function newChart(dashboard) {
  await choose(dashboard, 'Add', 'New chart');
  const dialog = dashboard.surface.getByRole('dialog', { name: 'New chart' });
  return { dialog, preview: dialog.getByRole('figure', { name: 'Preview' }) };
}
