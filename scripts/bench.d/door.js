// The cost of the query engine, on 3,000,000 flights in a temporary PostgreSQL.
import { execFile } from 'node:child_process';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const FLIGHTS = resolve(ROOT, '../shared/data/flights-3m.parquet');

/** The flights as CSV: DuckDB reads Parquet, PostgreSQL does not. */
async function asCsv(folder) {
  const reader = join(process.env.INLAY_TOOLS ?? '', 'parquet-reader/node_modules/@duckdb/node-api/lib/index.js');
  const { DuckDBInstance } = await import(pathToFileURL(reader).href);
  const file = join(folder, 'flights.csv');
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(`COPY (SELECT * FROM '${FLIGHTS}') TO '${file}' (FORMAT csv, HEADER)`);
  return file;
}

const added = ({ bareMs, addedMs }) => `${addedMs.toFixed(2)} ms more, ${((100 * addedMs) / bareMs).toFixed(1)} %`;

/** The engine's time compared with the same SQL by hand, its time for cached results, and the load of many viewers on the source. */
export async function door({ programs }) {
  if (
    !(await access(FLIGHTS).then(
      () => true,
      () => false,
    ))
  ) {
    return { 'the door to customers’ databases': `not measured: there is no ${FLIGHTS}` };
  }
  const folder = await mkdtemp(join(tmpdir(), 'inlay-flights-'));
  try {
    const { stdout } = await run(join(ROOT, 'scripts/with-postgres'), [programs.door, await asCsv(folder)]);
    const { queries, cached, viewers } = JSON.parse(stdout);
    const table = {};
    for (const query of queries)
      table[`door, ${query.name}`] = `${query.doorMs.toFixed(2)} ms beside ${query.bareMs.toFixed(2)} ms by hand (${added(query)})`;
    table['door, a remembered answer'] = `p50 ${cached.p50Ms.toFixed(3)} ms, p99 ${cached.p99Ms.toFixed(3)} ms`;
    const { runs, contexts } = viewers;
    table[`door, ${viewers.viewers} viewers of ${viewers.queries} charts, ${contexts} sets of rights`] =
      `${runs} runs in the source for ${viewers.answers} answers, in ${viewers.seconds} s`;
    return table;
  } finally {
    await rm(folder, { recursive: true });
  }
}
