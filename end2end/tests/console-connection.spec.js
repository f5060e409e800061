// The form of a connection: a field for each part of the address, which a pasted address fills in.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as closed, expect, hydrated, withService } from '../support/fixtures.js';

const test = withService({ environment: { INLAY_SQLITE_FOLDERS: tmpdir(), INLAY_ALLOW_PRIVATE_SOURCES: 'true' } });

// The browser's own lines about refused forms.
test.use({ allowedErrors: [/status of 4\d\d/] });

const field = (page, name) => page.getByLabel(name, { exact: true });
const press = (page) => page.getByRole('button', { name: 'Connect', exact: true }).click();
const heading = (page, name) => expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();

async function visit(page, service) {
  await service.operate(page);
  await page.goto(`${service.url}/console/projects/${service.project.projectId}/connections/new`);
}

/** A message of PostgreSQL's protocol. */
function message(type, body) {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** A PostgreSQL server without TLS that refuses every password. */
async function refusing() {
  const wrong = ['SFATAL', 'VFATAL', 'C28P01', 'Mpassword authentication failed for user "reader"', '', ''].join('\0');
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      // The request for TLS, the password, and the start of a session.
      if (data.length === 8) socket.write('N');
      else if (data[0] === 0x70) socket.end(message('E', Buffer.from(wrong)));
      else if (data[0] === 0) socket.write(message('R', Buffer.from([0, 0, 0, 3])));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { port: String(port), close: () => server.close() };
}

test('a pasted address fills in the fields, and a changed field replaces it', async ({ page, service }) => {
  await visit(page, service);
  await hydrated(page);
  await expect(field(page, 'Port')).toHaveAttribute('placeholder', '5432');
  await field(page, 'Address').fill('mysql://re%40der:p%40ss%3A%23@db.example:3307/shop?ssl-mode=required&charset=utf8mb4');
  await expect(field(page, 'Database')).toHaveValue('mysql');
  const parts = {
    Host: 'db.example',
    Port: '3307',
    'Database name': 'shop',
    User: 're@der',
    Password: 'p@ss:#',
    Parameters: 'charset=utf8mb4',
  };
  for (const [label, value] of Object.entries(parts)) await expect(field(page, label)).toHaveValue(value);
  await expect(field(page, 'Password')).toHaveAttribute('type', 'password');
  await expect(field(page, 'Encrypt the connection')).toBeChecked();
  await expect(field(page, 'Path')).toBeHidden();
  await field(page, 'Host').fill('other.example');
  await expect(field(page, 'Address')).toHaveValue('');
  await expect(field(page, 'User')).toHaveValue('re@der');

  await field(page, 'Database').selectOption('trino');
  await expect(field(page, 'Catalog')).toBeVisible();
  await expect(field(page, 'Database name')).toBeHidden();
  await expect(field(page, 'Port')).toHaveAttribute('placeholder', '8080');
  await field(page, 'Address').fill('https://ada@trino.example/hive/sales');
  await expect(field(page, 'Schema')).toHaveValue('sales');
  await expect(field(page, 'Encrypt the connection')).toBeChecked();

  for (const scheme of ['cockroachdb', 'redshift']) {
    await field(page, 'Address').fill(`${scheme}://ada@${scheme}.example:26257/sales`);
    await expect(field(page, 'Database')).toHaveValue('postgres');
    await expect(field(page, 'Host')).toHaveValue(`${scheme}.example`);
    await expect(field(page, 'Port')).toHaveValue('26257');
  }
  await field(page, 'Address').fill('redshift://ada@redshift.example/sales');
  await expect(field(page, 'Port'), 'the port of its kind').toHaveValue('5439');
  await field(page, 'Database').selectOption('clickhouse');
  await field(page, 'Address').fill('https://clickhouse.example:443/events');
  await expect(field(page, 'Port')).toHaveValue('443');
});

test('a file is connected by its path', async ({ page, service }) => {
  await visit(page, service);
  await hydrated(page);
  await field(page, 'Name').fill('by path');
  await field(page, 'Database').selectOption('sqlite');
  await expect(field(page, 'Host')).toBeHidden();
  await field(page, 'Path').fill(join(service.folder, 'nothing.db'));
  await press(page);
  await expect(field(page, 'Path')).toBeFocused();
  await expect(field(page, 'Path')).toHaveAccessibleDescription(/No file exists at this path/);
  await expect(page.getByText('No file exists at this path')).toHaveCount(1);
  await field(page, 'Path').fill(join(service.folder, 'warehouse.db'));
  await press(page);
  await heading(page, 'by path');
  await expect(field(page, 'Path')).toHaveValue(join(service.folder, 'warehouse.db'));
});

closed('files are not offered where no folder is named, and the form names the setting', async ({ page, service }) => {
  await visit(page, service);
  const kinds = field(page, 'Database');
  await expect(kinds.locator('option[value="postgres"]')).toHaveCount(1);
  await expect(kinds.locator('option[value="sqlite"]')).toHaveCount(0);
  await expect(kinds).toHaveAccessibleDescription(/must first name their folders in INLAY_SQLITE_FOLDERS/);
});

test('a wrong password is told at its field', async ({ page, service }) => {
  const database = await refusing();
  await visit(page, service);
  await hydrated(page);
  const typed = { Name: 'refused', Host: '127.0.0.1', Port: database.port, 'Database name': 'shop', User: 'reader', Password: 'wr@ng:/' };
  for (const [label, value] of Object.entries(typed)) await field(page, label).fill(value);
  await press(page);
  await expect(field(page, 'Password')).toBeFocused();
  await expect(field(page, 'Password')).toHaveAccessibleDescription(/refused the user name or password/);
  await expect(page.getByText('refused the user name or password')).toHaveCount(1);
  for (const [label, value] of Object.entries(typed)) await expect(field(page, label)).toHaveValue(value);
  expect(await page.content()).not.toContain('wr@ng');
  database.close();
});

test('it fits a phone', async ({ page, service }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await visit(page, service);
  await hydrated(page);
  await page.getByText('More options').click();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  const port = await field(page, 'Port').boundingBox();
  expect(port.x + port.width).toBeLessThanOrEqual(390);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the fields are joined, and an address alone is enough', async ({ page, service }) => {
    await visit(page, service);
    for (const label of ['Host', 'Catalog', 'Path']) await expect(field(page, label)).toBeVisible();
    await field(page, 'Name').fill('joined');
    await field(page, 'Database').selectOption('sqlite');
    await field(page, 'Path').fill(join(service.folder, 'warehouse.db'));
    await press(page);
    await heading(page, 'joined');
    await page.goto(`${service.url}/console/projects/${service.project.projectId}/connections/new`);
    await field(page, 'Name').fill('pasted');
    await field(page, 'Address').fill(`sqlite:${join(service.folder, 'warehouse.db')}`);
    await press(page);
    await heading(page, 'pasted');
  });
});
