// The customers' data of the tests, and what each company must see of it, computed without the product's SQL.

import { readFile, writeFile } from 'node:fs/promises';
import initSqlJs from 'sql.js';

export const ACME = 'acme';
export const GLOBEX = 'globex';
const REGIONS = ['north', 'south', 'east', "o'west"];
const CATEGORIES = ['Books', 'Garden', 'Music'];
const DEPOTS = ['Kiel', 'Lyon', 'Porto'];
const MONTHS = 6;

// Amounts are multiples of 0.25, so that sums are exact in binary and can be compared with ===.
function ordersOf(company, first, share) {
  const orders = [];
  for (let i = 0; i < 120; i += 1) {
    const month = String((i % MONTHS) + 1).padStart(2, '0');
    const day = String(((i * 7) % 27) + 1).padStart(2, '0');
    orders.push({
      id: first + i,
      company,
      region: REGIONS[(i * share) % REGIONS.length],
      category: CATEGORIES[Math.floor(i / share) % CATEGORIES.length],
      amount: ((i * 37 * share) % 400) + 0.25 * (i % 4) + 1,
      quantity: (i % 9) + 1,
      placed_on: `2024-${month}-${day}`,
    });
  }
  return orders;
}

export const ORDERS = [...ordersOf(ACME, 1, 3), ...ordersOf(GLOBEX, 1001, 5)];
export const STOCK = [ACME, GLOBEX].flatMap((company, c) =>
  DEPOTS.map((depot, d) => ({ id: 10 * c + d, company, depot, units: 100 * (c + 1) + 10 * d })),
);
export const RATES = ['EUR', 'GBP', 'JPY'].map((currency, i) => ({ id: i, currency, rate: (i + 1) / 4 }));

/**
 * The orders that a user of a company may see, filtered by a region and by dates (`to` is exclusive).
 * @param {string} company @param {{ region?: string, from?: string, to?: string }} [filters]
 */
export function orders(company, { region, from, to } = {}) {
  return ORDERS.filter(
    (order) =>
      order.company === company &&
      (region === undefined || order.region === region) &&
      (from === undefined || order.placed_on >= from) &&
      (to === undefined || order.placed_on < to),
  );
}

const sum = (rows, column) => rows.reduce((total, row) => total + row[column], 0);

/** Rows grouped by columns, in the order of their keys: the keys, then the result of `measure` for the group. */
function grouped(rows, columns, measure) {
  const groups = new Map();
  for (const row of rows) {
    const key = JSON.stringify(columns.map((column) => row[column]));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, group]) => [...JSON.parse(key), measure(group)]);
}

/** The expected `Show data` of each chart by name, cell by cell. */
export const EXPECTED = {
  Revenue: (seen) => [[sum(seen.orders, 'amount')]],
  'Revenue by month': (seen) =>
    grouped(
      seen.orders.map((row) => ({ ...row, month: `${row.placed_on.slice(0, 7)}-01` })),
      ['month'],
      (group) => sum(group, 'amount'),
    ),
  'Revenue by region': (seen) => grouped(seen.orders, ['region'], (group) => sum(group, 'amount')),
  'Orders by category': (seen) => grouped(seen.orders, ['category'], (group) => group.length),
  'Region and category': (seen) => grouped(seen.orders, ['region', 'category'], (group) => sum(group, 'quantity')),
  'Stock by depot': (seen) => grouped(seen.stock, ['depot'], (group) => sum(group, 'units')),
  'Exchange rates': () => RATES.map(({ currency, rate }) => [currency, rate]),
};

/** The expected rows of a chart for a company's user with filters on the orders. */
export function expected(chart, company, filters) {
  return EXPECTED[chart]({ orders: orders(company, filters), stock: STOCK.filter((row) => row.company === company) });
}

/** Table → its schema and its rows. */
export const TABLES = {
  orders: [
    'create table orders (id integer primary key, company text, region text, category text, amount real, quantity integer, placed_on text)',
    ORDERS,
  ],
  stock: ['create table stock (id integer primary key, company text, depot text, units integer)', STOCK],
  rates: ['create table rates (id integer primary key, currency text, rate real)', RATES],
};

/** Writes a SQLite database. sql.js is SQLite as wasm, so a test machine needs none. */
export async function writeDatabase(path, tables) {
  const wasm = await readFile(new URL('../../node_modules/sql.js/dist/sql-wasm.wasm', import.meta.url));
  const { Database } = await initSqlJs({ wasmBinary: wasm });
  const database = new Database();
  for (const [table, [schema, rows]] of Object.entries(tables)) {
    database.run(schema);
    const insert = database.prepare(
      `insert into ${table} values (${Object.keys(rows[0])
        .map(() => '?')
        .join(', ')})`,
    );
    for (const row of rows) insert.run(Object.values(row));
    insert.free();
  }
  await writeFile(path, database.export());
  database.close();
}
