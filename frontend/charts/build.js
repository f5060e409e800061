// Bundles the chart runtime and the SQL editor with esbuild. Run it through `scripts/build-charts`.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { minify } from 'terser';
import { land } from './geography.js';
import { spare } from './spare.js';

const root = join(import.meta.dirname, '../..');
const pages = join(root, 'dist/pkg');
const cache = join(root, 'dist/charts');

/** Provides the GeoJSON for `land.js`. */
const lands = {
  name: 'lands',
  setup(plugin) {
    plugin.onResolve({ filter: /^virtual:land\// }, ({ path }) => ({ path: path.slice('virtual:land/'.length), namespace: 'land' }));
    plugin.onLoad({ filter: /.*/, namespace: 'land' }, ({ path }) => ({ contents: JSON.stringify(land(path)), loader: 'json' }));
  },
};

/** Replaces the modules that Inlay's charts never use. */
const slim = {
  name: 'slim',
  setup(plugin) {
    plugin.onLoad({ filter: /node_modules\/(echarts|zrender)\/lib\/.*\.js$/ }, ({ path }) => {
      const name = path.split('node_modules/').at(-1);
      return Object.hasOwn(spare, name) ? { contents: spare[name], loader: 'js' } : undefined;
    });
  },
};

/** @satisfies {import('esbuild').BuildOptions} */
const common = {
  bundle: true,
  minify: true,
  target: 'es2022',
  legalComments: /** @type {const} */ ('none'),
  banner: { js: '/*! Contains Apache ECharts (Apache-2.0), zrender (BSD-3-Clause) and tslib (0BSD). */' },
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [lands, slim],
  write: /** @type {const} */ (false),
  metafile: /** @type {const} */ (true),
  absWorkingDir: import.meta.dirname,
  logLevel: /** @type {const} */ ('warning'),
};

function write(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  if (existsSync(path) && readFileSync(path).equals(Buffer.from(contents))) return;
  writeFileSync(path, contents);
}

/** @type {import('terser').MinifyOptions} */
const smaller = { module: true, ecma: 2020, compress: { passes: 2 }, format: { comments: /^!/ } };

/**
 * A page's script, minified further: 4% less than esbuild leaves, compressed with brotli. This takes seconds, so results are kept in `cache`.
 * @param {string} text
 */
async function minified(text) {
  const key = createHash('sha256').update(JSON.stringify(smaller)).update(text).digest('hex');
  const path = join(cache, `${key}.js`);
  if (!existsSync(path)) write(path, Buffer.from((await minify(text, smaller)).code ?? ''));
  return { path, contents: readFileSync(path) };
}

const [page, server, written] = await Promise.all([
  build({
    ...common,
    entryPoints: { charts: 'browser.js' },
    outdir: pages,
    format: 'esm',
    splitting: true,
    chunkNames: 'charts-[name]-[hash]',
  }),
  // The older target is what QuickJS supports.
  build({ ...common, entryPoints: ['server.js'], outfile: join(root, 'dist/charts.server.js'), format: 'iife', target: 'es2020' }),
  // The SQL editor, which only the chart builder loads.
  build({
    ...common,
    entryPoints: ['../sql/editor.js'],
    outfile: join(pages, 'sql.js'),
    format: 'esm',
    banner: { js: '/*! Contains CodeMirror and Lezer (MIT). */' },
  }),
]);

const files = page.outputFiles.map(({ path }) => path);
if (existsSync(pages)) {
  for (const name of readdirSync(pages)) {
    const path = join(pages, name);
    if (/^charts-.*\.js$/.test(name) && !files.includes(path)) rmSync(path);
  }
}
for (const { path, contents } of [...server.outputFiles, ...written.outputFiles]) write(path, contents);
const kept = new Set();
for (const { path, text } of page.outputFiles) {
  const small = await minified(text);
  write(path, small.contents);
  kept.add(basename(small.path));
}
for (const name of readdirSync(cache)) if (!kept.has(name)) rmSync(join(cache, name));

// The modules that `charts.js` imports, for `<link rel="modulepreload">`.
const entry = Object.values(page.metafile.outputs).find(({ entryPoint }) => entryPoint === 'browser.js');
const needed = (entry?.imports ?? []).filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path));
write(join(pages, 'charts.json'), Buffer.from(`${JSON.stringify({ preload: needed })}\n`));
