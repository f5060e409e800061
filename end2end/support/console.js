// A new service, and functions that use the management console by the labels on its pages.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TABLES, writeDatabase } from './data.js';
import { BINARY, freePort } from './service.js';

/** A server with an empty store, and the tests' database in an allowed folder. */
export class FreshService {
  #process;
  #log = '';
  folder = '';
  url = '';
  /** The tests' database, in the folder. */
  database = '';

  /** `settings` are additional environment variables. */
  static async start(settings = {}) {
    const service = new FreshService();
    service.folder = await mkdtemp(join(tmpdir(), 'inlay-console-'));
    service.url = `http://127.0.0.1:${await freePort()}`;
    service.database = join(service.folder, 'warehouse.db');
    await writeDatabase(service.database, TABLES);
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('INLAY_'));
    const environment = {
      ...Object.fromEntries(inherited),
      INLAY_DATA_DIR: join(service.folder, 'data'),
      INLAY_LISTEN: new URL(service.url).host,
      INLAY_DRAIN_SECONDS: '0',
      INLAY_SQLITE_FOLDERS: service.folder,
      INLAY_ALLOW_PRIVATE_SOURCES: 'true',
      ...settings,
    };
    service.#process = spawn(BINARY, ['serve'], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [service.#process.stdout, service.#process.stderr])
      stream.on('data', (text) => {
        service.#log += text;
      });
    for (let attempt = 0; attempt < 600; attempt += 1) {
      if (service.#process.exitCode !== null) throw new Error(`the server ended with ${service.#process.exitCode}:\n${service.#log}`);
      const ready = await fetch(`${service.url}/readyz`).catch(() => undefined);
      if (ready?.ok && service.setup) return service;
      await new Promise((wake) => {
        setTimeout(wake, 100);
      });
    }
    throw new Error(`the server was not ready within a minute:\n${service.#log}`);
  }

  /** The URL that the server printed for the first owner. */
  get setup() {
    return this.#log.match(/http\S+\/console\/setup\?code=\S+/)?.[0];
  }

  async stop() {
    if (this.#process?.exitCode === null) {
      this.#process.kill('SIGTERM');
      await once(this.#process, 'exit');
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Expands the collapsed form of a button, once a page with the button is there. */
export async function unfold(page, button) {
  await page.locator(`button:text-is("${button}")`).first().waitFor({ state: 'attached' });
  const folded = page.locator('details.adding:not([open])', { has: page.locator(`button:text-is("${button}")`) });
  if ((await folded.count()) > 0) await folded.locator('> summary').click();
}

/** Fills in fields by their labels and clicks a button, once no earlier form is on its way: its button takes no second click. */
export async function submit(page, fields, button) {
  await page.locator('form[aria-busy="true"]').waitFor({ state: 'detached' });
  await unfold(page, button);
  for (const [label, value] of Object.entries(fields)) {
    const field = page.getByLabel(label, { exact: true });
    if ((await field.evaluate((element) => element.tagName)) === 'SELECT') await field.selectOption({ label: value });
    else await field.fill(value);
  }
  await page.getByRole('button', { name: button, exact: true }).click();
}

/** Signs a user of a company in with an API key, as a host's backend does. Returns the token. */
export async function signIn(fresh, key, project, company) {
  const answer = await fetch(`${fresh.url}/v1/api/projects/embed-token`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      projectId: project,
      organization: { externalId: company, properties: { company } },
      user: { externalId: 'ann', name: 'Ann' },
    }),
  });
  return (await answer.json()).data.token;
}
