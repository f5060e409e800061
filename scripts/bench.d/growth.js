// Sign-ins as the number of users grows: p50 and p99 of a repeated sign-in of any user, at 1, 16 and 64 connections.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { load } from './sign-ins.js';

const run = promisify(execFile);
const USERS = [10, 1_000, 100_000, 1_000_000];
const CONNECTIONS = [1, 16, 64];
const SECONDS = 5;

/** Sign-ins per second, p50 and p99 in milliseconds, for each size of the store and each number of connections. */
export async function growth({ service, programs }) {
  const store = `sqlite:${join(service.folder, 'data', 'inlay.db')}`;
  const table = {};
  for (const users of USERS) {
    await run(programs.fillUsers, [store, service.project.projectId, String(users)]);
    for (const connections of CONNECTIONS) {
      await load(service.url, service, { connections, users, seconds: 1 });
      const { rate, p50, p99 } = await load(service.url, service, { connections, users, seconds: SECONDS });
      const name = `sign-ins, ${users.toLocaleString('en')} users, ${connections} connections`;
      table[name] = `${rate.toFixed(0)} /s, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;
    }
  }
  return table;
}
