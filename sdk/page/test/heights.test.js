import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Heights } from '../src/heights.js';

function start() {
  let now = 0;
  const heights = new Heights(() => now);
  return (height, after = 50) => {
    now += after;
    return heights.take(height);
  };
}

test('growth and shrinkage are taken', () => {
  const take = start();
  assert.deepEqual([take(400), take(900), take(300), take(301.4)], [400, 900, 300, 302]);
});

test('the echo of rounding is not', () => {
  const take = start();
  assert.deepEqual([take(400), take(400), take(401), take(399), take(400.2)], [400, undefined, undefined, undefined, undefined]);
});

test('content and frame that chase each other come to rest at the larger height', () => {
  const take = start();
  assert.deepEqual(
    [take(1000), take(980), take(1000), take(980), take(1000), take(980)],
    [1000, 980, 1000, undefined, undefined, undefined],
  );
  assert.equal(take(700), 700, 'another height is taken');
  assert.equal(take(980), 980);
});

test('what people open and close is followed each time', () => {
  const take = start();
  assert.deepEqual(
    [400, 900, 400, 900, 400].map((height) => take(height, 600)),
    [400, 900, 400, 900, 400],
  );
});

test('what is no height is none', () => {
  const take = start();
  for (const none of [undefined, null, '400', Number.NaN, Number.POSITIVE_INFINITY, -1, {}]) assert.equal(take(none), undefined);
});
