// What is shipped: the crates that the release binary and the pages' wasm are compiled from, and the JavaScript packages in the pages.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const root = join(import.meta.dirname, '..');

/** @typedef {{ name: string, version: string, licence: string | null, folder: string, own: boolean, needs: string[] }} Part a crate or a package; `needs` names others as `name version` */

/** A part's name among others. */
export const key = (part) => `${part.name} ${part.version}`;

/**
 * The crates that Inlay is compiled from for a target, its own among them, without tests and build scripts.
 * @returns {Part[]}
 */
function compiled(target) {
  const args = ['metadata', '--format-version', '1', '--locked', '--filter-platform', target];
  const metadata = JSON.parse(execFileSync('cargo', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 }));
  const packages = new Map(metadata.packages.map((one) => [one.id, one]));
  const nodes = new Map(metadata.resolve.nodes.map((node) => [node.id, node]));
  const seen = new Map();
  const waiting = metadata.packages.filter((one) => one.source === null && !one.name.includes('example')).map((one) => one.id);
  while (waiting.length > 0) {
    const id = waiting.pop();
    if (seen.has(id)) continue;
    const linked = nodes.get(id).deps.filter((dep) => dep.dep_kinds.some((kind) => kind.kind === null));
    const needs = linked.map((dep) => dep.pkg);
    seen.set(id, needs);
    waiting.push(...needs);
  }
  return [...seen].map(([id, needs]) => {
    const { name, version, license: licence, manifest_path, source } = packages.get(id);
    return {
      name,
      version,
      licence,
      folder: dirname(manifest_path),
      own: source === null,
      needs: needs.map((need) => key(packages.get(need))),
    };
  });
}

/** The parts once each, with what they need on any target, by name. */
function once(parts) {
  const found = new Map();
  for (const part of parts) {
    const known = found.get(key(part));
    found.set(key(part), { ...part, needs: [...new Set([...(known?.needs ?? []), ...part.needs])].toSorted() });
  }
  return [...found.values()].toSorted((a, b) => a.name.localeCompare(b.name) || a.version.localeCompare(b.version));
}

/** The crates of the server on this machine and of the pages. */
export function crates() {
  const host = /^host: (.+)$/m.exec(execFileSync('rustc', ['-vV'], { encoding: 'utf8' }))?.[1];
  return once([...compiled(host), ...compiled('wasm32-unknown-unknown')]);
}

/** The packages of `dependencies` in package.json and the maps, with their own dependencies. */
export function packages() {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const waiting = [...Object.keys(own.dependencies), 'topojson-client', 'us-atlas', 'world-atlas'];
  const seen = new Set();
  const found = [];
  const about = (name) => JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
  const there = (name) => existsSync(join(root, 'node_modules', name));
  while (waiting.length > 0) {
    const name = waiting.pop() ?? '';
    if (seen.has(name) || !there(name)) continue;
    seen.add(name);
    const { version, license: licence, dependencies } = about(name);
    const needs = Object.keys(dependencies ?? {}).filter(there);
    found.push({
      name,
      version,
      licence,
      folder: join(root, 'node_modules', name),
      own: false,
      needs: needs.map((need) => key(about(need))),
    });
    waiting.push(...needs);
  }
  return once(found);
}
