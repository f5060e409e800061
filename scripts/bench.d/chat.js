// The chat with the built-in analyst on the demo's flights: time to the first streamed byte, to the first event of the answer
// and to its chart; then many concurrent users, and the server's memory meanwhile.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { median, percentile } from './numbers.js';

const run = promisify(execFile);
const QUESTIONS = [
  'How many flights were late?',
  'flights per week',
  'average delay by destination city',
  'top 5 destinations',
  'What percentage of flights were late?',
  'average delay by weekday',
  'longest delay',
  'flights by destination as a pie',
];
const AIRPORTS = ['ATL', 'ORD', 'LAX', 'DEN', 'BOS', 'SEA', 'HNL', 'ANC'];
const USERS = ['analyst', 'manager', 'viewer'];
const AT_ONCE = 200;
/** The interval of reading the server's memory, in milliseconds. */
const LOOK_EVERY = 50;

/** Asks like a headless host. Returns the milliseconds to the first byte, the first event of the answer, the chart and the end. */
async function ask(workspace, token, message) {
  const begin = performance.now();
  const answer = await fetch(workspace, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message }),
  });
  if (!answer.ok || !answer.body) throw new Error(`a question answered ${answer.status}: ${await answer.text()}`);
  const times = {};
  const note = (name) => {
    times[name] ??= performance.now() - begin;
  };
  let rest = '';
  let last;
  for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {
    note('byte');
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines.filter((one) => one.startsWith('data:'))) {
      last = JSON.parse(line.slice(5));
      if (last.type === 'step') note('step');
      if (last.type === 'tool-result') note('chart');
    }
  }
  note('end');
  if (last?.type !== 'done') throw new Error(`“${message}” ended with ${JSON.stringify(last)}`);
  return times;
}

const resident = async (pid) => Number((await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout) / 1024;

/** Milliseconds of single questions, and the memory under load. */
export async function chat({ service, demo }) {
  const { token: first } = await demo.session(AIRPORTS[0]);
  const address = `${service.url}/v2/api/workspaces/${await demo.workspaceId(first)}/chat`;
  const times = { byte: [], step: [], chart: [], end: [] };
  for (const user of USERS) {
    for (const [at, question] of QUESTIONS.entries()) {
      const { token } = await demo.session(AIRPORTS[at % AIRPORTS.length], user);
      for (const [name, value] of Object.entries(await ask(address, token, question))) times[name].push(value);
    }
  }
  const users = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, at) => demo.session(AIRPORTS[at % AIRPORTS.length], USERS[at % USERS.length])),
  );
  const before = await resident(service.pid);
  let [most, over] = [before, false];
  const looking = (async () => {
    while (!over) {
      most = Math.max(most, await resident(service.pid));
      await new Promise((wake) => {
        setTimeout(wake, LOOK_EVERY);
      });
    }
  })();
  const begin = performance.now();
  let all;
  try {
    all = await Promise.all(users.map(({ token }, at) => ask(address, token, QUESTIONS[at % QUESTIONS.length])));
  } finally {
    over = true;
    await looking;
  }
  const seconds = (performance.now() - begin) / 1000;
  const ends = all.map(({ end }) => end);
  const told = (values) => `${median(values).toFixed(0)} ms (p95 ${percentile(values, 95).toFixed(0)} ms)`;
  return {
    'chat by the analyst, first streamed byte': told(times.byte),
    'chat by the analyst, first step of the answer': told(times.step),
    'chat by the analyst, chart': told(times.chart),
    [`${AT_ONCE} chats at once, all answered`]: `${seconds.toFixed(1)} s; an answer ${told(ends)}`,
    [`${AT_ONCE} chats at once, memory of the server`]: `${most.toFixed(0)} MiB at most, ${before.toFixed(0)} MiB before`,
  };
}
