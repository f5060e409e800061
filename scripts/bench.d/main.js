// Runs the benchmarks one after another against one server and prints a table.
import { execFile } from 'node:child_process';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Demo } from '../../end2end/support/demo.js';
import { answers } from './answers.js';
import { browser } from './browser.js';
import { chat } from './chat.js';
import { door } from './door.js';
import { growth } from './growth.js';
import { bytes, times } from './page.js';
import { signIns } from './sign-ins.js';
import { viewers } from './viewers.js';

const run = promisify(execFile);
const folder = join(process.env.CARGO_TARGET_DIR ?? 'target', 'release');
const programs = {
  inlay: join(folder, 'inlay'),
  bare: join(folder, 'examples', 'bare'),
  rewriting: join(folder, 'examples', 'rewriting'),
  compiling: join(folder, 'examples', 'compiling'),
  door: join(folder, 'examples', 'door'),
  fillUsers: join(folder, 'examples', 'fill_users'),
};

/** The query crate's own benchmark: an average over the queries of some dashboards. */
async function rewriting() {
  const { rewritingMicroseconds } = JSON.parse((await run(programs.rewriting)).stdout);
  return { 'checking and rewriting one query': `${rewritingMicroseconds.toFixed(0)} µs` };
}

/** Queries of the semantic model: the demo's charts, and questions of TPC-H. */
async function compiling() {
  const { all, each } = JSON.parse((await run(programs.compiling)).stdout);
  const slowest = each.reduce((most, one) => (one.compiling.mean > most.compiling.mean ? one : most));
  const told = ({ mean, p95 }) => `${mean.toFixed(0)} µs, p95 ${p95.toFixed(0)} µs`;
  return {
    [`compiling one of ${each.length} queries of the semantic model`]: `${told(all.compiling)} (limit 300 µs)`,
    [`the slowest, ${slowest.query}`]: told(slowest.compiling),
    'checking its SQL': told(all.checking),
    'rewriting its SQL': told(all.rewriting),
  };
}

/** The current resident memory of the server. */
const memory =
  (moment) =>
  async ({ service }) => {
    const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(service.pid)]);
    return { [`memory of the server, ${moment}`]: `${(Number(stdout) / 1024).toFixed(0)} MiB` };
  };

async function machine() {
  const one = async (program, ...args) => (await run(program, args)).stdout.trim();
  const [cpu] = cpus();
  return {
    machine: `${cpus().length} × ${cpu.model.trim()}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, ${type()} ${release()}`,
    built: `${await one('git', 'rev-parse', '--short', 'HEAD')} with ${await one('rustc', '--version')}`,
  };
}

// The order matters: memory at rest and the page's first view come before anything else has warmed up the server.
/** @type {Record<string, (given: { service: any, demo: any, programs: any }) => Promise<object>>} */
const FIGURES = {
  'memory at rest': memory('before anybody came'),
  page: times,
  'memory of pages': memory('after the pages'),
  bytes,
  viewers,
  browser,
  answers,
  'sign-ins': signIns,
  'memory of sign-ins': memory('after the sign-ins'),
  chat,
  rewriting,
  compiling,
  door,
  growth,
};

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in FIGURES));
if (unknown.length > 0) throw new Error(`unknown figure ${unknown.join(', ')}; there are ${Object.keys(FIGURES).join(', ')}`);

const table = await machine();
// One key signs everybody in and one user asks for every chart: their shares would run out before the server does. The demo's few users ask as many would.
const demo = await Demo.start(programs.inlay, {
  INLAY_KEY_REQUESTS_PER_SECOND: '0',
  INLAY_USER_REQUESTS_PER_SECOND: '0',
  INLAY_CHAT_ANSWERS_AT_ONCE: '200',
});
try {
  for (const [name, measure] of Object.entries(FIGURES)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    console.error(`· measuring: ${name}`);
    Object.assign(table, await measure({ service: demo.service, demo, programs }));
  }
} finally {
  await demo.stop();
}
const width = Math.max(...Object.keys(table).map((name) => name.length));
for (const [name, value] of Object.entries(table)) console.log(`| ${name.padEnd(width)} | ${value}`);
