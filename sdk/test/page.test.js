// The page script's types hold against its code and against what a host writes.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

test('the page script and its types agree', () => {
  const at = (path) => fileURLToPath(new URL(path, import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [at('../../node_modules/typescript/bin/tsc'), '-p', at('../page')], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout);
});
