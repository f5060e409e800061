// Prints the licence of every crate in the release binary and of every JavaScript package in its pages. A package without a
// licence file is an error, unless its licence requires no notice.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const LICENCE_FILE = /^(licen[cs]e|copying|notice|unlicense)([-_.].*)?$/i;

/** The licence texts in a folder, by file name. */
function texts(folder) {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name));
  return names.map((entry) => readFileSync(join(folder, entry.name), 'utf8').trim()).filter(Boolean);
}

/** The crates that a package is compiled from on this machine, without tests and build scripts. */
function crates(target) {
  const args = ['metadata', '--format-version', '1', '--locked', '--filter-platform', target];
  const metadata = JSON.parse(execFileSync('cargo', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 }));
  const packages = new Map(metadata.packages.map((one) => [one.id, one]));
  const nodes = new Map(metadata.resolve.nodes.map((node) => [node.id, node]));
  const seen = new Set();
  const waiting = metadata.packages.filter((one) => one.source === null && !one.name.includes('example')).map((one) => one.id);
  while (waiting.length > 0) {
    const id = waiting.pop();
    if (seen.has(id)) continue;
    seen.add(id);
    const linked = nodes.get(id).deps.filter((dep) => dep.dep_kinds.some((kind) => kind.kind === null));
    waiting.push(...linked.map((dep) => dep.pkg));
  }
  return [...seen]
    .map((id) => packages.get(id))
    .filter((one) => one.source !== null)
    .map((one) => ({ name: one.name, version: one.version, licence: one.license, texts: texts(dirname(one.manifest_path)) }));
}

/** The packages of `dependencies` in package.json, with their own dependencies. */
function scripts() {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const waiting = [...Object.keys(own.dependencies), 'topojson-client', 'us-atlas', 'world-atlas'];
  const seen = new Set();
  const found = [];
  while (waiting.length > 0) {
    const name = waiting.pop() ?? '';
    const folder = join(root, 'node_modules', name);
    if (seen.has(name) || !existsSync(folder)) continue;
    seen.add(name);
    const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    found.push({ name, version: about.version, licence: about.license, texts: texts(folder) });
    waiting.push(...Object.keys(about.dependencies ?? {}));
  }
  return found;
}

/** The packages, sorted by name. Packages with the same text share it. */
function print(title, packages) {
  const sorted = packages.sort((a, b) => a.name.localeCompare(b.name) || a.version.localeCompare(b.version));
  const lines = sorted.map((one) => `${one.name} ${one.version}: ${one.licence ?? 'see the text'}`);
  const shared = new Map();
  for (const one of sorted) {
    for (const text of one.texts) shared.set(text, [...(shared.get(text) ?? []), `${one.name} ${one.version}`]);
  }
  const bodies = [...shared].map(([text, names]) => `${'-'.repeat(80)}\n${names.join(', ')}\n\n${text}\n`);
  process.stdout.write(`${title}\n${'='.repeat(title.length)}\n\n${lines.join('\n')}\n\n${bodies.join('\n')}\n`);
}

const host = /^host: (.+)$/m.exec(execFileSync('rustc', ['-vV'], { encoding: 'utf8' }))?.[1];
const compiled = [...crates(host), ...crates('wasm32-unknown-unknown')];
const distinct = [...new Map(compiled.map((one) => [`${one.name} ${one.version}`, one])).values()];
const bundled = scripts();
const unlicensed = [...distinct, ...bundled].filter((one) => !one.licence && one.texts.length === 0);
if (unlicensed.length > 0) {
  console.error(`no licence is known for ${unlicensed.map((one) => one.name).join(', ')}`);
  process.exit(1);
}
print('Rust crates', distinct);
print('JavaScript packages and fonts', bundled);
