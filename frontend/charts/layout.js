// The parts of an option that depend on the chart's size: which labels fit, where legends are, the size of round charts. Server
// and browser measure text alike (`measure.js`), so charts of the same size have the same geometry on both.

import { textWidth } from './measure.js';

const LABEL = '12px Inter';
/** The approximate width of a value axis with its labels. */
const AXIS_ROOM = 44;
const LEGEND_LINE = 12;
const LEGEND_GAP = 14;

const clamp = (value, least, most) => Math.max(least, Math.min(most, value));
const list = (value) => (Array.isArray(value) ? value : value ? [value] : []);
const widest = (texts, font = LABEL) => texts.reduce((most, text) => Math.max(most, textWidth(text, font)), 0);

/** The number of lines of a legend at a width. Its entries wrap like words. */
function legendLines(names, width) {
  let lines = 1;
  let used = 0;
  for (const name of names) {
    const entry = 10 + 5 + textWidth(name, LABEL);
    if (used > 0 && used + LEGEND_GAP + entry > width) {
      lines += 1;
      used = entry;
    } else used += (used > 0 ? LEGEND_GAP : 0) + entry;
  }
  return lines;
}

/** Limits the legend to two lines, or one on a low card, with paging. Returns its height with the gap below. */
function placeLegend(legend, width, height) {
  if (!legend) return 0;
  const most = height < 170 ? 1 : 2;
  const lines = legendLines(legend.data, width);
  if (lines > most) {
    legend.type = 'scroll';
    legend.width = width;
  }
  const shown = lines > most ? 1 : lines;
  return shown * LEGEND_LINE + (shown - 1) * LEGEND_GAP + 14;
}

/** Keeps every nth label if all of them would overlap. */
function thin(axis, room) {
  const ticks = axis.axisLabel.customValues;
  if (!ticks || ticks.length < 2) return;
  const format = axis.axisLabel.formatter;
  const shown = (tick) => String(format ? format(axis.type === 'category' ? axis.data[tick] : tick) : tick);
  const span = axis.type === 'category' ? axis.data.length : axis.max - axis.min || 1;
  const spacing = ((ticks[1] - ticks[0]) / span) * room;
  const step = Math.max(1, Math.ceil((widest(ticks.map(shown)) + 12) / Math.max(spacing, 1)));
  axis.axisLabel.customValues = ticks.filter((_, at) => at % step === 0);
}

/** Category labels below a plot: all of them if they fit, otherwise cut, rotated, or every nth. */
function namesBelow(axis, room) {
  const label = axis.axisLabel;
  if (label.show === false || !axis.data) return;
  if (label.customValues) return thin(axis, room);
  const band = room / Math.max(axis.data.length, 1);
  const width = widest(axis.data);
  if (width + 8 <= band) label.interval = 0;
  else if (
    widest(axis.data.flatMap((name) => name.split(' '))) + 6 <= band &&
    axis.data.every((name) => textWidth(name, LABEL) < band * 1.7)
  )
    Object.assign(label, { interval: 0, width: band - 4, overflow: 'break', hideOverlap: false });
  else if (band >= 48) Object.assign(label, { interval: 0, width: band - 6, overflow: 'truncate', hideOverlap: false });
  else if (band >= 15) Object.assign(label, { interval: 0, rotate: 45, width: 88, overflow: 'truncate', hideOverlap: false });
}

/** Category labels beside a plot, cut to about a third of the width. */
function namesBeside(axis, width, room) {
  const label = axis.axisLabel;
  if (label.customValues) return;
  Object.assign(label, { width: Math.min(widest(axis.data) + 1, width * 0.38), overflow: 'truncate' });
  if (room / Math.max(axis.data.length, 1) >= 15) label.interval = 0;
}

/** Removes values beside bars if they would overlap. */
function valuesBeside(series, bars, room) {
  if (!series.label?.show || series.type !== 'bar' || typeof series.label.formatter !== 'function') return;
  const texts = series.data.map((one) => series.label.formatter({ value: one?.value ?? one, data: one })).filter(Boolean);
  const band = room / Math.max(series.data.length, 1) / (series.stack ? 1 : bars);
  if (widest(texts) + 4 > band) series.label.show = false;
}

/** Leaves space after horizontal bars for their values. */
function endLabels(option, width) {
  const texts = option.series
    .filter(({ label }) => label?.show && label.position === 'right')
    .flatMap(({ data, label }) => data.map((one) => (one?.label ?? label).formatter?.({ value: one?.value ?? one, data: one }) ?? ''));
  const room = widest(texts);
  if (room > 0) option.grid.right = Math.min(room + 12, width * 0.4);
}

function cartesian(option, width, height) {
  const top = placeLegend(option.legend, width, height);
  const title = list(option.title)[0];
  if (title) title.top = top + 4;
  const scale = option.visualMap ? 28 : 0;
  option.grid.top = top + (title ? 26 : 0) + scale || 10;
  const right = list(option.yAxis).length > 1 ? AXIS_ROOM : 0;
  const across = Math.max(width - AXIS_ROOM - right, 40);
  const down = Math.max(height - option.grid.top - 28, 20);
  for (const axis of list(option.xAxis)) {
    if (axis.type === 'category') namesBelow(axis, across);
    else if (axis.type === 'time') thin(axis, across);
    else if (axis.interval == null) axis.splitNumber = clamp(Math.round(across / 90), 2, 6);
    else if (across < 280) axis.interval *= 2;
  }
  const lying = list(option.yAxis)[0].type === 'category';
  const bars = option.series.filter(({ type }) => type === 'bar').length;
  if (lying) endLabels(option, width);
  else for (const series of option.series) valuesBeside(series, bars, across);
  for (const axis of list(option.yAxis)) {
    if (axis.type === 'category') namesBeside(axis, width, down);
    else if (axis.type === 'value' && axis.interval != null) axis.interval = down < 120 ? 0.5 : axis.interval;
    else if (axis.type === 'value') axis.splitNumber = clamp(Math.round(down / 52), 1, 4);
  }
}

