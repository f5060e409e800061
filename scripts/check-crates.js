// Checks the dependencies of the workspace without a network: their licences, their sources, duplicate versions, and whether
// each is used. deny.toml has the lists, which cargo-deny reads, too.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const CRATES_IO = 'registry+https://github.com/rust-lang/crates.io-index';

/** @typedef {{ name: string, rename: string | null, kind: string | null, req: string, source: string | null, optional: boolean }} Dependency */
/** @typedef {{ id: string, name: string, version: string, license: string | null, source: string | null, manifest_path: string, dependencies: Dependency[], targets: { kind: string[], doctest: boolean }[], metadata: any }} Crate */

/** The strings of a list in a TOML file: `name = ["a", "b"]`, also over several lines and with comments. */
function list(text, name) {
  const found = new RegExp(`^${name} = \\[([^\\]]*)\\]`, 'm').exec(text);
  if (!found) throw new Error(`there is no list ${name} in deny.toml`);
  return [...found[1].replace(/#.*/g, '').matchAll(/"([^"]+)"/g)].map(([, value]) => value);
}

/** Whether an SPDX expression can be satisfied with licences of a list. `/` is an old form of OR. */
export function permits(expression, allowed) {
  const tokens = expression.replaceAll('/', ' OR ').match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const one = () => {
    if (tokens[at] === '(') {
      at += 1;
      const inner = any();
      at += 1;
      return inner;
    }
    let name = tokens[at++];
    if (tokens[at] === 'WITH') {
      name = `${name} WITH ${tokens[at + 1]}`;
      at += 2;
    }
    return allowed.has(name);
  };
  const all = () => {
    let holds = one();
    while (tokens[at] === 'AND') {
      at += 1;
      holds = one() && holds;
    }
    return holds;
  };
  const any = () => {
    let holds = all();
    while (tokens[at] === 'OR') {
      at += 1;
      holds = all() || holds;
    }
    return holds;
  };
  return any();
}

/** The Rust files of a package, except those of nested packages. */
function sources(folder, others) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return others.has(path) || /^(target|node_modules|\..*)$/.test(entry.name) ? [] : sources(path, others);
    return entry.name.endsWith('.rs') ? [path] : [];
  });
}

/** Whether Rust code uses a crate: in a path, a `use` or an `extern crate`. Comments count only where rustdoc may compile them. */
export function names(text, crate) {
  const name = crate.replaceAll('-', '_');
  const code = text.replace(/(^|\s)\/\/(?![/!]).*/g, '');
  return new RegExp(`\\b${name}\\s*::|\\b(use|extern crate)\\s+${name}\\b`).test(code);
}

/** Problems with the licences, sources and versions of crates. */
export function strangers(crates, { allowed, twice }) {
  const problems = [];
  const versions = new Map();
  for (const { name, version, license, source } of crates) {
    if (source === null) continue;
    if (!permits(license ?? '', allowed)) problems.push(`${name} ${version} has the licence “${license}”, which deny.toml does not allow`);
    if (source !== CRATES_IO) problems.push(`${name} ${version} comes from ${source}`);
    versions.set(name, [...(versions.get(name) ?? []), version]);
  }
  for (const [name, found] of versions)
    if (found.length > 1 && !twice.has(name))
      problems.push(`${name} comes in the versions ${found.join(' and ')}, and is not in deny.toml's list`);
  for (const name of twice)
    if ((versions.get(name) ?? []).length < 2) problems.push(`${name} comes in one version: take it from deny.toml's list`);
  return problems;
}

/** Dependencies of the workspace's own crates without a version, or that no Rust file uses. */
function careless(/** @type {Crate[]} */ crates) {
  const own = crates.filter(({ source }) => source === null);
  const folders = new Set(own.map(({ manifest_path }) => dirname(manifest_path)));
  return own.flatMap(({ manifest_path, dependencies, metadata }) => {
    const where = relative(root, manifest_path);
    const ignored = new Set(metadata?.['cargo-machete']?.ignored ?? []);
    const texts = sources(dirname(manifest_path), folders).map((path) => readFileSync(path, 'utf8'));
    return dependencies.flatMap(({ name, rename, req, source }) => [
      ...(source && req === '*' ? [`${where}: ${name} takes any version`] : []),
      ...(ignored.has(name) || texts.some((text) => names(text, rename ?? name)) ? [] : [`${where}: ${name} is not used`]),
    ]);
  });
}

/** Whether a Rust file's documentation has an example that rustdoc would compile. Blocks of another language it leaves alone. */
export function hasExample(text) {
  const fences = [...text.matchAll(/^\s*\/\/[/!]\s*```+(.*)$/gm)].map(([, language]) => language.trim());
  const compiled = /^(|rust|should_panic|no_run|compile_fail|edition\d+)$/;
  return fences.some((language, at) => at % 2 === 0 && language.split(/[\s,]+/).every((word) => compiled.test(word)));
}

/** Examples in crates whose documentation is not tested. */
function untested(/** @type {Crate[]} */ crates) {
  const own = crates.filter(({ source }) => source === null);
  const folders = new Set(own.map(({ manifest_path }) => dirname(manifest_path)));
  const silent = own.filter(({ targets }) => targets.some(({ kind, doctest }) => kind.includes('lib') && !doctest));
  const files = silent.flatMap(({ manifest_path }) => sources(dirname(manifest_path), folders));
  return files
    .filter((path) => hasExample(readFileSync(path, 'utf8')))
    .map((path) => `${relative(root, path)}: no test runs the example in this file. Remove "doctest = false" from the crate's Cargo.toml`);
}

/** Entries of the workspace's table that no crate uses. */
function idle(/** @type {Crate[]} */ crates) {
  const [, table] = /^\[workspace\.dependencies\]\n([\s\S]*?)^\[/m.exec(readFileSync(join(root, 'Cargo.toml'), 'utf8')) ?? [];
  const own = crates.filter(({ source }) => source === null);
  const taken = new Set(
    own.flatMap((one) => [...one.dependencies.map(({ name }) => name), ...(one.metadata?.['cargo-machete']?.ignored ?? [])]),
  );
  const named = [...(table ?? '').matchAll(/^([\w-]+) = /gm)].map(([, name]) => name);
  return named.filter((name) => !taken.has(name)).map((name) => `Cargo.toml: no crate takes ${name} from the workspace`);
}

if (process.argv[1] === import.meta.filename) {
  const metadata = execFileSync('cargo', ['metadata', '--format-version', '1', '--locked'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const { packages } = JSON.parse(metadata);
  const lists = readFileSync(join(root, 'deny.toml'), 'utf8');
  const rules = { allowed: new Set(list(lists, 'allow')), twice: new Set(list(lists, 'skip')) };
  const problems = [...strangers(packages, rules), ...careless(packages), ...untested(packages), ...idle(packages)];
  for (const problem of problems) console.error(problem);
  process.exit(problems.length > 0 ? 1 : 0);
}
