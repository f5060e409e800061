// Dashboards that are hard to lay out: long names, many values, few values, unusual values, small tiles.
import { GALLERY } from './gallery.js';

/** 200 characters in words. */
export const LONG = 'Revenue of all orders that were placed in the shop or by telephone '.repeat(4).slice(0, 199).concat('!');
/** 200 characters without a space. */
export const UNBROKEN = 'Donaudampfschifffahrtsgesellschaftskapitaen'.repeat(5).slice(0, 200);
export const ARABIC = 'إيرادات الشهر (2024) حسب المدينة';
export const HEBREW = 'הכנסות לפי עיר';
/** Emoji of several code points, combining characters, stacked accents. */
export const MARKS = 'Größe 👩‍👩‍👧‍👦 🇩🇪 👍🏽 ế̂ Z̴͑a̸͝l̷̇g̶̈o नमस्ते ไทย';

const TABLES = {};
const CHARTS = [];

/** A table of the database from rows that all have the keys of the first. */
function table(name, rows, types = {}) {
  const fields = Object.keys(rows[0]).map(
    (column) => `"${column}" ${types[column] ?? (typeof rows[0][column] === 'number' ? 'real' : 'text')}`,
  );
  TABLES[name] = [`create table ${name} (${fields.join(', ')})`, rows];
}

function chart(name, type, sql, encoding, options = undefined) {
  CHARTS.push({ name, connection: 'hard', type, ...(sql ? { sql } : {}), encoding, ...(options ? { options } : {}) });
  return name;
}

/** Charts in columns of equal width. */
const place = (charts, w, h) => charts.map((name, i) => ({ chart: name, x: (i * w) % 12, y: h * Math.floor((i * w) / 12), w, h }));

const NAMES = [LONG, UNBROKEN, ARABIC, HEBREW, MARKS, 'North'];
table(
  'named',
  NAMES.map((name, i) => ({ name, kind: NAMES[(i + 1) % NAMES.length], amount: 1200 - 170 * i, day: `2024-0${i + 1}-01` })),
);
table(
  'routes',
  NAMES.slice(0, 5).map((name, i) => ({ source: name, target: `${NAMES[(i + 2) % 6]}.`, amount: 10 + i })),
);

const NAMED = 'select name, amount from named';
const XY = { x: 'name', y: ['amount'] };
const PARTS = { label: 'name', value: 'amount' };
const LABELS = { labels: { amount: LONG } };
const names = [
  chart(LONG, 'bar', NAMED, XY, LABELS),
  chart(UNBROKEN, 'bar', NAMED, XY, { horizontal: true, ...LABELS }),
  chart(ARABIC, 'line', 'select day, name, amount from named', { x: 'day', y: ['amount'], series: 'name' }),
  chart(MARKS, 'donut', NAMED, PARTS),
  chart(`${HEBREW} 1`, 'pie', NAMED, PARTS),
  chart('Names in a table', 'table', 'select name, amount, kind from named', {}, { labels: { amount: LONG, kind: UNBROKEN }, total: true }),
  chart('Names in a pivot', 'pivot', 'select name, kind, amount from named', { rows: 'name', columns: 'kind', value: 'amount' }),
  chart('Names in a heatmap', 'heatmap', 'select name, kind, amount from named', { x: 'name', y: 'kind', value: 'amount' }),
  chart('Names in a treemap', 'treemap', NAMED, PARTS),
  chart('Names in a sunburst', 'sunburst', NAMED, PARTS),
  chart('Names in a funnel', 'funnel', NAMED, PARTS),
  chart('Names in flows', 'sankey', 'select source, target, amount from routes', { source: 'source', target: 'target', value: 'amount' }),
  chart('Names of a radar', 'radar', NAMED, XY),
  chart('Names of a waterfall', 'waterfall', NAMED, { x: 'name', y: 'amount' }),
  chart('Names of a text', 'text', null, { markdown: `${LONG}\n\n${UNBROKEN}\n\n# ${ARABIC}\n\n${MARKS}\n\n- ${UNBROKEN}` }),
  chart('Names off the map', 'map', NAMED, { region: 'name', value: 'amount' }),
];

const money = { format: { style: 'currency', currency: 'EUR' } };
const number = (name, value, options = undefined, compare = 'null') =>
  chart(
    name,
    'number',
    `select ${value} as value, ${compare} as before`,
    compare === 'null' ? { value: 'value' } : { value: 'value', compare: 'before' },
    options,
  );