/** A pie with its legend beside it on wide cards, otherwise below. */
function round(option, spec, width, height) {
  const [series] = option.series;
  const { names, shares } = spec.$round;
  const legend = option.legend;
  const place = (diameter, x, y) => {
    const thick = Array.isArray(series.radius) && series.radius[0] !== '0%';
    series.radius = [thick ? diameter * 0.33 : 0, diameter / 2 - 5];
    series.center = [x, y];
    const title = list(option.title)[0];
    if (title && diameter < 130) delete option.title;
    else if (title) Object.assign(title, { left: x, top: y - 20, textAlign: 'center' });
  };
  if (!legend) return place(Math.min(width, height), width / 2, height / 2);
  const share = widest(shares) + 2;
  const most = widest(names) + 6;
  const free = width - Math.min(height, width * 0.5) - share - 67;
  const beside = width >= height * 1.25 && free >= Math.min(most, 64);
  if (!beside) {
    const lines = Math.min(legendLines(names, width), 2);
    const room = lines * LEGEND_LINE + (lines - 1) * LEGEND_GAP + 12;
    Object.assign(legend, { top: 'auto', bottom: 4, left: 'center', type: legendLines(names, width) > 2 ? 'scroll' : 'plain' });
    return place(Math.min(width, height - room), width / 2, (height - room) / 2);
  }
  const diameter = Math.min(height, width * 0.5);
  const name = Math.min(most, free);
  const block = diameter + 28 + 15 + name + share;
  const left = Math.max((width - block) / 2, 0);
  place(diameter, left + diameter / 2, height / 2);
  const pitch = clamp(height / names.length - LEGEND_LINE, 4, 12);
  const of = new Map(names.map((one, at) => [one, shares[at]]));
  // Braces would end a styled text.
  const plain = (text) => text.replace(/[{}|]/g, ' ');
  Object.assign(legend, {
    orient: 'vertical',
    left: left + diameter + 28,
    top: 'middle',
    itemGap: pitch,
    type: names.length * (LEGEND_LINE + 4) > height ? 'scroll' : 'plain',
    formatter: (one) => `{name|${plain(one)}}{share|${of.get(one) ?? ''}}`,
    textStyle: {
      ...legend.textStyle,
      rich: {
        name: { width: name, overflow: 'truncate', fontSize: 12 },
        share: { width: share, align: 'right', fontSize: 12, color: spec.$round.text },
      },
    },
  });
}

/** Makes a gauge as large as its arc allows: slightly more than a half circle. */
function dial(option, width, height) {
  const [series] = option.series;
  const radius = Math.max(Math.min(width / 2 - 4, (height - 8) / 1.36), 10);
  series.radius = radius;
  series.center = [width / 2, radius + (height - radius * 1.36) / 2];
  const thick = clamp(radius * 0.13, 6, 16);
  series.progress.width = thick;
  series.axisLine.lineStyle.width = thick;
  series.detail.fontSize = radius < 70 ? 20 : 28;
  series.axisLabel.show = radius >= 60;
  series.axisLabel.distance = thick + 4;
}

/** Makes a calendar's squares as large as possible. */
function calendar(option, width, height) {
  const years = option.calendar.length;
  const top = 28;
  const left = widest(option.calendar[0].dayLabel.nameMap) + 12 + (years > 1 ? 44 : 0);
  const block = (height - top) / years;
  const weeks = Math.max(...option.calendar.map(({ range }) => (Date.parse(range[1]) - Date.parse(range[0])) / 604_800_000 + 1.9));
  const cell = Math.max(Math.min(Math.floor(Math.min((width - left - 4) / weeks, (block - 24) / 7)), 26), 3);
  option.calendar.forEach((one, at) => {
    Object.assign(one, { cellSize: [cell, cell], left, top: top + at * block + 20 });
    one.itemStyle.borderWidth = cell > 9 ? 2 : 1;
    if (years > 1)
      one.yearLabel = { show: true, position: 'left', margin: left - 34, fontSize: 12, fontWeight: 500, color: one.dayLabel.color };
    one.dayLabel.show = cell >= 12;
    option.series[at].itemStyle.borderRadius = cell > 9 ? 2 : 1;
    if (cell < 8) one.monthLabel.nameMap = one.monthLabel.nameMap.map((name, month) => (month % 2 ? '' : name));
  });
}

/** Makes a radar chart as large as its labels allow. */
function radar(option, width, height) {
  const top = placeLegend(option.legend, width, height);
  const names = widest(option.radar.indicator.map(({ name }) => name));
  const radius = Math.min((height - top - 60) / 2, (width - 2 * names - 24) / 1.8);
  Object.assign(option.radar, { radius: Math.max(radius, 16), center: [width / 2, top + (height - top) / 2] });
}

/** Puts the labels of a flow's last nodes before them, so that they stay within the card. */
function flow(option) {
  const [series] = option.series;
  const sources = new Set(series.links.map((link) => link.source));
  for (const node of series.data) if (!sources.has(node.name)) node.label = { position: 'left' };
}

/** Fits an option, whose markers are already functions, to a size in CSS pixels. `spec` is the original option. */
export function layout(option, spec, width, height) {
  if (option.grid) cartesian(option, width, height);
  else if (spec.$round) round(option, spec, width, height);
  else if (spec.$dial) dial(option, width, height);
  else if (spec.$calendar) calendar(option, width, height);
  else if (spec.$ends) flow(option);
  else if (spec.$radar) radar(option, width, height);
  return option;
}
