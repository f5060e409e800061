// The project file that the tests apply (docs/spec/contract.md, section 8). JSON is YAML.

const SHARED_DASHBOARD = 'Overview';

/** @returns {{ name: string, connection: string, type: string, sql: string, encoding?: object }} */
function chart(name, type, sql, encoding, connection = 'warehouse') {
  return { name, connection, type, sql, encoding };
}

const CHARTS = [
  chart('Revenue', 'number', 'select sum(amount) as revenue from orders', { value: 'revenue' }),
  chart(
    'Revenue by month',
    'line',
    "select strftime('%Y-%m-01', placed_on) as month, sum(amount) as revenue from orders group by 1 order by 1",
    { x: 'month', y: ['revenue'] },
  ),
  chart('Revenue by region', 'bar', 'select region, sum(amount) as revenue from orders group by region order by region', {
    x: 'region',
    y: ['revenue'],
  }),
  chart('Orders by category', 'donut', 'select category, count(*) as orders from orders group by category order by category', {
    label: 'category',
    value: 'orders',
  }),
  chart(
    'Region and category',
    'heatmap',
    'select region, category, sum(quantity) as pieces from orders group by region, category order by region, category',
    { x: 'region', y: 'category', value: 'pieces' },
  ),
  chart('Amount and quantity', 'scatter', 'select quantity, amount from orders order by id', { x: 'quantity', y: ['amount'] }),
  chart('Stock by depot', 'bar', 'select depot, sum(units) as units from stock group by depot order by depot', {
    x: 'depot',
    y: ['units'],
  }),
  chart('Exchange rates', 'bar', 'select currency, rate from rates order by currency', { x: 'currency', y: ['rate'] }),
  chart('Largest orders', 'table', 'select id, region, category, amount, placed_on from orders order by amount desc, id limit 25', {}),
  chart('Fragile rates', 'bar', 'select currency, rate from rates order by currency', { x: 'currency', y: ['rate'] }, 'fragile'),
];

/** Charts that read `orders`. Both filters of the Overview affect them. */
export const FILTERED = [
  'Revenue',
  'Revenue by month',
  'Revenue by region',
  'Orders by category',
  'Region and category',
  'Amount and quantity',
];
/** Charts of the Overview that no filter affects. */
export const UNFILTERED = ['Stock by depot', 'Exchange rates'];

const FILTERS = [
  { key: 'region', label: 'Region', column: 'warehouse.orders.region', control: 'select' },
  { key: 'period', label: 'Period', column: 'warehouse.orders.placed_on', control: 'date-range' },
];

/** @returns {{ name: string, charts: object[], filters?: object[] }} */
function dashboard(name, charts, rest = {}) {
  return { name, ...rest, charts: charts.map((one, i) => ({ chart: one, x: 6 * (i % 2), y: 6 * Math.floor(i / 2), w: 6, h: 6 })) };
}

function dashboards() {
  return [
    dashboard(SHARED_DASHBOARD, [...FILTERED, ...UNFILTERED], { default: true, filters: FILTERS }),
    dashboard('Details', ['Largest orders', 'Revenue by month']),
    dashboard('Fragile', ['Fragile rates', 'Revenue']),
  ];
}

/** What the table of orders adds to the semantic model. */
const MODEL = {
  key: 'id',
  time: 'placed_on',
  columns: { region: {} },
  measures: {
    revenue: { aggregate: 'sum', of: 'amount', label: 'Revenue', format: { style: 'currency', currency: 'EUR' } },
    orders: { aggregate: 'count' },
  },
};

/** Roles by name. Each tests one thing. */
const ROLES = {
  Editor: { addChart: true, addFilter: true, editCharts: true, removeChart: true, addDashboard: true, canDuplicateDashboard: true },
  'SQL author': { createChart: true, createChartSQL: true, editCharts: true },
  Driller: { drillDown: true },
  Describer: { addChart: true, createChart: false, editCharts: true, removeChart: true, aiCharts: true, aiInsight: true },
  Insider: { aiInsight: true },
  Reader: { enableScheduleReport: true },
  'Without downloads': { hideDownloadButton: true },
  'Without tabs': { disableTabs: true },
  'Without header': { hideHeader: true },
  'Without filters': { hideFilters: true },
};

/** The project. `hostOrigin` may embed it. */
export function project(hostOrigin) {
  return {
    version: 1,
    project: { name: 'Browser tests', allowedOrigins: [hostOrigin] },
    connections: [
      { name: 'warehouse', kind: 'sqlite', url: 'sqlite:warehouse.db' },
      { name: 'fragile', kind: 'sqlite', url: 'sqlite:fragile.db' },
    ],
    tables: [
      { connection: 'warehouse', table: 'orders', rowRule: 'company = {{organization.company}}', ...MODEL },
      { connection: 'warehouse', table: 'stock', rowRule: 'company = {{organization.company}}' },
      { connection: 'warehouse', table: 'rates', rows: 'all' },
      { connection: 'fragile', table: 'rates', rows: 'all' },
    ],
    roles: Object.entries(ROLES).map(([name, permissions]) => ({ name, permissions })),
    charts: CHARTS,
    workspaces: [
      { name: 'Ask the shop', connection: 'warehouse', publish: true, exampleQuestions: ['How many orders?', 'orders by region'] },
      { name: 'Draft', connection: 'warehouse' },
    ],
    applications: [
      { name: 'Shop', workspace: 'Ask the shop', theme: { primary: '#0b5fff', background: '#ffffff' }, dashboards: dashboards() },
      { name: 'Shop at night', theme: { primary: '#7aa2ff', background: '#0b1020' }, dashboards: dashboards() },
    ],
  };
}
