// Puts the demo under one kind of load and records where its processor time goes: node profile.js page|sign-in|answer FILE
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Demo } from '../../end2end/support/demo.js';
import { load, paths } from './answers.js';
import { load as signIns } from './sign-ins.js';
import { viewers } from './viewers.js';

/** Samples per second and thread. Stacks are copied whole, as optimised code keeps no frame pointers. */
const SAMPLES = '99';
const STACK = 'dwarf,65528';

const [what, file] = process.argv.slice(2);
const binary = process.env.INLAY_BIN ?? join(process.env.CARGO_TARGET_DIR ?? 'target', 'release', 'inlay');
const demo = await Demo.start(binary, {
  INLAY_KEY_REQUESTS_PER_SECOND: '0',
  INLAY_USER_REQUESTS_PER_SECOND: '0',
});
const { service } = demo;
/** @type {Record<string, () => Promise<unknown>>} */
const LOADS = {
  page: () => viewers({ service, demo }),
  'sign-in': () => signIns(service.url, service),
  answer: async () => load(service, (await demo.session('ATL')).token, await paths(await demo.page('ATL')), 16),
};
const run = LOADS[what];
if (!run) throw new Error(`unknown load ${what}; there are ${Object.keys(LOADS).join(', ')}`);
try {
  await run();
  const perf = spawn('perf', ['record', '-q', '-F', SAMPLES, '--call-graph', STACK, '-o', file, '-p', String(service.pid)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  console.error('·', JSON.stringify(await run()));
  perf.kill('SIGINT');
  await once(perf, 'exit');
} finally {
  await demo.stop();
}
