import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const read = (path) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');
const lines = (text) => text.trimEnd().split('\n');

test('`make build` makes the release binary and prints its path as the last line', async () => {
  const makefile = lines(await read('Makefile'));
  const at = makefile.findIndex((line) => line.startsWith('build:'));
  assert.equal(makefile[at + 1], '\t@scripts/build');
  assert.notEqual(makefile[at + 2]?.startsWith('\t'), true, 'nothing is printed after it');
  const script = lines(await read('scripts/build'));
  // A step that fails ends the script, so the last line is printed for a binary that is there.
  assert.ok(script.includes('set -euo pipefail'));
  assert.ok(script.some((line) => line.startsWith('cargo build --release -p inlay')));
  const path = script.at(-1).match(/^printf '%s\\n' "\$PWD\/(\S+)"$/)?.[1];
  assert.ok(path && script.some((line) => line.startsWith('cp -f ') && line.endsWith(` ${path}`)), script.at(-1));
});

test('the pages’ files are in the binary, whatever folder it runs from', async () => {
  const script = lines(await read('scripts/build'));
  const built = script.findIndex((line) => line.startsWith('scripts/build-pages'));
  assert.ok(built >= 0 && built < script.findIndex((line) => line.startsWith('cargo build')), 'the pages are built first');
  const assets = await read('src/faces/embeds/assets.rs');
  assert.match(assets, /#\[derive\(RustEmbed\)\]\n#\[folder = "dist\/pkg"\]/);
});

test('`make demo` bundles what the server holds before it compiles the server beside the pages', async () => {
  const script = lines(await read('scripts/demo'));
  const at = (start) => script.findIndex((line) => line.startsWith(start));
  assert.ok(at('scripts/build-charts') >= 0 && at('scripts/build-charts') < at('cargo build'), 'crates/render holds the charts’ script');
  assert.ok(at('wait "$pages"') > at('cargo build') && at('wait "$pages"') < at('exec cargo run'), 'it starts with its pages');
});
