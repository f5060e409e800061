// Compilers for the documentation's snippets, for the languages that are installed.

import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import yaml from 'js-yaml';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Whether a program is on this machine. */
const has = (program) => spawnSync('which', [program]).status === 0;

/** Writes a text into its own folder, from which the repository's packages can be found, and runs a program there. */
async function tried(name, text, program, args, environment = {}) {
  await mkdir(join(root, 'test-results'), { recursive: true });
  const folder = await mkdtemp(join(root, 'test-results', 'docs-'));
  try {
    await writeFile(join(folder, name), text);
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, ...environment } });
    if (status !== 0) throw new Error(`${program} refused it:\n${stdout}${stderr}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const script = (loader) => ({ check: (text) => transform(text, { loader, format: 'esm' }) });
const program = (name, file, args) => ({ available: () => has(name), check: (text) => tried(file, text, name, args) });

const TSC = [
  join(root, 'node_modules/typescript/bin/tsc'),
  '--noEmit',
  '--strict',
  '--target',
  'es2022',
  '--module',
  'nodenext',
  'snippet.mts',
];

/** How a snippet is checked, by the language of its fence, and what that needs. The Rust client's own crate tests `rust`. */
export const COMPILERS = {
  sh: program('bash', 'snippet.sh', ['-n', 'snippet.sh']),
  js: script('js'),
  jsx: script('jsx'),
  ts: { check: (text) => tried('snippet.mts', text, process.execPath, TSC) },
  html: {
    check: async (text) => {
      for (const [, code] of text.matchAll(/<script[^>]*>(.*?)<\/script>/gs)) await transform(code, { loader: 'js' });
    },
  },
  json: { check: (text) => JSON.parse(text) },
  yaml: { check: (text) => yaml.load(text) },
  // The snippet is executed: it creates a client and defines functions that call it.
  python: {
    check: (text) =>
      tried('snippet.py', text, process.env.INLAY_PYTHON, ['snippet.py'], {
        PYTHONPATH: join(root, 'sdk/python'),
        INLAY_API_KEY: 'inlay_0190_none',
      }),
  },
  go: program('gofmt', 'snippet.go', ['-e', 'snippet.go']),
  ruby: program('ruby', 'snippet.rb', ['-c', 'snippet.rb']),
  php: program('php', 'snippet.php', ['-l', 'snippet.php']),
  java: program('javac', 'Host.java', ['-Xlint:all', '-Werror', 'Host.java']),
  csharp: program('csc', 'snippet.cs', ['-nologo', '-target:library', '-nullable:enable', 'snippet.cs']),
};
