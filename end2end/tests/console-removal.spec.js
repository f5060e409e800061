// Deleting a project in the console, with and without scripts. Its open pages say that it is gone.

import { Dashboard } from '../support/dashboard.js';
import { ACME } from '../support/data.js';
import { test as base, expect } from '../support/fixtures.js';
import { Service } from '../support/service.js';

/** @type {import('../support/types.js').TestWith<{ doomed: Service }>} */
const test = base.extend(
  /** @type {any} */ ({
    /** A service whose project is deleted. */
    doomed: async ({ host }, use) => {
      const service = await Service.start(host.origin, {});
      await use(service);
      await service.stop();
    },
  }),
);

// The browser's own lines about refused requests.
test.use({ allowedErrors: [/status of 4\d\d/] });

const NAME = 'Browser tests';

for (const scripted of [true, false]) {
  test(`an admin types its name, and its pages end ${scripted ? 'with' : 'without'} scripts in the console`, async ({
    browser,
    page,
    doomed,
  }) => {
    const token = await doomed.signIn(ACME);
    await page.goto(doomed.applicationPage(token));
    const dashboard = new Dashboard(page);
    await dashboard.drawn();

    const context = await browser.newContext({ javaScriptEnabled: scripted });
    const console_ = await context.newPage();
    await doomed.operate(console_);
    const project = `${doomed.url}/console/projects/${doomed.project.projectId}`;
    await console_.goto(project);
    await console_.getByRole('link', { name: 'Delete project' }).click();
    await expect(console_.getByRole('heading', { level: 1, name: `Delete ${NAME}` })).toBeVisible();
    await expect(console_.getByText('It is in use.', { exact: false })).toContainText('dashboards were opened 1 time');
    const second = await context.newPage();
    await second.goto(`${project}/delete`);
    const erase = async (one, name) => {
      await one.getByLabel("Type the project's name").fill(name);
      await one.getByRole('button', { name: 'Delete project' }).click();
    };
    await erase(console_, 'Browser');
    await expect(console_.getByText(/does not match the project's name/)).toBeVisible();
    await expect(console_.getByLabel("Type the project's name")).toHaveValue('Browser');
    await erase(console_, NAME);
    await expect(console_.getByText(`${NAME} deleted.`)).toBeVisible();
    await expect(console_.getByRole('heading', { level: 1, name: 'Projects' })).toBeVisible();
    await erase(second, NAME);
    await expect(second.getByText(`${NAME} has already been deleted.`)).toBeVisible();
    await second.goto(project);
    await expect(second.getByRole('heading', { level: 1, name: 'Not found' })).toBeVisible();
    await context.close();

    await dashboard.filters.getByRole('combobox', { name: 'Region', exact: true }).click();
    await expect(page.getByText('Invalid or missing token.')).toBeVisible();
  });
}
