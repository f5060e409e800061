// Options fitted to sizes: names are cut with an ellipsis, labels never lie on each other, small cards have no texts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fit, layout } from '../layout.js';
import { textWidth } from '../measure.js';

const LONG = 'Revenue of all orders that were placed in the shop or by telephone';
const width = (text) => textWidth(text, '12px Inter');
const legend = (data) => ({ data, tooltip: { show: false }, textStyle: {} });
/** An option of bars, with whatever else it has. @param {string[]} data @param {Record<string, any>} [more] @returns {any} */
const bars = (data, { horizontal = false, ...more } = {}) => {
  const [names, values] = [
    { type: 'category', data, axisLabel: {} },
    { type: 'value', axisLabel: {} },
  ];
  const [xAxis, yAxis] = horizontal ? [values, names] : [names, values];
  return { grid: { top: 8, right: 4 }, xAxis, yAxis, series: [{ type: 'bar', data: data.map(() => 1), label: { show: true } }], ...more };
};
const categories = Array.from({ length: 200 }, (_, at) => `Category ${at + 1}`);

test('a text is cut where it does not fit, and ends with an ellipsis', () => {
  assert.equal(fit('North', 100), 'North');
  const cut = fit(LONG, 100);
  assert.match(cut, /^Revenue.*\S…$/);
  assert.ok(width(cut) <= 100);
  assert.equal(fit('👩‍👩‍👧‍👦', 1), '…');
});

test('a legend cuts its long names and shows them whole in its tooltip', () => {
  const option = bars(['a'], { legend: legend(['North', LONG]) });
  layout(option, {}, 400, 300);
  assert.match(option.legend.formatter(LONG), /…$/);
  assert.deepEqual([option.legend.formatter('North'), option.legend.tooltip.show], ['North', true]);
  const short = bars(['a'], { legend: legend(['North', 'South']) });
  layout(short, {}, 400, 300);
  assert.equal(short.legend.tooltip.show, false);
});

test('a name beside a pie ends before its share', () => {
  const names = ['Dallas-Fort Worth International', 'Atlanta Hartsfield', "Chicago O'Hare International"];
  const option = { legend: legend(names), series: [{ type: 'pie', radius: ['0%', '92%'] }] };
  layout(option, { $round: { names, shares: ['21.9%', '40%', '38.1%'] } }, 370, 240);
  const { rich } = option.legend.textStyle;
  for (const name of names) {
    const [, shown, share] = /** @type {RegExpExecArray} */ (/^\{name\|(.*)\}\{share\|(.*)\}$/.exec(option.legend.formatter(name)));
    assert.ok(width(shown) <= rich.name.width, shown);
    assert.ok(width(share) <= rich.share.width, share);
  }
});

test('of many categories below a plot every nth is named, and no name is wider than its room', () => {
  for (const data of [categories, categories.map((name) => `${name} ${LONG}`)]) {
    const option = bars(data);
    layout(option, {}, 560, 372);
    const { interval, width: room } = option.xAxis.axisLabel;
    const band = (560 - 44) / 200;
    assert.ok(interval > 0 && room <= (interval + 1) * band - 8, `${room} px for every ${interval + 1} bands of ${band} px`);
    assert.ok(room >= 48, `${room} px`);
  }
});

test('names beside a plot keep a line each, and may stand out of the plot', () => {
  const option = bars(categories, { horizontal: true });
  layout(option, {}, 560, 372);
  const { interval } = option.yAxis.axisLabel;
  assert.ok(((interval + 1) * (372 - 36)) / 200 >= 15, `${interval}`);
  const { grid } = option;
  assert.deepEqual([grid.outerBoundsMode, grid.outerBounds.top < grid.top, grid.outerBounds.bottom < grid.bottom], ['auto', true, true]);
});

test('where labels of time are thinned, those of years stay', () => {
  const month = (at) => Date.UTC(2023, 9 + 3 * at, 1);
  const customValues = [0, 1, 2, 3, 4, 5, 6].map(month);
  const formatter = (at) => new Date(at).toISOString().slice(0, 7);
  const xAxis = { type: 'time', min: month(0), max: month(6), axisLabel: { customValues, formatter, anchor: 1 } };
  const option = { grid: {}, xAxis, yAxis: { type: 'value', axisLabel: {} }, series: [{ type: 'line', data: [] }] };
  layout(option, {}, 260, 200);
  assert.deepEqual(xAxis.axisLabel.customValues.map(formatter), ['2024-01', '2024-07', '2025-01']);
});

test('a radar keeps its size beside long names', () => {
  const indicator = [LONG, `${LONG}!`, 'North'].map((name) => ({ name }));
  const option = { radar: { indicator, axisName: {} }, series: [{ type: 'radar', data: [] }] };
  layout(option, { $radar: true }, 370, 312);
  assert.ok(option.radar.radius > 70, `${option.radar.radius}`);
  assert.match(option.radar.axisName.formatter(LONG), /…$/);
});

test('names of a flow share the gaps between its nodes', () => {
  const series = { type: 'sankey', label: {}, data: [{ name: 'a' }, { name: 'b' }], links: [{ source: 'a', target: 'b' }] };
  layout({ series: [series] }, { $ends: 2 }, 600, 300);
  assert.deepEqual([series.label.width, series.label.overflow], [134, 'truncate']);
});

test("a gauge's number fits into its arc", () => {
  const series = { progress: {}, axisLine: { lineStyle: {} }, axisLabel: {}, detail: { formatter: () => '$1,234,567,890' } };
  layout({ series: [series] }, { $dial: {} }, 160, 120);
  const inside = 2 * (series.radius - series.progress.width);
  assert.ok(textWidth('$1,234,567,890', `600 ${series.detail.fontSize}px Inter`) <= inside);
});

test('a small card has marks and no texts', () => {
  const plot = bars(['a', 'b'], { legend: legend(['a', 'b']), title: [{ text: 'Minutes' }], visualMap: {} });
  plot.series[0].data = [{ value: 1, label: { show: true } }, 2];
  layout(plot, {}, 124, 36);
  assert.deepEqual([plot.legend, plot.title, plot.visualMap.show], [undefined, undefined, false]);
  assert.deepEqual([plot.xAxis.axisLabel.show, plot.yAxis.axisLabel.show], [false, false]);
  assert.deepEqual([plot.series[0].label.show, plot.series[0].data[0].label.show], [false, false]);
  /** @type {any} */
  const pie = { legend: legend(['a', 'b']), series: [{ type: 'pie', radius: ['62%', '92%'], data: [{ value: 1 }] }] };
  layout(pie, { $round: { names: ['a', 'b'], shares: ['50%', '50%'] } }, 124, 36);
  const [inner, outer] = pie.series[0].radius;
  assert.ok(outer - inner > 3 && outer <= 18, `${inner} to ${outer}`);
  const map = { geo: { left: 16 }, series: [{ type: 'scatter', data: [{ value: [1, 2, 3], symbolSize: 30 }] }] };
  layout(map, { $land: 'us' }, 124, 36);
  assert.deepEqual([map.geo.left, map.series[0].data[0].symbolSize], [4, 10]);
});
