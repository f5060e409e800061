// A host product made of the code that the console shows: its page, script, policy and server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './service.js';

/** How to run a copied program: its file name and its command. */
const RUNNERS = {
  node: { file: 'server.mjs', command: process.execPath },
  python: { file: 'server.py', command: process.env.INLAY_PYTHON ?? 'python3' },
  curl: { file: 'token.sh', command: 'bash' },
};

async function listening(port, program) {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const open = await new Promise((done) => {
      const socket = connect(port, 'localhost', () => {
        socket.destroy();
        done(true);
      });
      socket.on('error', () => done(false));
    });
    if (open) return;
    if (program.exitCode !== null) break;
    await new Promise((wake) => {
      setTimeout(wake, 100);
    });
  }
  throw new Error('the program does not listen');
}

/** A running copied program: `told` is its output, `port` its port. */
export class Program {
  #process;
  told = { stdout: '', stderr: '' };
  folder = '';
  port = 0;

  static async start(language, text, environment) {
    const program = new Program();
    const { file, command } = RUNNERS[language];
    program.folder = await mkdtemp(join(tmpdir(), 'inlay-sample-'));
    program.port = await freePort();
    await writeFile(join(program.folder, file), text);
    program.#process = spawn(command, [file], { cwd: program.folder, env: { ...process.env, ...environment, PORT: String(program.port) } });
    for (const stream of ['stdout', 'stderr'])
      program.#process[stream].on('data', (part) => {
        program.told[stream] += part;
      });
    return program;
  }

  /** Waits until it listens. */
  async ready() {
    await listening(this.port, this.#process).catch((problem) => {
      throw new Error(`${problem.message}: ${this.told.stderr}`);
    });
    return this;
  }

  /** Waits until it ends. Returns its exit code. */
  async ended() {
    if (this.#process.exitCode === null) await once(this.#process, 'close');
    return this.#process.exitCode;
  }

  /** Requests a token from its route, as the page does. */
  ask() {
    return fetch(`http://localhost:${this.port}/analytics/token`, { method: 'POST' });
  }

  async stop() {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      this.#process.kill('SIGTERM');
      await once(this.#process, 'exit');
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** The site: serves exactly the given page, script and policy, and gets tokens from a program. */
export class Site {
  #server;
  page = '';
  script = '';
  /** `Content-Security-Policy: …`, as the console shows it. */
  policy = '';
  /** @type {Program | undefined} */
  program;
  origin = '';

  static async start() {
    const site = new Site();
    site.#server = createServer((request, response) => {
      site.#answer(request, response).catch((problem) => response.writeHead(500).end(String(problem)));
    }).listen(0, 'localhost');
    await once(site.#server, 'listening');
    site.origin = `http://localhost:${site.#server.address().port}`;
    return site;
  }

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  async #answer({ url, method }, response) {
    if (url === '/analytics/token' && method === 'POST') {
      const answer = await this.program.ask();
      return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    }
    if (url === '/analytics.js') return response.writeHead(200, { 'content-type': 'text/javascript' }).end(this.script);
    const [name, policy] = this.policy.split(': ');
    const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,">${this.page}`;
    return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', [name]: policy }).end(html);
  }

  async stop() {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
