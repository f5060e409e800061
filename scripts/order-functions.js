// Gives each function of a wasm a name that says its place, so that `wasm-opt --reorder-functions-by-name` puts functions that
// share code beside each other: brotli finds them cheaper (2.5 % of the pages' wasm). The linker's order depends on the folder
// that the pages are built in, and with it the size; this one depends on the functions alone.
//   node scripts/order-functions.js IN.wasm OUT.wasm
import { readFile, writeFile } from 'node:fs/promises';
import { CODE, CUSTOM, IMPORTS, list, name, number, section, sections } from './wasm-file.js';

/** Functions are compared by their runs of this many bytes, the shortest that tell instructions apart. */
const RUN = 4;
/** What more functions than this share tells nothing of them. */
const COMMON = 300;
const FUNCTION = 0;
const NAMES_OF_FUNCTIONS = 1;

/** The number of imported functions, which come before the file's own, and the bodies of its own. */
function functions(wasm) {
  let imported = 0;
  const bodies = [];
  for (const { id, body } of sections(wasm)) {
    if (id === IMPORTS) {
      for (let left = body.number(); left > 0; left--) {
        body.name();
        body.name();
        if (body.description()[0] === FUNCTION) imported++;
      }
    } else if (id === CODE) {
      for (let left = body.number(); left > 0; left--) bodies.push(body.take(body.number()));
    }
  }
  return { imported, bodies };
}

function runs(body) {
  const found = new Set();
  for (let at = 0; at + RUN <= body.length; at++) found.add(body.readUInt32LE(at));
  return found;
}

/** For each run that is in some functions but not in most: who has it, and how much sharing it says. */
function holders(all) {
  const found = new Map();
  all.forEach((runsOfOne, index) => {
    for (const run of runsOfOne) {
      if (!found.has(run)) found.set(run, []);
      found.get(run).push(index);
    }
  });
  for (const [run, who] of found) if (who.length < 2 || who.length > COMMON) found.delete(run);
  return found;
}

/** The functions' order: after each one the one that shares most with it, from the longest on. */
function order(bodies) {
  const all = bodies.map(runs);
  const shared = holders(all);
  const byLength = [...bodies.keys()].toSorted((a, b) => bodies[b].length - bodies[a].length || Buffer.compare(bodies[a], bodies[b]));
  const left = new Set(byLength);
  const nextOf = (current) => {
    const score = new Map();
    for (const run of all[current]) {
      const who = shared.get(run) ?? [];
      for (const other of who) if (left.has(other)) score.set(other, (score.get(other) ?? 0) + 1 / Math.sqrt(who.length));
    }
    let [best, most] = [undefined, 0];
    for (const [other, sum] of score) {
      const alike = sum / Math.sqrt(all[other].size + 20);
      if (alike > most) [best, most] = [other, alike];
    }
    return best ?? left.values().next().value;
  };
  const made = [];
  for (let current = byLength[0]; current !== undefined; current = nextOf(current)) {
    left.delete(current);
    made.push(current);
  }
  return made;
}

const [wasmIn, wasmOut] = process.argv.slice(2);
const wasm = await readFile(wasmIn);
const { imported, bodies } = functions(wasm);
const named = order(bodies)
  .map((index, place) => ({ index, place }))
  .toSorted((a, b) => a.index - b.index)
  .map(({ index, place }) => Buffer.concat([number(imported + index), name(String(place).padStart(6, '0'))]));
const names = Buffer.concat([name('name'), section(NAMES_OF_FUNCTIONS, list(named))]);
await writeFile(wasmOut, Buffer.concat([wasm, section(CUSTOM, names)]));
