import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasExample, names, permits, strangers } from './check-crates.js';

const ALLOWED = new Set(['MIT', 'Apache-2.0', 'Apache-2.0 WITH LLVM-exception', 'Unicode-3.0']);
const CRATES_IO = 'registry+https://github.com/rust-lang/crates.io-index';
const crate = (/** @type {object} */ rest) => ({ name: 'one', version: '1.0.0', license: 'MIT', source: CRATES_IO, ...rest });
const found = (/** @type {object[]} */ ...crates) => strangers(/** @type {any} */ (crates), { allowed: ALLOWED, twice: new Set(['twin']) });
const twin = ['1.0.0', '2.0.0'].map((version) => crate({ name: 'twin', version }));

test('a licence is allowed when one of each choice is', () => {
  for (const good of [
    'MIT',
    'MIT OR GPL-3.0',
    'GPL-3.0/MIT',
    '(MIT OR GPL-3.0) AND Unicode-3.0',
    'GPL-3.0 OR Apache-2.0 WITH LLVM-exception',
  ])
    assert.ok(permits(good, ALLOWED), good);
  for (const bad of ['', 'GPL-3.0', 'MIT AND GPL-3.0', '(MIT OR GPL-3.0) AND GPL-3.0', 'GPL-3.0 WITH LLVM-exception'])
    assert.ok(!permits(bad, ALLOWED), bad);
});

test('a crate with another licence, from elsewhere or in a second version is named', () => {
  assert.deepEqual(found(crate({}), ...twin), []);
  assert.match(found(crate({ license: 'GPL-3.0' }), ...twin)[0], /^one 1.0.0 has the licence “GPL-3.0”/);
  assert.match(found(crate({ license: null }), ...twin)[0], /has the licence “null”/);
  assert.match(found(crate({ source: 'git+https://example.com/one' }), ...twin)[0], /comes from git/);
  assert.match(found(crate({}), crate({ version: '2.0.0' }), ...twin)[0], /^one comes in the versions 1.0.0 and 2.0.0/);
  assert.match(found(twin[0])[0], /^twin comes in one version/);
});

test('a crate is used where code names it, and where a documented example does', () => {
  for (const used of [
    'use some_crate::Thing;',
    'some_crate::thing()',
    '#[some_crate::test]',
    '/// use some_crate::Thing;',
    'extern crate some_crate;',
  ])
    assert.ok(names(used, 'some-crate'), used);
  for (const unused of [
    '// some_crate::thing()',
    'let x = 1; // use some_crate::Thing',
    'other_some_crate::thing()',
    'let some_crate = 1;',
  ])
    assert.ok(!names(unused, 'some-crate'), unused);
});

test('an example that rustdoc would compile is found', () => {
  const block = (/** @type {string} */ language) => `/// Text.\n    /// \`\`\`${language}\n/// code\n/// \`\`\`\nfn one() {}\n`;
  for (const language of ['', 'rust', 'no_run', 'rust,should_panic', 'edition2024']) assert.ok(hasExample(block(language)), language);
  for (const language of ['ignore', 'text', 'sql', 'rust,ignore']) assert.ok(!hasExample(block(language)), language);
  assert.ok(hasExample(block('text') + block('')));
  assert.ok(!hasExample('// ```\n// code\n// ```\n'));
});
