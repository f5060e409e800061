import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claims, Tokens } from '../src/tokens.js';
import { settle, token, World } from './world.js';

const MINUTE = 60_000;

/** Tokens of five minutes, or what `answers` gives in turn; `calls` counts. */
function start(...answers) {
  const world = new World();
  const calls = [];
  const tokens = new Tokens(({ signal }) => {
    calls.push({ at: world.wall(), signal });
    const answer = answers.length ? answers.shift() : token(300);
    if (answer instanceof Error) throw answer;
    return answer;
  }, world);
  const member = () => {
    /** @type {{ given: string[], failed: any[], ended: number, give(text: string): void, fail(problem: any): void, end(): void }} */
    const one = {
      given: [],
      failed: [],
      ended: 0,
      give: (text) => void one.given.push(text),
      fail: (problem) => void one.failed.push(problem),
      end: () => {
        one.ended += 1;
      },
    };
    tokens.join(one);
    return one;
  };
  return { world, calls, tokens, member };
}

test('claims are read from the token, whatever the alphabet', () => {
  assert.deepEqual(claims(token(300)), { subject: 'user', lifetime: 300_000 });
  for (const none of ['', 'a.b.c', undefined, null, {}, token(0), token(-1)]) assert.equal(claims(none), undefined);
});

test('a token is renewed at four fifths of its lifetime, by its own claims', async () => {
  const { world, calls, member } = start();
  const { given } = member();
  await world.pass(4 * MINUTE - 1);
  assert.equal(calls.length, 1);
  await world.pass(1);
  await settle();
  assert.equal(calls.length, 2);
  assert.equal(given.length, 2);
});

test('a token is never renewed within 30 seconds', async () => {
  const { world, calls, tokens, member } = start(token(10));
  member();
  await world.pass(29_999);
  tokens.renew();
  assert.equal(calls.length, 1);
  await world.pass(1);
  assert.equal(calls.length, 2);
});

test('embeds of a user share one call, one that comes later gets the token that is there', async () => {
  const { world, calls, member } = start();
  const [first, second] = [member(), member()];
  await settle();
  const third = member();
  assert.equal(calls.length, 1);
  assert.deepEqual([first.given.length, second.given.length, third.given.length], [1, 1, 1]);
  await world.pass(4 * MINUTE);
  await settle();
  assert.equal(calls.length, 2);
  assert.deepEqual([first.given.length, second.given.length, third.given.length], [2, 2, 2]);
});

test('what frames say together leads to one renewal', async () => {
  const { world, calls, tokens, member } = start();
  member();
  await world.pass(MINUTE);
  for (let i = 0; i < 5; i += 1) tokens.renew();
  await settle();
  tokens.renew();
  assert.equal(calls.length, 2);
});

test('a failure is tried again with growing waits, and never given up', async () => {
  const { world, calls, member } = start(...Array.from({ length: 10 }, () => new Error('down')));
  const { failed, given } = member();
  await world.pass(10 * MINUTE);
  await settle();
  assert.deepEqual(
    failed.map(({ retryInMs }) => retryInMs / 1000),
    [1, 2, 4, 8, 16, 32, 60, 60, 60, 60],
  );
  assert.equal(failed[0].error.message, 'down');
  assert.equal(given.length, 2, 'the eleventh try, and its renewal');
  assert.equal(calls.length, 12);
});

test('half of a wait is chance', async () => {
  const { world, member } = start(new Error('down'), new Error('down'));
  world.chance = 0;
  const { failed } = member();
  await world.pass(600);
  assert.deepEqual(
    failed.map(({ retryInMs }) => retryInMs),
    [500, 1000],
  );
});

test('a call that never answers is given up, and tried again', async () => {
  const { world, calls, member } = start(new Promise(() => {}));
  const { failed, given } = member();
  await world.pass(20_000);
  await settle();
  assert.equal(calls[0].signal.aborted, true);
  assert.equal(failed.length, 1);
  await world.pass(1_000);
  await settle();
  assert.equal(given.length, 1);
});

test('an answer that comes too late is not used', async () => {
  let late = (/** @type {string} */ _) => {};
  const { world, member } = start(
    new Promise((done) => {
      late = done;
    }),
  );
  const { given } = member();
  await world.pass(22_000);
  await settle();
  late(token(300, { subject: 'late' }));
  await settle();
  assert.deepEqual(
    given.map((text) => claims(text)?.subject),
    ['user'],
  );
});

test('what is no token is a failure', async () => {
  for (const answer of [undefined, '', 'x', {}, { token: 'x' }, { token: null }]) {
    const { member } = start(answer);
    const { failed, given } = member();
    await settle();
    assert.equal(failed.length, 1, JSON.stringify(answer));
    assert.equal(given.length, 0);
  }
});

test('an answer may hold the token beside its end', async () => {
  const { member } = start({ token: token(300), expiresAt: 'whenever' });
  const { given } = member();
  await settle();
  assert.deepEqual(given, [token(300)]);
});

test('null ends the renewal, until somebody asks again', async () => {
  const { world, calls, tokens, member } = start(token(300), null);
  const one = member();
  await world.pass(4 * MINUTE);
  await settle();
  assert.equal(one.ended, 1);
  assert.equal(world.timers, 0);
  await world.pass(60 * MINUTE);
  tokens.wake();
  assert.equal(calls.length, 2);
  member();
  await settle();
  assert.equal(calls.length, 3);
});

test('after a sleep the renewal comes within a minute, and at once when the page is looked at', async () => {
  const { world, calls, tokens, member } = start();
  member();
  await world.pass(1_000);
  world.sleep(60 * MINUTE);
  await world.pass(MINUTE);
  assert.equal(calls.length, 2);
  await settle();
  tokens.wake();
  assert.equal(calls.length, 2, 'nothing is due');
  world.sleep(60 * MINUTE);
  tokens.wake();
  assert.equal(calls.length, 3);
});

test('a network that is back ends the wait of a failure', async () => {
  const { world, calls, tokens, member } = start(...Array.from({ length: 6 }, () => new Error('offline')));
  const { given } = member();
  await world.pass((2 * MINUTE) / 2 - 1000);
  await settle();
  const before = calls.length;
  tokens.wake();
  await settle();
  assert.equal(calls.length, before + 1);
  assert.equal(given.length, 1);
});

test('with the last embed everything stops', async () => {
  const { world, calls, tokens, member } = start(token(300), new Promise(() => {}));
  const [first, second] = [member(), member()];
  await world.pass(4 * MINUTE);
  tokens.leave(first);
  assert.equal(calls[1].signal.aborted, false);
  tokens.leave(second);
  assert.equal(tokens.empty, true);
  assert.equal(calls[1].signal.aborted, true);
  assert.equal(first.failed.length + second.failed.length, 0);
  await settle();
  assert.equal(world.timers, 0);
  tokens.wake();
  assert.equal(calls.length, 2);
});
