// Saved views: the values of a dashboard's filters under a name, for their user alone.
import { ACME } from '../support/data.js';
import { expect, test } from '../support/fixtures.js';

// The browser's own line about a request that was stopped.
test.use({ allowedErrors: [/net::ERR_FAILED/] });

const regions = async (dashboard) => (await dashboard.rows('Revenue by region')).map(([region]) => region);

/** The button and the list of saved views. */
const parts = (dashboard) => {
  const button = dashboard.filters.getByRole('button', { name: /^Views?(: .*)?$/ });
  const list = dashboard.filters.getByRole('group', { name: 'Saved views' });
  const name = list.getByRole('textbox', { name: 'Name of the view' });
  return { button, list, name, status: list.getByRole('status'), entry: (text) => list.getByRole('button', { name: text, exact: true }) };
};

test('a viewer saves the filters, chooses them again, opens with them and deletes them', async ({ open }) => {
  const user = 'views-keeper';
  let dashboard = await open(ACME, { user });
  await dashboard.drawn();
  let { button, list, name, status, entry } = parts(dashboard);
  await expect(button).toHaveText('Views');
  await button.click();
  await expect(status).toContainText('Other users do not see your views.');
  await button.click();
  await expect(list).toBeHidden();

  await dashboard.choose('Region', 'north');
  await button.click();
  await name.fill('  Only north ');
  await name.press('Enter');
  await expect(status).toHaveText('“Only north” is saved.');
  await expect(button).toHaveText('View: Only north');
  await expect(entry('Only north')).toHaveAttribute('aria-pressed', 'true');
  await expect(name).toBeFocused();
  await expect(name).toHaveValue('');

  await dashboard.filters.getByRole('button', { name: 'Clear filters' }).click();
  await expect(list).toBeHidden();
  await expect(button).toHaveText('Views');
  expect((await regions(dashboard)).length).toBeGreaterThan(1);
  await button.click();
  await entry('Only north').click();
  await expect(button).toHaveText('View: Only north');
  await expect(list).toBeHidden();
  await expect(button).toBeFocused();
  await expect.poll(() => regions(dashboard)).toEqual(['north']);

  await button.click();
  await entry('Open the dashboard with Only north').click();
  await expect(status).toHaveText('The dashboard opens with “Only north” from now on.');
  await expect(entry('Open the dashboard with Only north')).toHaveAttribute('aria-pressed', 'true');
  await name.press('Escape');
  await expect(list).toBeHidden();
  await expect(button).toBeFocused();

  dashboard = await open(ACME, { user });
  ({ button, list, name, status, entry } = parts(dashboard));
  await expect(button).toHaveText('View: Only north');
  expect(await regions(dashboard)).toEqual(['north']);
  // The host's address says otherwise.
  dashboard = await open(ACME, { user, parameters: { filter_region: '"south"' } });
  ({ button, list, name, status, entry } = parts(dashboard));
  await expect(button).toHaveText('Views');
  expect(await regions(dashboard)).toEqual(['south']);

  const other = await open(ACME, { user: 'views-other' });
  await expect(parts(other).button).toHaveText('Views');
  await parts(other).button.click();
  await expect(parts(other).list.getByRole('listitem')).toHaveCount(0);

  dashboard = await open(ACME, { user });
  ({ button, list, name, status, entry } = parts(dashboard));
  await button.click();
  await entry('Delete Only north').click();
  await expect(status).toHaveText('“Only north” is deleted.');
  await expect(list.getByRole('listitem')).toHaveCount(0);
  await expect(name).toBeFocused();
  await expect(button).toHaveText('Views');
  dashboard = await open(ACME, { user });
  await expect(parts(dashboard).button).toHaveText('Views');
  expect((await regions(dashboard)).length).toBeGreaterThan(1);
});

test('a view that is saved again takes the place of the one of its name, and stays the default', async ({ open }) => {
  const user = 'views-again';
  let dashboard = await open(ACME, { user });
  const { button, list, name, status, entry } = parts(dashboard);
  await dashboard.choose('Region', 'north');
  await button.click();
  await name.fill('Mine');
  await list.getByRole('button', { name: 'Save view' }).click();
  await expect(status).toHaveText('“Mine” is saved.');
  await entry('Open the dashboard with Mine').click();
  await expect(status).toContainText('opens with “Mine”');
  await dashboard.choose('Region', 'south');
  await button.click();
  await name.fill('Mine');
  await name.press('Enter');
  await expect(status).toHaveText('“Mine” is saved.');
  await expect(list.getByRole('listitem')).toHaveCount(1);
  dashboard = await open(ACME, { user });
  expect((await regions(dashboard)).toSorted()).toEqual(['north', 'south']);
});

for (const { width, role } of [
  { width: 320, role: 'Editor' },
  { width: 700, role: 'Editor' },
  { width: 900, role: 'Editor' },
  { width: 1280, role: 'Editor' },
  { width: 700, role: undefined },
]) {
  for (const locale of ['en', 'ar']) {
    test(`at ${width} px the list is whole on the page (${role ?? 'viewer'}, ${locale})`, async ({ open, page }) => {
      await page.setViewportSize({ width, height: 700 });
      const dashboard = await open(ACME, { user: `views-${width}-${role}`, role, parameters: { locale } });
      // With it, the buttons take a line of their own on some widths.
      await dashboard.choose('Region', 'north');
      const { button, list } = parts(dashboard);
      await button.click();
      await expect(list).toBeVisible();
      const { x, width: wide } = await list.boundingBox();
      expect(x, 'the left edge').toBeGreaterThanOrEqual(0);
      expect(x + wide, 'the right edge').toBeLessThanOrEqual(width);
    });
  }
}

test('a view that cannot be saved says why, and what is typed wrong saves nothing', async ({ open, page }) => {
  const dashboard = await open(ACME, { user: 'views-refused' });
  const { button, list, name, status } = parts(dashboard);
  await button.click();
  await name.fill('   ');
  await name.press('Enter');
  await expect(list.getByRole('listitem')).toHaveCount(0);
  await page.route('**/save-view*', (route) => route.abort());
  await name.fill('Lost');
  await name.press('Enter');
  await expect(status).not.toHaveText(/is saved|^$|Other users/);
  await expect(name).toHaveValue('Lost');
  await expect(list.getByRole('listitem')).toHaveCount(0);
});
