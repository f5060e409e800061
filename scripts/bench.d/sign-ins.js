// Repeated sign-ins per second, compared with a bare handler that reads the same body and signs the same token. Rounds
// alternate, so that a machine that slows down affects both.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bareHandlers } from './bare.js';
import { median } from './numbers.js';

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL('sign-in.lua', import.meta.url));
const ROUNDS = 3;
const SECONDS = 6;
const CONNECTIONS = 32;

/** Sign-ins per second, p50 and p99 in milliseconds, under load. `users`: the number of users from `fill_users`. */
export async function load(origin, service, { connections = CONNECTIONS, seconds = SECONDS, users = 0 } = {}) {
  const environment = {
    ...process.env,
    BENCH_API_KEY: service.apiKey,
    BENCH_PROJECT: service.project.projectId,
    BENCH_USERS: String(users),
  };
  const { stdout } = await run(
    'wrk',
    ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', SCRIPT, `${origin}/v1/api/projects/embed-token`],
    { env: environment },
  );
  const result = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  if (result.failed > 0) throw new Error(`${result.failed} of ${result.requests} sign-ins at ${origin} failed`);
  return { rate: result.requests / result.seconds, p50: result.p50, p99: result.p99 };
}

/** Sign-ins per second of both, and their ratio. */
export async function signIns({ service, programs }) {
  const bare = await bareHandlers(programs.bare);
  /** @type {{ ours: number[], bare: number[] }} */
  const rates = { ours: [], bare: [] };
  try {
    await load(service.url, service);
    for (let round = 0; round < ROUNDS; round += 1) {
      rates.bare.push((await load(bare.url, service)).rate);
      rates.ours.push((await load(service.url, service)).rate);
    }
  } finally {
    bare.stop();
  }
  const [ours, theirs] = [median(rates.ours), median(rates.bare)];
  return {
    'repeat sign-ins, embed-token on SQLite': `${ours.toFixed(0)} /s`,
    'repeat sign-ins, bare axum handler': `${theirs.toFixed(0)} /s`,
    'ratio of the two kinds of sign-ins': (ours / theirs).toFixed(2),
  };
}
