// An Inlay server with the tests' project in a temporary folder, with the functions of an operator and a host's backend.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TABLES, writeDatabase } from './data.js';
import { project } from './project.js';

const run = promisify(execFile);
export const BINARY = process.env.INLAY_BIN ?? join(process.env.CARGO_TARGET_DIR ?? 'target', 'debug', 'inlay');

// Changes in a source must be visible at once.
const TESTING = { INLAY_QUERY_CACHE_SECONDS: '0' };

/** The owner of the tests' organization. */
export const OPERATOR = { email: 'operator@example.com', password: 'correct horse battery' };

/** The tests' own project, and the databases of its connections: file → tables. */
const SHOP = { project, databases: { 'warehouse.db': TABLES, 'fragile.db': TABLES } };

/** A free port of the loopback interface. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}

/** A running server. */
export class Service {
  #binary;
  #extra;
  #process;
  #log = '';
  /** The folder of its store and of the databases. */
  folder = '';
  url = '';
  organizationId = '';
  apiKey = '';
  /** The result of applying the project: ids by name. @type {any} */
  project;

  /**
   * Creates the store, applies the project and serves it. `hostOrigin` is the page that embeds. `binary`, `serve` (the command
   * with its arguments), `environment` and `world` (a project and its databases) replace the tests' own, for measurements and
   * demos.
   * @param {string} hostOrigin
   * @param {{ binary?: string, serve?: string[], environment?: Record<string, string>, world?: any }} [other]
   */
  static async start(hostOrigin, { binary = BINARY, serve = ['serve'], environment = TESTING, world = SHOP } = {}) {
    const service = new Service();
    service.#binary = binary;
    service.#extra = environment;
    service.folder = await mkdtemp(join(tmpdir(), 'inlay-browser-'));
    service.url = `http://127.0.0.1:${await freePort()}`;
    try {
      for (const [file, tables] of Object.entries(world.databases)) await writeDatabase(join(service.folder, file), tables);
      await service.#prepare(world.project(hostOrigin));
      await service.#serve(serve);
      return service;
    } catch (problem) {
      await service.stop();
      throw problem;
    }
  }

  get #environment() {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('INLAY_'));
    return {
      ...Object.fromEntries(inherited),
      INLAY_DATA_DIR: join(this.folder, 'data'),
      INLAY_LISTEN: new URL(this.url).host,
      INLAY_DRAIN_SECONDS: '0',
      // Even on a busy machine, charts are part of the first HTML.
      INLAY_PAGE_WAIT_MS: '30000',
      ...this.#extra,
    };
  }

  /** Runs a command of the binary and reads its JSON. */
  async command(...args) {
    const { stdout } = await run(this.#binary, [...args, '--json'], { env: this.#environment });
    return JSON.parse(stdout);
  }

  /** Signs the operator, an owner, in to the management console. */
  async operate(page) {
    const operator = ['member', 'add', '--organization', this.organizationId, '--email', OPERATOR.email, '--role', 'owner'];
    const added = run(this.#binary, [...operator, '--password-stdin'], { env: this.#environment });
    added.child.stdin?.end(OPERATOR.password);
    await added;
    await page.goto(`${this.url}/console/sign-in`);
    await page.getByLabel('Email address').fill(OPERATOR.email);
    await page.getByLabel('Password').fill(OPERATOR.password);
    await page.getByLabel('Password').press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
  }

  /** Applies another project file to the organization of the running server. Returns its ids by name. */
  async apply(project) {
    const file = join(this.folder, `${project.project.name}.yaml`);
    await writeFile(file, JSON.stringify(project));
    return this.command('apply', file, '--organization', this.organizationId);
  }

  async #prepare(project) {
    const { organizationId } = await this.command('organization', 'create', '--name', 'Browser tests');
    this.organizationId = organizationId;
    const { email } = OPERATOR;
    await this.command('member', 'add', '--organization', organizationId, '--email', email, '--role', 'owner');
    ({ apiKey: this.apiKey } = await this.command('api-key', 'create', '--member', email, '--organization', organizationId));
    const file = join(this.folder, 'project.yaml');
    await writeFile(file, JSON.stringify(project));
    this.project = await this.command('apply', file, '--organization', organizationId);
  }

  async #serve(command) {
    this.#process = spawn(this.#binary, command, { env: this.#environment, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream.on('data', (text) => {
        this.#log += text;
      });
    for (let attempt = 0; attempt < 600; attempt += 1) {
      if (this.#process.exitCode !== null) throw new Error(`the server ended with ${this.#process.exitCode}:\n${this.#log}`);
      // Another process may have taken the port meanwhile, and would answer in its place.
      const listens = this.#log.includes('Inlay is ready');
      const ready = listens ? await fetch(`${this.url}/readyz`).catch(() => undefined) : undefined;
      if (ready?.ok) return;
      await new Promise((wake) => {
        setTimeout(wake, 100);
      });
    }
    throw new Error(`the server was not ready within a minute:\n${this.#log}`);
  }

  /** The server's output so far. */
  get log() {
    return this.#log;
  }

  /** The server's process id. */
  get pid() {
    return this.#process.pid;
  }

  async stop() {
    if (this.#process?.exitCode === null && this.#process.signalCode === null) {
      this.#process.kill('SIGTERM');
      await once(this.#process, 'exit');
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  /**
   * Signs a user of a company in, as a host's backend does, and returns the token.
   * `role` is one of the project file, `roleId` any; `project` is what `apply` returned.
   * @param {string} company
   * @param {{ user?: string, role?: string, roleId?: string | null, properties?: Record<string, unknown>, project?: any }} [who]
   */
  async signIn(company, { user = 'ann', role, roleId, properties = { company }, project = this.project } = {}) {
    const answer = await fetch(`${this.url}/v1/api/projects/embed-token`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        projectId: project.projectId,
        organization: { externalId: company, properties },
        user: { externalId: user, userRoleId: roleId ?? (role ? project.roles[role] : null) },
      }),
    });
    const body = await answer.json();
    if (!answer.ok) throw new Error(`embed-token answered ${answer.status}: ${JSON.stringify(body)}`);
    return body.data.token;
  }

  /** The id of an application. */
  application(name = 'Shop') {
    return this.project.applications[name].id;
  }

  /** The id of a dashboard. */
  dashboard(name, application = 'Shop') {
    return this.project.dashboards[`${application}/${name}`].id;
  }

  /** The id of a chart on a dashboard. */
  chart(name, dashboard = 'Overview', application = 'Shop') {
    return this.project.dashboards[`${application}/${dashboard}`].charts[name];
  }

  /** The URL of an application's page. Parameters without a value are left out. */
  applicationPage(token, parameters = {}, application = 'Shop') {
    return this.page(`/share/application/${this.application(application)}`, { ...parameters, jwt: token });
  }

  /** The URL of a page. */
  page(path, parameters = {}) {
    const url = new URL(path, this.url);
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
    return url.href;
  }
}
