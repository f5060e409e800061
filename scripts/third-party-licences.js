// Prints the licence of every crate in the release binary and of every JavaScript package in its pages. A package without a
// licence file is an error, unless its licence requires no notice.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crates, packages } from './shipped.js';

const LICENCE_FILE = /^(licen[cs]e|copying|notice|unlicense)([-_.].*)?$/i;

/** The licence texts in a folder, by file name. */
function texts(folder) {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name));
  return names.map((entry) => readFileSync(join(folder, entry.name), 'utf8').trim()).filter(Boolean);
}

/** The parts. Those with the same text share it. */
function print(title, sorted) {
  const lines = sorted.map((one) => `${one.name} ${one.version}: ${one.licence ?? 'see the text'}`);
  const shared = new Map();
  for (const one of sorted) {
    for (const text of one.texts) shared.set(text, [...(shared.get(text) ?? []), `${one.name} ${one.version}`]);
  }
  const bodies = [...shared].map(([text, names]) => `${'-'.repeat(80)}\n${names.join(', ')}\n\n${text}\n`);
  process.stdout.write(`${title}\n${'='.repeat(title.length)}\n\n${lines.join('\n')}\n\n${bodies.join('\n')}\n`);
}

/** The parts of others, and our own that include something of others: these have a notice. */
const licensed = (parts) => parts.map((one) => ({ ...one, texts: texts(one.folder) })).filter((one) => !one.own || one.texts.length > 0);
const compiled = licensed(crates());
const bundled = licensed(packages());
const unlicensed = [...compiled, ...bundled].filter((one) => !one.licence && one.texts.length === 0);
if (unlicensed.length > 0) {
  console.error(`no licence is known for ${unlicensed.map((one) => one.name).join(', ')}`);
  process.exit(1);
}
print('Rust crates', compiled);
print('JavaScript packages and fonts', bundled);
