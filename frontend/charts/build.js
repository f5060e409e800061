// Bundles the chart runtime and the SQL editor with esbuild. Run it through `scripts/build-charts`.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { land } from './geography.js';
import { spare } from './spare.js';

const root = join(import.meta.dirname, '../..');
const pages = join(root, 'dist/pkg');

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
for (const { path, contents } of [...page.outputFiles, ...server.outputFiles, ...written.outputFiles]) write(path, contents);

// The modules that `charts.js` imports, for `<link rel="modulepreload">`.
const entry = Object.values(page.metafile.outputs).find(({ entryPoint }) => entryPoint === 'browser.js');
const needed = (entry?.imports ?? []).filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path));
write(join(pages, 'charts.json'), Buffer.from(`${JSON.stringify({ preload: needed })}\n`));