const HUGE = '123456789012345';
table(
  'courses',
  Array.from({ length: 12 }, (_, i) => ({ month: `2024-${String(i + 1).padStart(2, '0')}-01`, value: 123456789012345 - i * 1e13 })),
);
const numbers = [
  number('15 digits', HUGE),
  number('15 digits of money', HUGE, money),
  number('15 digits, negative', `-${HUGE}`, money, '987654321098765'),
  number('15 digits with decimals', '123456789012.345', { format: { decimals: 3, unit: 'kWh' } }),
  number('Negative', '-1234.5', money, '1234.5'),
  number('Zero', '0', undefined, '0'),
  number('Null', 'null'),
  number('Null against a number', 'null', undefined, '12'),
  number('A number against null', '12', undefined, 'nullif(1, 1)'),
  number('Tiny', '0.000000123'),
  number(`Number: ${LONG}`.slice(0, 200), '42', { format: { unit: 'orders per week' } }),
  number('نسبة الدقة', '-3.2', { format: { unit: '%' } }),
];
const courses = [
  chart('15 digits with their course', 'number', 'select month, value from courses', { value: 'value', x: 'month' }, money),
  chart('One point of a course', 'number', 'select month, value from courses limit 1', { value: 'value', x: 'month' }),
];

table(
  'days',
  Array.from({ length: 60 }, (_, i) => ({ day: `${1700 + 5 * i}-03-01`, value: 100 + 13 * (i % 17) })),
  { day: 'date' },
);
table(
  'april',
  Array.from({ length: 14 }, (_, i) => ({ day: `1865-04-${String(i + 1).padStart(2, '0')}`, value: 20 + ((i * 5) % 9) })),
  { day: 'date' },
);
const ONE = "select 'Only' as name, 12 as value, '2024-03-01' as day, 4 as size";
const TYPES = {
  line: { x: 'day', y: ['value'] },
  area: { x: 'day', y: ['value'] },
  bar: { x: 'name', y: ['value'] },
  combo: { x: 'name', y: ['value', 'size'] },
  radar: { x: 'name', y: ['value'] },
  pie: { label: 'name', value: 'value' },
  donut: { label: 'name', value: 'value' },
  funnel: { label: 'name', value: 'value' },
  treemap: { label: 'name', value: 'value' },
  sunburst: { label: 'name', value: 'value' },
  scatter: { x: 'size', y: ['value'] },
  bubble: { x: 'size', y: ['value'], size: 'size' },
  heatmap: { x: 'name', y: 'day', value: 'value' },
  calendar: { date: 'day', value: 'value' },
  gauge: { value: 'value', max: 20 },
  boxplot: { x: 'name', y: 'value' },
  histogram: { x: 'value' },
  waterfall: { x: 'name', y: 'value' },
  table: {},
  pivot: { rows: 'name', columns: 'day', value: 'value' },
};
const each = (label, sql, types = Object.entries(TYPES)) =>
  types.map(([type, encoding]) => chart(`${label}: ${type}`, type, sql, encoding));
const one = each('One row', ONE);
const none = each('No row', 'select name, amount as value, day, amount as size from named where amount < 0');
const nulls = each(
  'All null',
  "select name, nullif(amount, amount) as value, day, nullif(amount, amount) as size from named where name = 'North' or amount < 700",
);
const old = [
  chart('Years since 1700', 'line', 'select day, value from days', { x: 'day', y: ['value'] }),
  chart('Bars since 1700', 'bar', 'select day, value from days', { x: 'day', y: ['value'] }),
  chart('Days of 1865', 'area', 'select day, value from april', { x: 'day', y: ['value'] }),
  chart('Old days in a table', 'table', 'select day, value from days', {}, { pageSize: 10 }),
];

