// Reduces the code between a wasm and its glue: the long import names with hashes are in both files and hardly compress, and
// unused classes keep their functions in the wasm.
//   node scripts/shorten-glue.js IN.wasm IN.js OUT.wasm OUT.js
import { readFile, writeFile } from 'node:fs/promises';
import { EXPORTS, IMPORTS, list, name, number, section, sections } from './wasm-file.js';

/** The wasm with renamed imports, and without the exports in `dead`. */
function rewritten(wasm, rename, dead) {
  const parts = [wasm.subarray(0, 8)];
  for (const { id, body } of sections(wasm)) {
    let made = body.bytes;
    if (id === IMPORTS) {
      made = list(
        Array.from({ length: body.number() }, () => {
          const [from, what] = rename(body.name(), body.name());
          return Buffer.concat([name(from), name(what), body.description()]);
        }),
      );
    } else if (id === EXPORTS) {
      const all = Array.from({ length: body.number() }, () => ({ what: body.name(), kind: body.byte(), index: body.number() }));
      const kept = all.filter(({ what }) => !dead.has(what));
      made = list(kept.map(({ what, kind, index }) => Buffer.concat([name(what), Buffer.from([kind]), number(index)])));
    }
    parts.push(section(id, made));
  }
  return Buffer.concat(parts);
}

const called = (text) => new Set([...text.matchAll(/\bwasm\.(\w+)/g)].map(([, what]) => what));

/** The glue without unused classes, and the exports that only they called. */
function withoutUnused(glue) {
  let rest = glue;
  const removed = [];
  for (const [, what] of glue.matchAll(/^export class (\w+) \{$/gm)) {
    const parts = [
      new RegExp(`^export class ${what} \\{\\n[^]*?^\\}\\n`, 'm'),
      new RegExp(`^if \\(Symbol\\.dispose\\) ${what}\\..*\\n`, 'm'),
      new RegExp(`^const ${what}Finalization = [^]*?;\\n`, 'm'),
    ];
    const texts = parts.map((part) => rest.match(part)?.[0] ?? '');
    const without = texts.reduce((text, part) => text.replace(part, ''), rest);
    if (new RegExp(`\\b${what}`).test(without)) continue;
    removed.push(...texts);
    rest = without;
  }
  const [gone, left] = [called(removed.join('\n')), called(rest)];
  return { rest, dead: new Set([...gone].filter((what) => !left.has(what))) };
}

const [wasmIn, glueIn, wasmOut, glueOut] = process.argv.slice(2);
const { rest, dead } = withoutUnused(await readFile(glueIn, 'utf8'));
let glue = rest.replace('export { initSync, __wbg_init as default };', 'export { __wbg_init as default };');
const short = new Map();
const rename = (from, what) => {
  const key = `${from} ${what}`;
  if (!short.has(key)) {
    const found = glue.match(new RegExp(`^ +${what}: function`, 'gm'))?.length;
    if (found !== 1) throw new Error(`the glue holds the import ${what} ${found ?? 0} times`);
    short.set(key, short.size.toString(36));
    glue = glue
      .replace(new RegExp(`^( +)${what}(: function)`, 'm'), `$1"${short.get(key)}"$2`)
      .replace(`"${from}": import0`, '"g": import0');
  }
  return ['g', short.get(key)];
};
await writeFile(wasmOut, rewritten(await readFile(wasmIn), rename, dead));
await writeFile(glueOut, glue);
