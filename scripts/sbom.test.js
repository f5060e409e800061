import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bom, component, crateChecksums, packageChecksums } from './sbom.js';

const CARGO = `[[package]]
name = "one"
version = "1.0.0"
source = "registry+https://github.com/rust-lang/crates.io-index"
checksum = "${'ab'.repeat(32)}"
dependencies = ["two"]

[[package]]
name = "own"
version = "0.1.0"
`;
const NPM = { packages: { '': { version: '9' }, 'node_modules/@a/b': { version: '2.0.0', integrity: 'sha512-AQI=' } } };
const part = (/** @type {object} */ rest) => ({
  name: 'one',
  version: '1.0.0',
  licence: 'MIT/Apache-2.0',
  folder: '',
  own: false,
  needs: [],
  ...rest,
});

test('checksums are read from both lock files', () => {
  assert.deepEqual([...crateChecksums(CARGO)], [['one 1.0.0', { alg: 'SHA-256', content: 'ab'.repeat(32) }]]);
  assert.deepEqual([...packageChecksums(NPM)], [['@a/b 2.0.0', { alg: 'SHA-512', content: '0102' }]]);
});

test('a component names its licence, checksum and place', () => {
  const crate = component('cargo', part({}), crateChecksums(CARGO));
  assert.deepEqual(crate.licenses, [{ expression: 'MIT OR Apache-2.0' }]);
  assert.equal(crate.hashes?.[0].content, 'ab'.repeat(32));
  assert.equal(component('npm', part({ name: '@a/b', version: '2.0.0' }), packageChecksums(NPM)).purl, 'pkg:npm/%40a/b@2.0.0');
});

test('what needs what is named, and the same parts give the same list', () => {
  const made = () => {
    const list = [part({ needs: ['two 1.0.0', 'elsewhere 3.0.0'] }), part({ name: 'two' })];
    return bom('0.1.0', [{ kind: 'cargo', list, sums: new Map(), roots: (one) => one.name === 'one' }]);
  };
  assert.deepEqual(made().dependencies, [
    { ref: 'inlay', dependsOn: ['pkg:cargo/one@1.0.0'] },
    { ref: 'pkg:cargo/one@1.0.0', dependsOn: ['pkg:cargo/two@1.0.0'] },
    { ref: 'pkg:cargo/two@1.0.0', dependsOn: [] },
  ]);
  assert.equal(JSON.stringify(made()), JSON.stringify(made()));
  assert.match(made().serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
});
