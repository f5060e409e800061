// Writes a .br file beside every file of a folder that becomes smaller, and prints what a view-only page loads.
import { readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const TEXTUAL = new Set(['.js', '.wasm', '.css', '.svg', '.json', '.html', '.txt']);
/** The limit for the compressed scripts of a view-only page, in bytes. */
const MOST = 390_000;
const RUNS = ['inlay.js', 'inlay_bg.wasm', 'charts.js'];

/** A script and its static imports. */
async function withImports(name, seen = new Set([name])) {
  if (extname(name) !== '.js') return [name];
  const text = await readFile(join(folder, name), 'utf8').catch(() => '');
  for (const [, imported] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) {
    if (!seen.has(imported)) await withImports(imported, seen.add(imported));
  }
  return [...seen];
}

const folder = process.argv[2];
const compress = promisify(brotliCompress);
const modified = async (path) => (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1).padStart(8)} kB`;

async function compressed(name) {
  const [source, target] = [join(folder, name), join(folder, `${name}.br`)];
  if ((await modified(target)) < (await modified(source))) {
    const text = await readFile(source);
    await writeFile(
      target,
      await compress(text, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
          [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
        },
      }),
    );
  }
  return { name, plain: (await stat(source)).size, brotli: (await stat(target)).size };
}

const files = await readdir(folder, { recursive: true });
// Removes the .br files of chunks from earlier builds.
const orphans = files.filter((name) => extname(name) === '.br' && !files.includes(name.slice(0, -'.br'.length)));
await Promise.all(orphans.map((name) => unlink(join(folder, name))));
const sizes = await Promise.all(
  files
    .filter((name) => TEXTUAL.has(extname(name)))
    .toSorted()
    .map(compressed),
);
for (const { name, plain, brotli } of sizes) {
  process.stderr.write(`  ${name.padEnd(24)} ${kilobytes(plain)} ${kilobytes(brotli)} brotli\n`);
}
const runs = (await Promise.all(RUNS.map((name) => withImports(name)))).flat();
const loaded = sizes.filter(({ name }) => runs.includes(name)).reduce((sum, { brotli }) => sum + brotli, 0);
process.stderr.write(`  ${'JavaScript and wasm'.padEnd(24)} ${' '.repeat(11)} ${kilobytes(loaded)} brotli, of ${kilobytes(MOST).trim()}\n`);
if (loaded > MOST) {
  process.stderr.write('The page loads more than it may.\n');
  process.exitCode = 1;
}
