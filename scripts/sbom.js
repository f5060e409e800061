// Prints the list of everything that a release contains (SBOM), as CycloneDX 1.6: each crate and each JavaScript package with its
// version, licence, checksum and what it needs. The same sources give the same bytes. scripts/check-packaging validates it.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crates, key, packages, root } from './shipped.js';

/** The checksums of Cargo.lock, by `name version`. */
export function crateChecksums(lock) {
  const found = lock.matchAll(/^name = "([^"]+)"\nversion = "([^"]+)"\nsource = "[^"]+"\nchecksum = "([0-9a-f]{64})"$/gm);
  return new Map([...found].map(([, name, version, sum]) => [`${name} ${version}`, { alg: 'SHA-256', content: sum }]));
}

/** The checksums of package-lock.json, by `name version`. */
export function packageChecksums(lock) {
  const entries = Object.entries(lock.packages).filter(([path, about]) => path && about.integrity?.startsWith('sha512-'));
  return new Map(
    entries.map(([path, { version, integrity }]) => {
      const content = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
      return [`${path.split('node_modules/').at(-1)} ${version}`, { alg: 'SHA-512', content }];
    }),
  );
}

/** The purl of a part: `@` of a scope is written out. */
const purl = (kind, part) => `pkg:${kind}/${part.name.replace('@', '%40')}@${part.version.replaceAll('+', '%2B')}`;

/** A component of the list. A licence's `/` is an old form of OR. */
export function component(kind, part, sums) {
  const sum = sums.get(key(part));
  return {
    type: 'library',
    'bom-ref': purl(kind, part),
    name: part.name,
    version: part.version,
    ...(part.licence && !part.own && { licenses: [{ expression: part.licence.replaceAll('/', ' OR ') }] }),
    ...(sum && { hashes: [sum] }),
    purl: purl(kind, part),
  };
}

/** The whole list. `parts` are the lists of crates and of packages with their kinds and checksums. */
export function bom(version, parts) {
  const inlay = { type: 'application', 'bom-ref': 'inlay', name: 'inlay', version };
  const components = parts.flatMap(({ kind, list, sums }) => list.map((part) => component(kind, part, sums)));
  const dependencies = parts.flatMap(({ kind, list }) => {
    const refs = new Map(list.map((part) => [key(part), purl(kind, part)]));
    return list.map((part) => ({ ref: purl(kind, part), dependsOn: part.needs.map((need) => refs.get(need)).filter(Boolean) }));
  });
  const roots = parts.flatMap(({ kind, list, roots }) => list.filter(roots).map((part) => purl(kind, part)));
  const contents = { components, dependencies: [{ ref: 'inlay', dependsOn: roots }, ...dependencies] };
  const hash = createHash('sha256').update(JSON.stringify(contents)).digest('hex');
  // Of the contents, in the form of a UUID of version 8.
  const id = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-');
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${id}`,
    version: 1,
    metadata: { component: inlay },
    ...contents,
  };
}

/** The list of this work tree. */
function ofThisTree() {
  const read = (name) => readFileSync(join(root, name), 'utf8');
  const version = /^\[workspace\.package\]\nversion = "([^"]+)"/m.exec(read('Cargo.toml'))?.[1];
  const direct = new Set(Object.keys(JSON.parse(read('package.json')).dependencies));
  return bom(version, [
    { kind: 'cargo', list: crates(), sums: crateChecksums(read('Cargo.lock')), roots: (part) => part.own },
    {
      kind: 'npm',
      list: packages(),
      sums: packageChecksums(JSON.parse(read('package-lock.json'))),
      roots: (part) => direct.has(part.name),
    },
  ]);
}

if (process.argv[1] === import.meta.filename) process.stdout.write(`${JSON.stringify(ofThisTree(), null, 1)}\n`);
