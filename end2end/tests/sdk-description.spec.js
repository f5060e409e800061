// The stored description for the clients equals the service's.
import { readFile } from 'node:fs/promises';
import { expect, test } from '../support/fixtures.js';

test('the stored description is the service’s own (else: scripts/build-sdks --refresh)', async ({ service, request }) => {
  const stored = JSON.parse(await readFile(new URL('../../sdk/openapi.json', import.meta.url), 'utf8'));
  expect(await (await request.get(`${service.url}/openapi.json`)).json()).toEqual(stored);
});
