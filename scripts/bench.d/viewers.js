// Many viewers of three customers who open the same dashboard at once.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { processorSeconds } from './numbers.js';

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL('viewers.lua', import.meta.url));
const CUSTOMERS = ['ATL', 'ORD', 'LAX'];
const VIEWERS = 50;
const SECONDS = 8;

/** Pages per second, compressed as browsers ask for them; the first round only warms up. */
export async function viewers({ service, demo }) {
  const pages = await Promise.all(CUSTOMERS.map((airport) => demo.page(airport)));
  const paths = pages.map((page) => page.slice(new URL(page).origin.length)).join(' ');
  let told = {};
  for (const seconds of [2, SECONDS]) {
    const before = await processorSeconds(service.pid);
    const { stdout } = await run(
      'wrk',
      ['-t1', `-c${VIEWERS}`, `-d${seconds}s`, '--timeout', '30s', '--latency', '-s', SCRIPT, service.url],
      {
        env: { ...process.env, BENCH_PATHS: paths },
      },
    );
    const used = (await processorSeconds(service.pid)) - before;
    const { requests, seconds: took, failed, p50, p99 } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    if (failed > 0) throw new Error(`${failed} of ${requests} pages failed`);
    const each = `${((used / requests) * 1000).toFixed(1)} ms of the server’s processor time each`;
    told = {
      [`pages to ${VIEWERS} viewers at once`]: `${(requests / took).toFixed(0)} /s, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms; ${each}`,
    };
  }
  return told;
}
