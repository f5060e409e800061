// Runs the Python client's own tests, where scripts/build-sdks found a Python for them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const python = process.env.INLAY_PYTHON ?? '';

test('the Python client', { skip: !python && 'INLAY_PYTHON is not set: see scripts/build-sdks' }, () => {
  const cwd = fileURLToPath(new URL('../python', import.meta.url));
  const { status, stderr } = spawnSync(python, ['-m', 'unittest', 'tests.test_client'], { cwd, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});
