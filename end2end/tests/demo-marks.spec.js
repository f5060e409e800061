// The rows behind the demo's marks: only the airport's own flights, and as many as the mark shows.
import { Dashboard } from '../support/dashboard.js';
import { test } from '../support/demo-fixtures.js';
import { expect, hydrated } from '../support/fixtures.js';

/** Charts whose row is a single record, not a group: their rows are counted. */
const LISTS = ['How late flights are', 'Longest delays'];
/** Charts whose row is computed from numbers of its day: its column, and the computation. */
const OF_A_DAY = {
  'Flights per day': ['flights', ({ flights }) => flights],
  'Departures, 30 days': ['flights', ({ flights }) => flights],
  'Share on time, 30 days': ['on_time_share', ({ on_time_share }) => on_time_share],
  'Mean delay, 30 days': ['mean_delay', ({ mean_delay }) => mean_delay],
  'Over 1 h late, 30 days': ['very_late', ({ very_late }) => very_late],
};

/** Calls the service like the page of an airport's analyst. */
async function asking(demo, airport) {
  const { token, embedUrl } = await demo.session(airport, 'analyst');
  const application = embedUrl.match(/application\/([0-9a-f-]+)/)[1];
  const ask = async (path, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(demo.service.url + path, { method: body ? 'POST' : 'GET', headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  const scope = { application, timezone: 'UTC', locale: 'en' };
  const {
    data: { dashboards },
  } = await ask(`/v2/api/applications/${application}/dashboards`);
  const tiles = async ({ id }) => {
    const { content } = await ask('/share/fn/open-dashboard', { request: { scope, dashboard: id, filters: {} } });
    return content.dashboard.tiles.map((tile) => ({ ...tile, dashboard: id }));
  };
  const charts = (await Promise.all(dashboards.map(tiles))).flat().filter(({ face }) => face.type !== 'text');
  const rows = async ({ id, dashboard }) =>
    (await ask('/share/fn/tile-data', { request: { scope, dashboard, chart: id, filters: {} } })).content.ready.data;
  const drill = ({ id, dashboard }, row, by) =>
    ask('/share/fn/drill-down', { request: { tile: { scope, dashboard, chart: id, filters: {} }, mark: { row }, by } });
  const insight = async ({ dashboard }, message) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ scope, dashboard, filters: {}, task: 'insight', message });
    return (await fetch(`${demo.service.url}/share/assistant`, { method: 'POST', headers, body })).text();
  };
  return { charts, rows, drill, insight };
}

/** For many rows, the first, the last and some between. */
const some = (count) =>
  [...new Set([0, 1, Math.floor(count / 3), Math.floor(count / 2), count - 1])].filter((row) => row >= 0 && row < count);

test('every chart’s rows add up to what its mark shows, and are the airport’s own', async ({ demo }) => {
  test.setTimeout(240_000);
  const { charts, rows, drill } = await asking(demo, 'BOS');
  expect(charts.length).toBe(22);
  for (const chart of charts) {
    const name = chart.face.title;
    const data = await rows(chart);
    expect(data.rows.length, name).toBeGreaterThan(0);
    for (const row of some(data.rows.length)) {
      if (LISTS.includes(name)) {
        const { data: behind } = await drill(chart, row, null);
        expect(behind.rows.length, `${name} ${row}`).toBeGreaterThan(0);
        continue;
      }
      const { data: behind } = await drill(chart, row, 'origin');
      expect(
        behind.rows.map(([origin]) => origin),
        `${name} ${row}`,
      ).toEqual(['BOS']);
      const shown = Object.fromEntries(data.columns.map((column, at) => [column.name, data.rows[row][at]]));
      const found = Object.fromEntries(behind.columns.map((column, at) => [column.name, behind.rows[0][at]]));
      if (OF_A_DAY[name]) {
        const [column, made] = OF_A_DAY[name];
        expect(made(found), `${name} ${row}`).toBeCloseTo(shown[column], 6);
        continue;
      }
      const measures = behind.columns.slice(1).map((column) => column.name);
      for (const measure of measures) expect(found[measure], `${name} ${row} ${measure}`).toEqual(shown[measure]);
    }
  }
});

