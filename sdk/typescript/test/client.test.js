// The client against a server that answers what a test tells it to.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { Inlay, InlayError } from '../dist/index.js';

const SIGN_IN = { projectId: '0190aaaa-0000-7000-8000-000000000000', organization: { externalId: 'ATL' }, user: { externalId: 'maya' } };
const TOKEN = { status: 200, body: { status: 'success', data: { token: 'a.b.c', expiresAt: '2026-01-01T00:00:00.000Z' } } };
const refusal = (status, code, rest) => ({ status, body: { status: 'error', error: { message: `It is ${code}.`, code, ...rest } } });

let server;
let baseUrl;
let answers = [];
let heard = [];

before(async () => {
  server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    heard.push({ method: request.method, url: request.url, authorization: request.headers.authorization, body: text && JSON.parse(text) });
    const { status, body, headers, never } = answers.length > 1 ? answers.shift() : answers[0];
    if (never) return;
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r1', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

function client(given, settings) {
  answers = given;
  heard = [];
  return new Inlay({ baseUrl, apiKey: 'inlay_id_secret', ...settings });
}

test('a sign-in is one call with the key in its header', async () => {
  const answer = await client([TOKEN]).embedToken(SIGN_IN);
  assert.deepEqual(answer, TOKEN.body.data);
  assert.deepEqual(heard, [
    { method: 'POST', url: '/v1/api/projects/embed-token', authorization: 'Bearer inlay_id_secret', body: SIGN_IN },
  ]);
});

test('the model is asked by measures', async () => {
  const data = { columns: [], rows: [[30.5]], sentence: 'Revenue.', truncated: false, cached: false, durationMs: 2 };
  const query = { measures: ['revenue'], dimensions: [{ name: 'time', grain: 'month' }] };
  const answer = await client([{ status: 200, body: { status: 'success', data } }]).queryModel(SIGN_IN.projectId, query);
  assert.deepEqual(answer, data);
  assert.deepEqual(heard, [
    { method: 'POST', url: `/v2/api/projects/${SIGN_IN.projectId}/query`, authorization: 'Bearer inlay_id_secret', body: query },
  ]);
});

test('a user-scoped key’s organization goes where each method wants it', async () => {
  const organizationId = '0190bbbb-0000-7000-8000-000000000000';
  await client([TOKEN], { organizationId }).embedToken(SIGN_IN);
  assert.equal(heard[0].body.organizationId, organizationId);
  const roles = { status: 200, body: { status: 'success', data: { userRoles: [] } } };
  assert.deepEqual(await client([roles], { organizationId }).roles(SIGN_IN.projectId), []);
  assert.equal(heard[0].url, `/v1/api/projects/${SIGN_IN.projectId}/user-roles?organizationId=${organizationId}`);
});

test('a role of null is sent, one that is left out is not', async () => {
  const inlay = client([TOKEN]);
  await inlay.embedToken({ ...SIGN_IN, user: { externalId: 'maya', userRoleId: null } });
  await inlay.embedToken({ ...SIGN_IN, user: { externalId: 'maya', userRoleId: undefined } });
  assert.deepEqual(
    heard.map(({ body }) => body.user),
    [{ externalId: 'maya', userRoleId: null }, { externalId: 'maya' }],
  );
});

test('a list is read part by part to its end', async () => {
  const part = (names, next) => ({
    status: 200,
    body: { status: 'success', data: { dashboards: names.map((name) => ({ name })), ...(next && { next }) } },
  });
  const parts = [part(['One', 'Two'], 'a-B_1'), part([], 'c'), part(['Three'])];
  const all = await client([...parts]).dashboards(SIGN_IN.projectId);
  assert.deepEqual(
    all.map(({ name }) => name),
    ['One', 'Two', 'Three'],
  );
  const path = `/v2/api/applications/${SIGN_IN.projectId}/dashboards`;
  assert.deepEqual(
    heard.map(({ url }) => url),
    [path, `${path}?after=a-B_1`, `${path}?after=c`],
  );
  for await (const { name } of client([...parts]).eachDashboard(SIGN_IN.projectId, 2)) {
    assert.equal(name, 'One');
    break;
  }
  assert.deepEqual(
    heard.map(({ url }) => url),
    [`${path}?limit=2`],
  );
});

test('a refusal is an error with the service’s code', async () => {
  const inlay = client([refusal(400, 'VALIDATION_FAILED', { details: { 'user.externalId': 'is missing' } })]);
  await assert.rejects(inlay.embedToken(SIGN_IN), (error) => {
    assert.ok(error instanceof InlayError);
    assert.deepEqual(
      [error.status, error.code, error.message, error.details, error.requestId],
      [400, 'VALIDATION_FAILED', 'It is VALIDATION_FAILED.', { 'user.externalId': 'is missing' }, 'r1'],
    );
    return true;
  });
  assert.equal(heard.length, 1);
});

test('a page of something before the service is an error, too', async () => {
  const inlay = client([{ status: 403, body: '<html>no</html>', headers: { 'content-type': 'text/html' } }]);
  await assert.rejects(inlay.embedToken(SIGN_IN), { name: 'InlayError', status: 403, code: 'NO_ANSWER' });
});

test('a service that is away or busy is asked again, as often as is said', async () => {
  const busy = { ...refusal(429, 'RATE_LIMITED'), headers: { 'retry-after': '0' } };
  const inlay = client([refusal(503, 'UNAVAILABLE'), busy, TOKEN]);
  assert.equal((await inlay.embedToken(SIGN_IN)).token, 'a.b.c');
  assert.equal(heard.length, 3);
  await assert.rejects(client([busy], { retries: 1 }).embedToken(SIGN_IN), { code: 'RATE_LIMITED' });
  assert.equal(heard.length, 2);
});

test('a wait that is too long is the caller’s', async () => {
  const busy = { ...refusal(429, 'RATE_LIMITED'), headers: { 'retry-after': '60' } };
  await assert.rejects(client([busy]).embedToken(SIGN_IN), { code: 'RATE_LIMITED' });
  assert.equal(heard.length, 1);
});

test('what makes something is not made twice', async () => {
  const inlay = client([refusal(503, 'UNAVAILABLE')]);
  await assert.rejects(inlay.createRole(SIGN_IN.projectId, { name: 'Analyst', permissions: {} }), { code: 'UNAVAILABLE' });
  assert.equal(heard.length, 1);
});

test('a try that takes too long is given up', async () => {
  const inlay = client([{ never: true }], { timeoutMs: 50, retries: 1 });
  await assert.rejects(inlay.embedToken(SIGN_IN), { name: 'TimeoutError' });
  assert.equal(heard.length, 2);
});
