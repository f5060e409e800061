// Remembered answers by the API: the rows of the default dashboard's charts, as a headless host asks for them again and again.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bareHandlers } from './bare.js';
import { processorSeconds } from './numbers.js';

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL('answers.lua', import.meta.url));
const ROUNDS = 3;
const SECONDS = 5;
const CONNECTIONS = 16;
/** Milliseconds between a connection's answer and its next request: 16 connections ask some 5,500 times a second. Without a pause, the time of an answer is only
 *  the reciprocal of how many answers the machine makes. */
const PAUSE = 2;

/** The paths of the rows of every chart on the page at an address. */
export async function paths(address) {
  const html = await (await fetch(address)).text();
  const data = html.match(/<script type="application\/json" id="inlay-page">(.*?)<\/script>/)?.[1] ?? '';
  const { application } = JSON.parse(data).content.content;
  const { id, tiles } = application.dashboard;
  return tiles
    .filter(({ content }) => content.ready)
    .map((tile) => `/v2/api/applications/${application.id}/dashboards/${id}/charts/${tile.id}/data`);
}

/** The best of several rounds, which the machine's other work disturbs least: what `wrk` saw, and the server's processor time. */
export async function load(service, token, paths, connections, pause) {
  const environment = { ...process.env, BENCH_TOKEN: token, BENCH_PATHS: paths.join(' '), BENCH_PAUSE: String(pause ?? '') };
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await processorSeconds(service.pid);
    const { stdout } = await run('wrk', ['-t1', `-c${connections}`, `-d${SECONDS}s`, '--latency', '-s', SCRIPT, service.url], {
      env: environment,
    });
    const used = (await processorSeconds(service.pid)) - before;
    const { requests, seconds, failed, bytes, p50, p99 } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    if (failed > 0) throw new Error(`${failed} of ${requests} answers failed`);
    rounds.push({ rate: requests / seconds, p50, p99, each: used / requests, bytes: bytes / requests });
  }
  return rounds.toSorted((a, b) => b.rate - a.rate)[0];
}

/** Answers one at a time, by many connections at a rate that leaves the machine some rest, and by as many without rest. */
export async function answers({ service, demo, programs }) {
  const asked = await paths(await demo.page('ATL'));
  const { token } = await demo.session('ATL');
  const alone = await load(service, token, asked, 1);
  const calm = await load(service, token, asked, CONNECTIONS, PAUSE);
  const many = await load(service, token, asked, CONNECTIONS);
  const bare = await bareHandlers(programs.bare, Math.round(many.bytes));
  const limit = [];
  try {
    const token = await (await fetch(`${bare.url}/token`)).text();
    for (const given of [[1], [CONNECTIONS, PAUSE], [CONNECTIONS]]) limit.push(await load(bare, token, ['/answer'], ...given));
  } finally {
    bare.stop();
  }
  const told = ({ rate, p50, p99, each }) =>
    `${rate.toFixed(0)} /s, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms; ${(each * 1e6).toFixed(0)} µs of the server’s processor time each`;
  return {
    'remembered answers by the API, one at a time': told(alone),
    [`remembered answers by the API, ${CONNECTIONS} connections that pause`]: told(calm),
    [`remembered answers by the API, ${CONNECTIONS} connections`]: told(many),
    'the same by a bare handler, one at a time': told(limit[0]),
    [`the same by a bare handler, ${CONNECTIONS} connections that pause`]: told(limit[1]),
    [`the same by a bare handler, ${CONNECTIONS} connections`]: told(limit[2]),
    'ratio of the rates': (many.rate / limit[2].rate).toFixed(2),
    'remembered answers by the API, mean size': `${(many.bytes / 1000).toFixed(1)} kB`,
  };
}
