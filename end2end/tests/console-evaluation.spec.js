// An evaluation runs in the background: its page refreshes by itself, and it can be cancelled.
import { serious } from '../support/axe.js';
import { TABLES } from '../support/data.js';
import { expect, hydrated, test } from '../support/fixtures.js';
import { SlowModel } from '../support/model.js';
import { project } from '../support/project.js';
import { Service } from '../support/service.js';

const EXAMPLES = [
  { question: 'How many orders?', sql: 'select count(*) from orders' },
  { question: 'Orders by region', sql: 'select region, count(*) from orders group by 1' },
];

/** The tests' own project with a workspace that has examples. */
const WORLD = {
  project: (origin) => ({
    ...project(origin),
    workspaces: [{ name: 'Judged', connection: 'warehouse', publish: true, examples: EXAMPLES }],
    applications: [],
  }),
  databases: { 'warehouse.db': TABLES, 'fragile.db': TABLES },
};

const list = (page) => page.getByRole('region', { name: 'Evaluations' });

async function open(page, service) {
  await page.goto(`${service.url}/console/projects/${service.project.projectId}/workspaces`);
  await page.getByRole('main').getByRole('link', { name: 'Judged' }).click();
}

// A node looks for work every second, in addition to its other load.
const DONE = { timeout: 60_000 };

test('an evaluation is followed, cancelled and done again', async ({ page, host, browser }) => {
  test.slow();
  const words = Array.from({ length: 400 }, (_, number) => `word${number}`);
  const model = await SlowModel.start(words);
  const environment = { INLAY_ALLOW_PRIVATE_SOURCES: '127.0.0.1' };
  const service = await Service.start(host.origin, { environment, world: WORLD });
  try {
    await service.command(
      'model',
      'set',
      '--organization',
      service.organizationId,
      '--provider',
      'openai',
      '--address',
      model.address,
      '--model',
      'slow',
    );
    await service.signIn('acme');
    await service.operate(page);
    await open(page, service);
    await hydrated(page);
    await page.getByRole('button', { name: 'Evaluate' }).click();
    // Without a reload: a node starts it and asks the first question.
    await expect(list(page)).toContainText('0 of 2 answered');
    await expect(list(page)).toContainText('slow');
    await expect.poll(() => model.listeners).toBe(1);
    expect(await serious(page)).toEqual([]);
    await list(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(list(page)).toContainText('Cancelled');
    await expect.poll(() => model.listeners).toBe(0);

    // The model is faster from now on.
    words.splice(1);
    await page.getByRole('button', { name: 'Evaluate' }).click();
    await expect(list(page)).toContainText('0 of 2 right', DONE);
    await list(page).getByText('2 wrong').click();
    await expect(list(page)).toContainText('Orders by region');
    expect(await serious(page)).toEqual([]);

    // The same in a browser without scripts.
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await service.operate(plain);
    await open(plain, service);
    await plain.getByRole('button', { name: 'Evaluate' }).click();
    const done = list(plain).getByText('0 of 2 right');
    await expect(async () => {
      await plain.reload();
      expect(await done.count()).toBe(2);
    }).toPass(DONE);
    await context.close();
  } finally {
    await service.stop();
    await model.stop();
  }
});
