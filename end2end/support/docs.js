// Runs the documentation: its code blocks, and compilers for those that cannot be run.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './service.js';

const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const BINARY = resolve(process.env.INLAY_BIN ?? join(process.env.CARGO_TARGET_DIR ?? at('target'), 'debug', 'inlay'));
/** The ports in the pages. Each run replaces them by free ones. */
const PORTS = ['3000', '3001', '4000'];
/** Ends background processes with their children. */
const END = 'for job in $(jobs -p); do kill -- -$job 2>/dev/null || true; done; wait || true';
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const DATABASE = 'postgres://inlay:password@db.example.com/inlay';

/** Every page, by its path below `docs/`. */
export async function pages() {
  const names = (await readdir(at('docs'), { recursive: true })).filter((name) => name.endsWith('.md')).toSorted();
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(at(`docs/${name}`), 'utf8') })));
}

/**
 * The blocks of a page, in order: fences (`sh run`, `js file=server.mjs`) and hidden comments (`<!-- run … -->`, `<!-- stop
 * -->`).
 */
export function blocks({ name, text }) {
  const found = text.matchAll(/^( *)```(\S+)([^\n]*)\n(.*?)^ *```$|^ *<!-- (run[^\n]*)\n(.*?)^ *-->$|^<!-- (stop) -->$/gms);
  return [...found].map(({ index, 1: indent = '', 2: language = 'sh', 3: rest, 4: shown, 5: hiddenRest, 6: hidden, 7: stop }) => {
    const words = (rest ?? hiddenRest ?? stop).trim().split(/\s+/).filter(Boolean);
    const flags = Object.fromEntries(words.map((word) => [word.split('=')[0], word.split('=')[1] ?? true]));
    const content = (shown ?? hidden ?? '').replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    return { page: name, line: text.slice(0, index).split('\n').length, language, flags, text: content };
  });
}

async function listening(port, process) {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const open = await new Promise((done) => {
      const socket = connect(Number(port), 'localhost', () => {
        socket.destroy();
        done(true);
      });
      socket.on('error', () => done(false));
    });
    if (open) return;
    if (process.exitCode !== null) break;
    await new Promise((wake) => {
      setTimeout(wake, 100);
    });
  }
  throw new Error(`nothing listens on ${port}`);
}

/** A shell in an empty folder, which runs the blocks of a page in order, as a reader does. */
export class Session {
  #shell;
  #output = '';
  #ports;

  folder = '';

  /** @param {{postgres?: boolean}} needs */
  static async start({ postgres = false } = {}) {
    const session = new Session();
    session.folder = await mkdtemp(join(tmpdir(), 'inlay-docs-'));
    session.#ports = Object.fromEntries(await Promise.all(PORTS.map(async (port) => [port, String(await freePort())])));
    await session.#furnish();
    const programs = spawnSync('bash', ['-c', '. scripts/common.sh && postgres_binaries'], {
      cwd: at('.'),
      encoding: 'utf8',
    }).stdout.trim();
    const inherited = Object.entries(process.env).filter(([name]) => !/^INLAY_(?!TEST_POSTGRES|TOOLS)/.test(name));
    const [command, ...args] = [...(postgres ? [at('scripts/with-postgres')] : []), 'bash'];
    session.#shell = spawn(command, args, {
      cwd: join(session.folder, 'work'),
      detached: true,
      env: {
        ...Object.fromEntries(inherited),
        PATH: `${session.folder}/bin:${process.env.PATH}:${programs}`,
        REPOSITORY: join(session.folder, 'repository'),
        INLAY_LISTEN: `127.0.0.1:${session.#ports[3000]}`,
      },
    });
    for (const stream of [session.#shell.stdout, session.#shell.stderr])
      stream.on('data', (text) => {
        session.#output += text;
      });
    return session;
  }

  async #furnish() {
    for (const name of ['work', 'bin', 'repository']) await mkdir(join(this.folder, name));
    await symlink(BINARY, join(this.folder, 'bin/inlay'));
    const hosts = join(this.folder, 'repository/examples/hosts');
    await cp(at('examples/hosts/shop'), join(hosts, 'shop'), { recursive: true });
    const project = join(hosts, 'shop/project.yaml');
    await writeFile(project, this.#here(await readFile(project, 'utf8')));
  }

  /** Replaces ports and database by this run's. */
  #here(text) {
    const ported = PORTS.reduce((now, port) => now.replaceAll(new RegExp(`\\b${port}\\b`, 'g'), this.#ports[port]), text);
    return ported.replaceAll(DATABASE, '$INLAY_TEST_POSTGRES');
  }

  port(port) {
    return this.#ports[port];
  }

  /** Runs a block. @throws the shell's output if it failed */
  async run({ flags, text, page, line }) {
    if (flags.stop) return this.#execute(END, page, line);
    const here = this.#here(text);
    if (flags.file) return writeFile(join(this.folder, 'work', flags.file), here);
    if (flags.background) {
      // In its own process group, to end it with its children.
      await this.#execute(`setsid bash -c ${quoted(here)} </dev/null &`, page, line);
      return listening(this.#ports[flags.background], this.#shell);
    }
    return this.#execute(here, page, line);
  }

  async #execute(text, page, line) {
    const mark = `done-${Math.random().toString(36).slice(2)}`;
    const from = this.#output.length;
    // Errors in pipes and substitutions count, too. The shell itself continues.
    this.#shell.stdin.write(`set -eo pipefail; trap 'echo ${mark} 1' ERR; set +e\n${text}\n{ code=$?; } 2>/dev/null; echo ${mark} $code\n`);
    const answer = new RegExp(`${mark} (\\d+)`);
    for (let attempt = 0; attempt < 600; attempt += 1) {
      const found = answer.exec(this.#output.slice(from));
      if (found && found[1] !== '0') throw new Error(`docs/${page}:${line} failed:\n${this.#output.slice(from)}`);
      if (found) return;
      if (this.#shell.exitCode !== null) break;
      await new Promise((wake) => {
        setTimeout(wake, 50);
      });
    }
    throw new Error(`docs/${page}:${line} did not end:\n${this.#output.slice(from)}`);
  }

  async stop() {
    if (this.#shell.exitCode === null) {
      this.#shell.stdin.end(`${END}\nexit 0\n`);
      await once(this.#shell, 'exit');
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}
