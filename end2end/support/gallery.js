// A dashboard with every type of chart: the samples of the chart crates' tests as tables of a database, the states of a chart,
// and a dashboard in Arabic. JSON is YAML.
import { readFileSync } from 'node:fs';

const SAMPLES = JSON.parse(readFileSync(new URL('../../crates/contract/tests/gallery.json', import.meta.url), 'utf8'));
const DECLARED = { date: 'date', timestamp: 'datetime' };

const table = (index) => `sample_${index}`;
const quoted = (name) => `"${name}"`;

/** A sample's rows as a table of the database. */
function stored({ data: { columns, rows } }) {
  const numeric = (at) => (rows.every((row) => row[at] === null || Number.isInteger(row[at])) ? 'integer' : 'real');
  const fields = columns.map(({ name, type }, at) => `${quoted(name)} ${type === 'number' ? numeric(at) : (DECLARED[type] ?? 'text')}`);
  return { fields, rows: rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at]]))) };
}

const MONTHS = Array.from({ length: 12 }, (_, month) => `2024-${String(month + 1).padStart(2, '0')}-01`);
const CITIES = ['الرياض', 'جدة', 'دبي', 'القاهرة', 'عمّان'];
const SALES = MONTHS.flatMap((month, m) =>
  CITIES.map((city, c) => ({
    month,
    city,
    revenue: 1000 * (c + 2) + 137 * ((m * (c + 3)) % 11),
    orders: 40 + 7 * ((m + 2 * c) % 9),
  })),
);

/** Table → its schema and rows. */
const TABLES = {
  ...Object.fromEntries(
    SAMPLES.flatMap((sample, index) => {
      const { fields, rows } = stored(sample);
      return fields.length > 0 ? [[table(index), [`create table ${table(index)} (${fields.join(', ')})`, rows]]] : [];
    }),
  ),
  sales: ['create table sales (month date, city text, revenue real, orders integer)', SALES],
};

function sampled({ definition: { title, type, encoding, options }, data: { columns } }, index) {
  const sql = columns.length > 0 ? { sql: `select ${columns.map(({ name }) => quoted(name)).join(', ')} from ${table(index)}` } : {};
  return { name: title, connection: 'gallery', type, ...sql, encoding, ...(options ? { options } : {}) };
}

const arabic = (name, type, sql, encoding, options = {}) => ({ name, connection: 'gallery', type, sql, encoding, options });
const MONTHLY = 'select month, sum(revenue) as revenue from sales group by month order by month';
const ARABIC = [
  arabic(
    'إيرادات الشهر',
    'number',
    MONTHLY,
    { value: 'revenue', x: 'month' },
    { format: { style: 'currency', currency: 'EUR', decimals: 0 } },
  ),
  arabic('التغيّر', 'number', 'select -3.2 as change', { value: 'change' }, { format: { unit: '%' } }),
  arabic('الإيرادات حسب الشهر', 'area', MONTHLY, { x: 'month', y: ['revenue'] }, { labels: { revenue: 'الإيرادات' } }),
  arabic(
    'المدن',
    'bar',
    'select city, sum(revenue) as revenue from sales group by city order by 2 desc',
    { x: 'city', y: ['revenue'] },
    { horizontal: true, labels: { revenue: 'الإيرادات' } },
  ),
  arabic('الطلبات', 'donut', 'select city, sum(orders) as orders from sales group by city order by 2 desc', {
    label: 'city',
    value: 'orders',
  }),
  arabic(
    'كل المدن',
    'table',
    'select city, sum(orders) as orders, sum(revenue) as revenue, max(month) as newest from sales group by city order by 3 desc',
    {},
    { labels: { city: 'المدينة', orders: 'الطلبات', revenue: 'الإيرادات', newest: 'أحدث شهر' }, heat: ['revenue'], total: true },
  ),
];

/** Charts without rows, with the reason. */
const STATES = [
  {
    name: 'Without rows',
    connection: 'gallery',
    type: 'bar',
    sql: 'select city, orders from sales where orders < 0',
    encoding: { x: 'city', y: ['orders'] },
  },
  { name: 'Locked', connection: 'gallery', type: 'line', sql: 'select city, orders from locked', encoding: { x: 'city', y: ['orders'] } },
  { name: 'Unfit', connection: 'gallery', type: 'pie', sql: 'select city, orders from sales', encoding: { label: 'city', value: 'gone' } },
  {
    name: 'Number without rows',
    connection: 'gallery',
    type: 'number',
    sql: 'select orders from sales where orders < 0',
    encoding: { value: 'orders' },
  },
];

/** The names of a dashboard's drawn charts. */
export const DRAWN = SAMPLES.map(({ definition }) => definition.title);
export const ARABIC_DASHBOARD = 'المبيعات';

const place = (charts, w, h) => charts.map(({ name }, i) => ({ chart: name, x: (i * w) % 12, y: h * Math.floor((i * w) / 12), w, h }));

function dashboards() {
  const sides = [
    [0, 0, 3, 3],
    [3, 0, 3, 3],
    [6, 0, 6, 7],
    [0, 3, 6, 8],
    [6, 7, 6, 7],
    [0, 11, 6, 6],
  ];
  const charts = ARABIC.map(({ name }, i) => ({ chart: name, x: sides[i][0], y: sides[i][1], w: sides[i][2], h: sides[i][3] }));
  return [
    { name: 'Gallery', default: true, charts: place(SAMPLES.map(sampled), 4, 7) },
    { name: 'States', charts: place(STATES, 4, 5) },
    {
      name: ARABIC_DASHBOARD,
      filters: [
        { key: 'city', label: 'المدينة', column: 'gallery.sales.city', control: 'select' },
        { key: 'month', label: 'الفترة', column: 'gallery.sales.month', control: 'date-range' },
      ],
      charts,
    },
  ];
}

function project(hostOrigin) {
  const open = Object.keys(TABLES).map((name) => ({ connection: 'gallery', table: name, rows: 'all' }));
  return {
    version: 1,
    project: { name: 'Gallery', allowedOrigins: [hostOrigin] },
    connections: [{ name: 'gallery', kind: 'sqlite', url: 'sqlite:gallery.db' }],
    tables: [...open, { connection: 'gallery', table: 'locked', rowRule: 'city = {{organization.nowhere}}' }],
    roles: [{ name: 'Editor', permissions: { addChart: true, createChart: true, editCharts: true, removeChart: true, drillDown: true } }],
    charts: [...SAMPLES.map(sampled), ...STATES, ...ARABIC],
    applications: [
      { name: 'Gallery', theme: { primary: '#0b5fff', background: '#ffffff' }, dashboards: dashboards() },
      { name: 'Gallery at night', theme: { primary: '#7aa2ff', background: '#0b1020' }, dashboards: dashboards() },
    ],
  };
}

const LOCKED = ['create table locked (city text, orders integer)', SALES.slice(0, 2).map(({ city, orders }) => ({ city, orders }))];

/** The project and its database, for `Service.start`. */
export const GALLERY = { project, databases: { 'gallery.db': { ...TABLES, locked: LOCKED } } };