test('Enter on a row of a chart that gathers by what it works out lists its flights, by the day and by the words on its marks', async ({
  page,
  demo,
}) => {
  await page.goto(`${demo.host}/?airport=BOS&user=analyst`);
  const frame = await (await page.locator('iframe[title="Analytics of BOS"]').elementHandle()).contentFrame();
  await hydrated(frame);
  const dashboard = new Dashboard(frame);
  await dashboard.drawn();
  const dialog = frame.getByRole('dialog', { name: 'Drill down' });
  const late = (await dashboard.rows('Arrivals by delay')).find(([arrival]) => arrival === '60+ min');
  await dashboard
    .table('Arrivals by delay')
    .getByRole('row', { name: /^60\+ min/ })
    .focus();
  await page.keyboard.press('Enter');
  const listed = dialog.getByRole('table', { name: 'Arrivals by delay rows' });
  await expect(listed).toBeVisible();
  const delays = await listed
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => /** @type {HTMLElement} */ (cell).dataset.value)));
  // A table shows 500 rows at once.
  expect(delays.length).toBe(Math.min(500, late[1]));
  const titles = await listed.getByRole('columnheader').allInnerTexts();
  const [delay, origin] = [titles.indexOf('Delay'), titles.indexOf('From')];
  expect(delays.every((row) => Number(row[delay]) >= 60 && row[origin] === 'BOS')).toBe(true);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  const [[day, flights]] = await dashboard.rows('Flights per day');
  await dashboard.table('Flights per day').locator('tbody tr').first().focus();
  await page.keyboard.press('Enter');
  const ofDay = dialog.getByRole('table', { name: 'Flights per day rows' }).locator('tbody tr');
  await expect(ofDay).toHaveCount(Math.min(500, flights));
  await expect(dialog.locator('.chip').filter({ hasText: day })).toHaveCount(1);
});

/**
 * The demo's heatmap after the browser has drawn it: its box, and the dialog that a click on it opens. The server's
 * drawing has no click handler.
 */
async function heatmap(page, demo) {
  await page.goto(`${demo.host}/?airport=BOS&user=analyst`);
  const frame = await (await page.locator('iframe[title="Analytics of BOS"]').elementHandle()).contentFrame();
  await hydrated(frame);
  const dashboard = new Dashboard(frame);
  await dashboard.drawn();
  const chart = dashboard.chart('Delay by weekday and hour');
  await chart.hover();
  await expect(chart.locator('.plot > svg')).toHaveCount(0);
  return {
    frame,
    plot: chart.locator('.plot'),
    box: await chart.locator('.plot').boundingBox(),
    dialog: frame.getByRole('dialog', { name: 'Drill down' }),
  };
}

test('a click on a cell of a heatmap tells its row and its column', async ({ page, demo }) => {
  const { plot, box, dialog } = await heatmap(page, demo);
  await plot.click({ position: { x: box.width / 2, y: box.height / 2 } });
  await expect(dialog.getByRole('table')).toBeVisible();
  await expect(dialog.locator('.chip').filter({ hasText: /^hour(0[6-9]|1\d|2[0-2])$/ })).toHaveCount(1);
  await expect(dialog.locator('.chip').filter({ hasText: /^weekday(Mon|Tue|Wed|Thu|Fri|Sat|Sun)$/ })).toHaveCount(1);
});

test('a click counts though its mark is put anew between press and release', async ({ page, demo }) => {
  const { frame, box, dialog } = await heatmap(page, demo);
  const point = async (across) => {
    await page.mouse.move(box.x + box.width / 2 + across, box.y + box.height / 2);
    await frame.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  };
  await point(0);
  await page.mouse.down();
  await point(60);
  await point(0);
  await page.mouse.up();
  await expect(dialog.getByRole('table')).toBeVisible();
});

test('what a mark asks the sidebar is understood', async ({ demo }) => {
  test.setTimeout(240_000);
  const { charts, rows, drill, insight } = await asking(demo, 'BOS');
  const questions = new Map();
  for (const chart of charts) {
    const { rows: all } = await rows(chart);
    for (const row of some(all.length).slice(0, 2)) {
      const { why } = await drill(chart, row).catch(() => ({ why: undefined }));
      if (why) questions.set(why, chart);
    }
  }
  expect(questions.size).toBeGreaterThan(4);
  const refused = [];
  for (const [question, chart] of questions) {
    const told = await insight(chart, question);
    // Where a period has no rows, that is the answer.
    if (!/changed: .* compared with|nothing to compare/.test(told)) refused.push(`${question} ${told}`);
  }
  expect(refused).toEqual([]);
});