const WIDE = Array.from({ length: 12 }, (_, i) => `Column ${i + 1} with a name of some length`);
table(
  'wide',
  Array.from({ length: 30 }, (_, row) =>
    Object.fromEntries(
      WIDE.map((name, i) => [name, i % 3 === 0 ? `Text ${row} of a cell that is rather long` : row * 1e9 + i * 12345.678]),
    ),
  ),
);
table(
  'slices',
  Array.from({ length: 40 }, (_, i) => ({ name: `Slice number ${i + 1}`, amount: 400 - 9 * i })),
);
table(
  'categories',
  Array.from({ length: 200 }, (_, i) => ({ name: `Category ${i + 1}`, amount: 100 + ((i * 37) % 91) })),
);
table(
  'choices',
  Array.from({ length: 1000 }, (_, i) => ({
    value: `Value ${String(i + 1).padStart(4, '0')}${i % 100 === 0 ? ` ${LONG}` : ''}`,
    amount: i + 1,
  })),
  {
    amount: 'integer',
  },
);
table(
  'series',
  Array.from({ length: 360 }, (_, i) => ({
    month: `2024-${String((i % 12) + 1).padStart(2, '0')}-01`,
    name: `Series ${Math.floor(i / 12) + 1}`,
    amount: 50 + Math.floor(i / 12) * 20 + ((i * 7) % 31),
  })),
);
const many = [
  chart('A table of 12 wide columns', 'table', 'select * from wide', {}, { total: true }),
  chart('A pie of 40 slices', 'pie', 'select name, amount from slices', PARTS),
  chart('A donut of 40 slices', 'donut', 'select name, amount from slices', PARTS),
  chart('Bars of 200 categories', 'bar', 'select name, amount from categories', XY),
  chart('200 categories across', 'bar', 'select name, amount from categories', XY, { horizontal: true }),
  chart('Lines of 30 series', 'line', 'select month, name, amount from series', { x: 'month', y: ['amount'], series: 'name' }),
  chart(
    'Bars of 30 series',
    'bar',
    'select month, name, amount from series',
    { x: 'month', y: ['amount'], series: 'name' },
    { stacked: true },
  ),
  chart('A heatmap of 12 × 30', 'heatmap', 'select month, name, amount from series', { x: 'month', y: 'name', value: 'amount' }),
  chart('Sum of the values', 'number', 'select sum(amount) as amount from choices', { value: 'amount' }),
  chart('A treemap of 200', 'treemap', 'select name, amount from categories', PARTS),
];

const sixty = Array.from({ length: 60 }, (_, i) =>
  chart(
    `Chart ${i + 1}`,
    i % 4 === 3 ? 'number' : ['line', 'bar', 'area'][i % 4],
    `select month, sum(amount) + ${i} as amount from series group by month`,
    {
      ...(i % 4 === 3 ? { value: 'amount' } : { x: 'month', y: ['amount'] }),
    },
  ),
);

const GALLERY_PROJECT = GALLERY.project('');
const samples = GALLERY_PROJECT.charts.filter(({ name }) =>
  GALLERY_PROJECT.applications[0].dashboards[0].charts.some((one) => one.chart === name),
);
CHARTS.push(...samples.map((sample) => ({ ...sample, connection: 'gallery' })));

const filters = [
  { key: 'name', label: LONG, column: 'hard.named.name', control: 'select' },
  { key: 'unbroken', label: UNBROKEN, column: 'hard.named.kind', control: 'select' },
  { key: 'day', label: `${MARKS} ${ARABIC}`, column: 'hard.named.day', control: 'text' },
  { key: 'amount', label: ARABIC, column: 'hard.named.amount', control: 'number-range' },
];

/** The dashboards by a short name. */
export const DASHBOARDS = {
  names: { name: LONG, default: true, filters, charts: place(names, 4, 7) },
  unbroken: { name: UNBROKEN, charts: [] },
  numbers: { name: 'Numbers', charts: [...place(numbers, 3, 3), ...place(courses, 3, 4).map((one) => ({ ...one, y: 9 }))] },
  one: { name: 'One row', charts: place(one, 3, 5) },
  none: { name: 'No row', charts: place(none, 3, 5) },
  nulls: { name: `All null ${MARKS}`, charts: place(nulls, 3, 5) },
  old: { name: ARABIC, charts: place(old, 6, 7) },
  many: {
    name: 'Many',
    filters: [{ key: 'value', label: 'Value', column: 'hard.choices.value', control: 'select' }],
    charts: place(many, 6, 8),
  },
  sixty: { name: 'Sixty charts', charts: place(sixty, 3, 4) },
  small: { name: 'Small', charts: place([...samples.map(({ name }) => name), ...numbers.slice(0, 3), numbers[4]], 2, 2) },
};

function project(hostOrigin) {
  const gallery = GALLERY_PROJECT.tables.filter((one) => 'rows' in one);
  return {
    version: 1,
    project: { name: 'Hard states', allowedOrigins: [hostOrigin] },
    connections: [
      { name: 'hard', kind: 'sqlite', url: 'sqlite:hard.db' },
      { name: 'gallery', kind: 'sqlite', url: 'sqlite:gallery.db' },
    ],
    tables: [...Object.keys(TABLES).map((name) => ({ connection: 'hard', table: name, rows: 'all' })), ...gallery],
    charts: CHARTS,
    applications: [{ name: 'Hard', theme: { primary: '#0b5fff', background: '#ffffff' }, dashboards: Object.values(DASHBOARDS) }],
  };
}

/** The project and its databases, for `Service.start`. */
export const HARD = { project, databases: { 'hard.db': TABLES, ...GALLERY.databases } };
