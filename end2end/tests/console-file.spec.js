// Importing a project file in the console: what it would do, what it breaks, what it did; and invalid files.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serious } from '../support/axe.js';
import { test as base, expect, hydrated } from '../support/fixtures.js';
import { Service } from '../support/service.js';

/** @type {import('../support/types.js').TestWith<{ folder: string }>} */
const test = base.extend(
  /** @type {any} */ ({
    service: [
      async ({ host }, use) => {
        const environment = { INLAY_SQLITE_FOLDERS: tmpdir(), INLAY_ALLOW_PRIVATE_SOURCES: 'true' };
        const service = await Service.start(host.origin, { environment });
        await use(service);
        await service.stop();
      },
      { scope: 'worker' },
    ],
    folder: async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'inlay-file-'));
      await use(folder);
      await rm(folder, { recursive: true, force: true });
    },
  }),
);

// The browser's own lines about refused forms.
test.use({ allowedErrors: [/status of 4\d\d/] });

/** Opens the project file's page, and writes the export to a file that a test may change. */
async function open(page, service, folder) {
  await service.operate(page);
  await page.goto(`${service.url}/console/projects/${service.project.projectId}/file`);
  await hydrated(page);
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download' }).click();
  const text = await readFile(await (await downloading).path(), 'utf8');
  return async (change) => {
    const path = join(folder, 'project.yaml');
    await writeFile(path, change(text));
    return path;
  };
}

const chosen = (page) => page.getByLabel('File', { exact: true });
const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
const would = (page) => page.getByRole('group', { name: 'Changes by this file' });

test('a chosen file is looked at, applied, and its result seen', async ({ page, service, folder }) => {
  const write = await open(page, service, folder);
  const renamed = await write((text) => text.replace('name: Reader', 'name: Listener'));
  await chosen(page).setInputFiles(renamed);
  await press(page, 'Compare');
  await expect(would(page)).toContainText('Applying this file would create 1 object.');
  await expect(would(page)).toContainText('Created role Listener');
  expect(await serious(page)).toEqual([]);
  // The form now contains the file's text, so it need not be chosen again.
  await press(page, 'Apply');
  await expect(page.getByText('Applied.', { exact: true })).toBeVisible();
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Roles' }).click();
  await expect(page.getByRole('link', { name: 'Listener' })).toBeVisible();
});

test('a file that takes away what is used names the uses and asks', async ({ page, service, folder }) => {
  const write = await open(page, service, folder);
  const hiding = await write((text) => {
    const columns = /(table: orders\n(?: .*\n)*? +columns:\n)( +)(?=region:)/;
    expect(text, 'the columns of orders').toMatch(columns);
    return text.replace(columns, '$1$2quantity:\n$2  hidden: true\n$2');
  });
  await chosen(page).setInputFiles(hiding);
  await press(page, 'Apply');
  await expect(page.getByRole('alert').first()).toContainText('Nothing was applied yet');
  await expect(would(page)).toContainText('column quantity of warehouse.orders is hidden');
  await expect(would(page)).toContainText('chart Amount and quantity');
  expect(await serious(page)).toEqual([]);
  await press(page, 'Apply');
  await expect(page.getByText('Applied.', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Project file').first()).toContainText('hidden: true');
});

test('a file that is no text, or too large, is told beside its field', async ({ page, service, folder }) => {
  await open(page, service, folder);
  const typed = page.getByRole('textbox', { name: 'Project file' });
  await typed.fill('version: 1\nproject: { name: Typed }');
  for (const [name, content, told] of /** @type {[string, Buffer, RegExp][]} */ ([
    ['picture.yaml', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff]), /is not UTF-8 text/],
    ['large.yaml', Buffer.alloc(3 << 20, 'a'), /is too large: file and text together may have at most 1024 KiB/],
  ])) {
    const path = join(folder, name);
    await writeFile(path, content);
    await chosen(page).setInputFiles(path);
    await press(page, 'Apply');
    await expect(chosen(page)).toHaveAttribute('aria-invalid', 'true');
    await expect(chosen(page)).toHaveAccessibleDescription(told);
    await expect(chosen(page)).toBeFocused();
    await expect(typed).toHaveValue(/name: Typed/);
  }
  await chosen(page).setInputFiles([]);
  await expect(chosen(page)).not.toHaveAttribute('aria-invalid', 'true');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a file that is too large is told beside its field', async ({ page, service, folder }) => {
    await service.operate(page);
    await page.goto(`${service.url}/console/projects/${service.project.projectId}/file`);
    const path = join(folder, 'large.yaml');
    await writeFile(path, Buffer.alloc(3 << 20, 'a'));
    await chosen(page).setInputFiles(path);
    await press(page, 'Apply');
    await expect(page.getByText('is too large: file and text together')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: 'Project file' })).toBeVisible();
  });
});
