// Every command of the contract, beside a running server (docs/spec/contract.md, sections 8 and 11).
import { execFile, spawn } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ACME } from '../support/data.js';
import { test as base, expect } from '../support/fixtures.js';
import { BINARY, freePort, OPERATOR, Service } from '../support/service.js';

const run = promisify(execFile);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const id = expect.stringMatching(UUID);

/** A service of its own: these tests revoke its keys. With the log at its fullest, whatever a command logs would spoil its JSON. */
const test = base.extend(
  /** @type {any} */ ({
    service: [
      async ({ host }, use) => {
        const service = await Service.start(host.origin, { environment: { INLAY_LOG: 'debug', INLAY_QUERY_CACHE_SECONDS: '0' } });
        await use(service);
        await service.stop();
      },
      { scope: 'worker' },
    ],
  }),
);

/** Calls the API. Returns the status and the body. */
async function call(service, credential, path, body) {
  const headers = { authorization: `Bearer ${credential}`, ...(body ? { 'content-type': 'application/json' } : {}) };
  const response = await fetch(service.url + path, { method: body ? 'POST' : 'GET', headers, body: body && JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

/** Waits until a call answers so: at most a second. */
async function soon(ask, status) {
  await expect.poll(async () => (await ask()).status, { timeout: 1_000, intervals: [20] }).toBe(status);
}

const signInBody = (service, user) => ({
  projectId: service.project.projectId,
  organization: { externalId: ACME, properties: { company: ACME } },
  user: { externalId: user },
});

test('every command of the contract is there', async () => {
  const commands =
    'serve, demo, migrate, apply, export, organization create, member add, api-key create, api-key revoke, signing-key rotate, migration users, migration finalize, revoke, identity-provider add';
  for (const command of commands.split(', ')) {
    const { stdout } = await run(BINARY, [...command.split(' '), '--help']);
    expect(stdout, command).toContain('--json');
  }
});

test('with `--json` a command prints one object alone on standard output', async ({ service }) => {
  const organization = await service.command('organization', 'create', '--name', 'Commands');
  expect(organization).toEqual({ organizationId: id });
  const of = ['--organization', organization.organizationId];
  for (const role of ['owner', 'admin', 'member', 'viewer'])
    expect(await service.command('member', 'add', ...of, '--email', `${role}@example.com`, '--role', role)).toEqual({ memberId: id });
  const key = { apiKeyId: id, apiKey: expect.stringMatching(/^inlay_[^_]+_.{20,}$/) };
  expect(await service.command('api-key', 'create', '--member', 'owner@example.com', ...of)).toEqual(key);
  expect(await service.command('api-key', 'create', '--member', 'owner@example.com', ...of, '--user-scoped')).toEqual(key);
  const file = join(service.folder, 'project.yaml');
  const applied = await service.command('apply', file, ...of);
  expect(applied).toMatchObject({
    projectId: id,
    connections: { warehouse: id, fragile: id },
    tables: expect.anything(),
    roles: { Editor: id },
    charts: { Revenue: id },
    workspaces: { 'Ask the shop': id },
    applications: { Shop: { id, legacyWorkspaceId: id }, 'Shop at night': { id, legacyWorkspaceId: null } },
    dashboards: { 'Shop/Overview': { id, legacyDashboardId: id, charts: { Revenue: id } } },
  });
  expect(applied.applications.Shop.legacyWorkspaceId).toBe(applied.workspaces['Ask the shop']);
  expect(applied.dashboards['Shop/Overview'].charts.Revenue).not.toBe(applied.charts.Revenue);
  expect(await service.command('apply', file, ...of), 'the same names have the same ids').toEqual(applied);
  const exported = await service.command('export', ...of, '--project', 'Browser tests');
  const again = join(service.folder, 'exported.yaml');
  await writeFile(again, exported.projectFile);
  expect(await service.command('apply', again, ...of)).toEqual(applied);
  expect(await service.command('migrate')).toEqual({ upToDate: true });
});

test('a new signing key signs what comes next, and live tokens stay', async ({ service }) => {
  const before = await service.signIn(ACME);
  const { signingKeyId } = await service.command('signing-key', 'rotate');
  const kid = (token) => JSON.parse(Buffer.from(token.split('.')[0], 'base64url').toString()).kid;
  // It is published for five seconds before it signs.
  await expect.poll(async () => kid(await service.signIn(ACME)), { timeout: 10_000 }).toBe(signingKeyId);
  expect(kid(before)).not.toBe(signingKeyId);
  expect((await call(service, before, '/v2/api/applications')).status).toBe(200);
});

test('what a command changes counts in the running server within a second', async ({ service }) => {
  const { apiKeyId, apiKey } = await service.command(
    'api-key',
    'create',
    '--member',
    OPERATOR.email,
    '--organization',
    service.organizationId,
  );
  const signIn = () => call(service, apiKey, '/v1/api/projects/embed-token', signInBody(service, 'revoked'));
  await soon(signIn, 200);
  for (const [kind, field] of [
    ['user', 'projectUserId'],
    ['customer', 'projectOrganizationId'],
    ['project', undefined],
  ]) {
    const { data } = (await signIn()).body;
    const open = () => call(service, data.token, '/v2/api/applications');
    expect((await open()).status).toBe(200);
    const subject = field ? data[field] : service.project.projectId;
    expect(await service.command('revoke', kind, subject)).toMatchObject({ revoked: true });
    await soon(open, 401);
    expect((await open()).body.error.code).toBe('TOKEN_REVOKED');
  }
  const { data } = (await signIn()).body;
  const open = () => call(service, data.token, '/v2/api/applications');
  expect((await open()).status).toBe(200);
  expect(await service.command('api-key', 'revoke', apiKeyId)).toMatchObject({ revoked: true });
  await soon(open, 401);
  await soon(signIn, 401);
});

test('an identity provider that was added vouches for a member', async ({ service }) => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const file = join(service.folder, 'keys.json');
  await writeFile(file, JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one' }] }));
  const issuer = ['--issuer', 'https://login.example', '--audience', 'analytics', '--jwks-file', file];
  const added = await service.command('identity-provider', 'add', '--organization', service.organizationId, ...issuer);
  expect(added).toEqual({ identityProviderId: id });
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: 'https://login.example', aud: 'analytics', email: OPERATOR.email, iat: now, exp: now + 300 };
  const encoded = [{ alg: 'EdDSA', kid: 'one' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const token = `${encoded}.${sign(null, Buffer.from(encoded), privateKey).toString('base64url')}`;
  const path = `/v1/api/projects/${service.project.projectId}/user-roles`;
  await soon(() => call(service, token, `${path}?organizationId=${service.organizationId}`), 200);
});

test('the migration goes by commands, and ends v1 in the running server', async ({ service }) => {
  const { organizationId } = await service.command('organization', 'create', '--name', 'Migrating');
  const of = ['--organization', organizationId];
  await service.command('member', 'add', ...of, '--email', 'migrating@example.com', '--role', 'owner');
  const { apiKey } = await service.command('api-key', 'create', '--member', 'migrating@example.com', ...of);
  const project = await service.command('apply', join(service.folder, 'project.yaml'), ...of);
  const tenant = { projectId: project.projectId, displayName: 'Acme', prefilters: { company: ACME } };
  const register = () => call(service, apiKey, '/v1/api/tenant/register-tenant', tenant);
  await soon(register, 200);
  const { token } = (await register()).body.data;
  const create = { workspaceId: project.workspaces['Ask the shop'], name: 'Made by v1' };
  expect((await call(service, apiKey, '/v1/api/dashboard/create', create)).status).toBe(200);
  await expect(service.command('migration', 'finalize', ...of)).rejects.toThrow(`inlay migration users --organization ${organizationId}`);
  expect(await service.command('migration', 'users', ...of)).toMatchObject({ mappedTenants: 1 });
  await soon(() => call(service, token, '/v2/api/applications'), 200);
  await service.command('migration', 'finalize', ...of);
  await soon(() => call(service, apiKey, '/v1/api/dashboard/create', create), 410);
  expect((await call(service, apiKey, '/v1/api/dashboard/create', create)).body.error).toMatchObject({
    code: 'MIGRATED_TO_V2',
    details: { endpoint: `POST /v2/api/applications/${project.applications.Shop.id}/dashboards` },
  });
});

test('the binary runs from any folder, with the pages’ files in it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'inlay-anywhere-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith('INLAY_'));
  const env = { ...Object.fromEntries(environment), INLAY_LISTEN: new URL(url).host };
  const server = spawn(BINARY, ['serve'], { cwd: folder, env, stdio: 'ignore' });
  try {
    await expect.poll(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status).toBe(200);
    const page = await (await fetch(`${url}/share/application/x`)).text();
    const files = [...page.matchAll(/["'(](?:http:\/\/[^/]+)?(\/pkg\/[^"')?]+\.(?:js|css|wasm))/g)].map(([, file]) => file);
    expect(files.length).toBeGreaterThan(0);
    for (const file of [...files, '/sdk/inlay.js']) expect((await fetch(url + file)).status, file).toBe(200);
  } finally {
    server.kill('SIGTERM');
    await new Promise((ended) => {
      server.once('exit', ended);
    });
    await rm(folder, { recursive: true, force: true });
  }
});
