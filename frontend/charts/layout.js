// The parts of an option that depend on the chart's size: which labels fit, where legends are, the size of round charts. Server
// and browser measure text alike (`measure.js`), so charts of the same size have the same geometry on both.

import { textWidth } from './measure.js';

const LABEL = '12px Inter';
/** The approximate width of a value axis with its labels. */
const AXIS_ROOM = 44;
const LEGEND_LINE = 12;
const LEGEND_GAP = 14;
/** Labels below this height of a band would touch. */
const LINE = 15;
/** In a lower plot the values in the parts of bars would touch. */
const LEAST_OF_PARTS = 160;
/** In smaller rings names would lie on each other. */
const LEAST_OF_RINGS = 150;
/** A smaller chart is drawn without texts: width and height. */
const LEAST = [96, 64];

const clamp = (value, least, most) => Math.max(least, Math.min(most, value));
const list = (value) => (Array.isArray(value) ? value : value ? [value] : []);
const widest = (texts, font = LABEL) => texts.reduce((most, text) => Math.max(most, textWidth(text, font)), 0);

/** A text that is at most so wide: an ellipsis replaces its end. */
export function fit(text, most) {
  if (textWidth(text, LABEL) <= most) return text;
  const letters = [...text];
  while (letters.length > 0 && textWidth(`${letters.join('')}…`, LABEL) > most) letters.pop();
  return `${letters.join('').trim()}…`;
}

/** Cuts the long names of a legend, which its tooltip shows whole. Returns what it shows. */
function cutNames(legend, most) {
  const names = legend.data.map((name) => fit(name, most));
  legend.formatter = (name) => fit(name, most);
  if (legend.tooltip) legend.tooltip.show = names.some((name, at) => name !== legend.data[at]);
  return names;
}

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

/** The widest name of a legend above or below a plot. */
const nameRoom = (width) => Math.min(Math.max(width / 3, 96), width - 80);

/** Limits the legend to two lines, or one on a low card, with paging. Returns its height with the gap below. */
function placeLegend(legend, width, height) {
  if (!legend) return 0;
  const most = height < 170 ? 1 : 2;
  const lines = legendLines(cutNames(legend, nameRoom(width)), width);
  if (lines > most) {
    legend.type = 'scroll';
    legend.width = width;
  }
  const shown = lines > most ? 1 : lines;
  return shown * LEGEND_LINE + (shown - 1) * LEGEND_GAP + 14;
}

/** Keeps every nth label if all of them would overlap, among them the first one with a year (`anchor`). */
function thin(axis, room) {
  const ticks = axis.axisLabel.customValues;
  if (!ticks || ticks.length < 2) return;
  const format = axis.axisLabel.formatter;
  const shown = (tick) => String(format ? format(axis.type === 'category' ? axis.data[tick] : tick) : tick);
  const span = axis.type === 'category' ? axis.data.length : axis.max - axis.min || 1;
  const spacing = ((ticks[1] - ticks[0]) / span) * room;
  const step = Math.max(1, Math.ceil((widest(ticks.map(shown)) + 12) / Math.max(spacing, 1)));
  const first = (axis.axisLabel.anchor ?? 0) % step;
  axis.axisLabel.customValues = ticks.filter((_, at) => at % step === first);
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
  else if (band >= LINE) Object.assign(label, { interval: 0, rotate: 45, width: 88, overflow: 'truncate', hideOverlap: false });
  else {
    const step = Math.ceil((Math.min(width, 88) + 12) / band);
    Object.assign(label, { interval: step - 1, width: step * band - 12, overflow: 'truncate' });
  }
}

/** The width of category labels beside a plot: about a third of the card at most. */
const besideRoom = (axis, width) => Math.min(widest(axis.data) + 1, width * 0.38);

/** Category labels beside a plot. */
function namesBeside(axis, width, room) {
  const label = axis.axisLabel;
  if (label.customValues) return;
  const interval = Math.max(Math.ceil((LINE * axis.data.length) / room) - 1, 0);
  Object.assign(label, { width: besideRoom(axis, width), overflow: 'truncate', interval });
}

/** Leaves out the texts of a series' marks. */
function silence(series) {
  series.label = { show: false };
  for (const one of series.data ?? []) if (one?.label) one.label = { show: false };
}

/** Removes values beside bars, or in their parts, if they would overlap. */
function valuesBeside(series, bars, room, down) {
  if (!series.label?.show || series.type !== 'bar' || typeof series.label.formatter !== 'function') return;
  const texts = series.data.map((one) => series.label.formatter({ value: one?.value ?? one, data: one })).filter(Boolean);
  const band = room / Math.max(series.data.length, 1) / (series.stack ? 1 : bars);
  if (widest(texts) + 4 > band || (series.label.position === 'inside' && down < LEAST_OF_PARTS)) silence(series);
}

/** Leaves space after horizontal bars for their values, unless the bars are lower than a line. */
function endLabels(option, width, band) {
  if (band < LINE) option.series.forEach(silence);
  const texts = option.series
    .filter(({ label }) => label?.show && label.position === 'right')
    .flatMap(({ data, label }) => data.map((one) => (one?.label ?? label).formatter?.({ value: one?.value ?? one, data: one }) ?? ''));
  const room = widest(texts);
  if (room > 0) option.grid.right = Math.min(room + 12, width * 0.4);
}

/** Lets the first and the last name beside a plot stand out of it by half a line. ECharts would shrink the plot by many times as much. */
function standOut(grid, hasScale) {
  const { top, right } = grid;
  Object.assign(grid, {
    bottom: hasScale ? 28 : 12,
    outerBoundsMode: 'auto',
    outerBounds: { left: 0, right, top: top - LINE / 2, bottom: 4 },
  });
}

function cartesian(option, width, height) {
  const top = placeLegend(option.legend, width, height);
  const title = list(option.title)[0];
  if (title) Object.assign(title, { top: top + 4, text: fit(title.text, width) });
  const scale = option.visualMap && option.visualMap.show !== false ? 28 : 0;
  option.grid.top = top + (title ? 26 : 0) + scale || 10;
  const right = list(option.yAxis).length > 1 ? AXIS_ROOM : 0;
  const [beside] = list(option.yAxis);
  const left = beside.type === 'category' ? besideRoom(beside, width) + 8 : AXIS_ROOM;
  const across = Math.max(width - left - right, 40);
  const down = Math.max(height - option.grid.top - 28, 20);
  for (const axis of list(option.xAxis)) {
    if (axis.name) axis.name = fit(axis.name, across);
    if (axis.type === 'category') namesBelow(axis, across);
    else if (axis.type === 'time') thin(axis, across);
    else if (axis.interval == null) axis.splitNumber = clamp(Math.round(across / 90), 2, 6);
    else if (across < 280) axis.interval *= 2;
  }
  const lying = beside.type === 'category';
  const bars = option.series.filter(({ type }) => type === 'bar').length;
  if (lying) {
    endLabels(option, width, down / Math.max(beside.data.length, 1));
    if (beside.axisLabel.show !== false) standOut(option.grid, list(option.xAxis)[0].show !== false);
  }
  if (!lying) for (const series of option.series) valuesBeside(series, bars, across, down);
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
    series.radius = [thick ? diameter * 0.33 : 0, diameter / 2 - Math.min(diameter / 16, 5)];
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
    const all = legendLines(cutNames(legend, nameRoom(width)), width);
    const lines = Math.min(all, 2);
    const room = lines * LEGEND_LINE + (lines - 1) * LEGEND_GAP + 12;
    Object.assign(legend, { top: 'auto', bottom: 4, left: 'center', type: all > 2 ? 'scroll' : 'plain' });
    return place(Math.min(width, height - room), width / 2, (height - room) / 2);
  }
  const diameter = Math.min(height, width * 0.5);
  const name = Math.min(most, free);
  const block = diameter + 28 + 15 + name + share;
  const left = Math.max((width - block) / 2, 0);
  place(diameter, left + diameter / 2, height / 2);
  const pitch = clamp(height / names.length - LEGEND_LINE, 4, 12);
  const of = new Map(names.map((one, at) => [one, shares[at]]));
  cutNames(legend, name);
  // Braces would end a styled text.
  const plain = (text) => text.replace(/[{}|]/g, ' ');
  Object.assign(legend, {
    orient: 'vertical',
    left: left + diameter + 28,
    top: 'middle',
    itemGap: pitch,
    type: names.length * (LEGEND_LINE + 4) > height ? 'scroll' : 'plain',
    formatter: (one) => `{name|${plain(fit(one, name))}}{share|${of.get(one) ?? ''}}`,
    textStyle: {
      ...legend.textStyle,
      rich: {
        name: { width: name, fontSize: 12 },
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
  const thick = clamp(radius * 0.13, 3, 16);
  series.progress.width = thick;
  series.axisLine.lineStyle.width = thick;
  const room = (2 * (radius - thick)) / textWidth(series.detail.formatter(), '600 1px Inter');
  series.detail.fontSize = clamp(Math.floor(room * 0.9), 8, radius < 70 ? 20 : 28);
  series.axisLabel.show = radius >= 60;
  series.axisLabel.distance = thick + 4;
}

/** Makes a calendar's squares as large as possible. */
function calendar(option, width, height) {
  const years = option.calendar.length;
  const isBare = option.visualMap.show === false;
  const top = isBare ? 0 : 28;
  const left = isBare ? 0 : widest(option.calendar[0].dayLabel.nameMap) + 12 + (years > 1 ? 44 : 0);
  const head = isBare ? 0 : 20;
  const block = (height - top) / years;
  const weeks = Math.max(...option.calendar.map(({ range }) => (Date.parse(range[1]) - Date.parse(range[0])) / 604_800_000 + 1.9));
  const cell = Math.max(Math.min(Math.floor(Math.min((width - left - 4) / weeks, (block - head - 4) / 7)), 26), 3);
  option.calendar.forEach((one, at) => {
    Object.assign(one, { cellSize: [cell, cell], left, top: top + at * block + head });
    one.itemStyle.borderWidth = cell > 9 ? 2 : 1;
    if (years > 1 && !isBare)
      one.yearLabel = { show: true, position: 'left', margin: left - 34, fontSize: 12, fontWeight: 500, color: one.dayLabel.color };
    one.dayLabel.show = cell >= 12 && !isBare;
    one.monthLabel.show = !isBare;
    option.series[at].itemStyle.borderRadius = cell > 9 ? 2 : 1;
    if (cell < 8) one.monthLabel.nameMap = one.monthLabel.nameMap.map((name, month) => (month % 2 ? '' : name));
  });
}

/** Makes a radar chart as large as its labels allow. */
function radar(option, width, height) {
  const top = placeLegend(option.legend, width, height);
  const { axisName, indicator } = option.radar;
  const shown = axisName.show !== false;
  const most = width * 0.24;
  axisName.formatter = (name) => fit(name, most);
  const names = shown ? widest(indicator.map(({ name }) => fit(name, most))) : 0;
  const reach = Math.max(...indicator.map((_, at) => Math.sin((2 * Math.PI * at) / indicator.length)), 0.5);
  const radius = Math.min(height - top - (shown ? 60 : 4), (width - 2 * names - 32) / reach) / 2;
  Object.assign(option.radar, { radius: Math.max(radius, 16), center: [width / 2, top + (height - top) / 2] });
}

/** Puts the labels of a flow's last nodes before them, so that they stay within the card. */
function flow(option, steps, width) {
  const [series] = option.series;
  // The names on both sides of a gap share it.
  Object.assign(series.label, { width: width / steps / 2 - 16, overflow: 'truncate' });
  const sources = new Set(series.links.map((link) => link.source));
  for (const node of series.data) if (!sources.has(node.name)) node.label = { position: 'left' };
}

/** Leaves out what a small card has no room for: all texts but a gauge's number. Its tooltip and its data say them. */
function bare(option) {
  const none = () => ({ show: false });
  for (const part of ['legend', 'title']) delete option[part];
  for (const scale of list(option.visualMap)) scale.show = false;
  for (const axis of [...list(option.xAxis), ...list(option.yAxis)]) Object.assign(axis, { axisLabel: none(), name: '' });
  if (option.radar) option.radar.axisName = none();
  if (option.geo) Object.assign(option.geo, { left: 4, right: 4, top: 4, bottom: 4 });
  for (const series of option.series) {
    silence(series);
    series.markLine = undefined;
    for (const level of series.levels ?? []) level.upperLabel = none();
    if (series.type === 'map') Object.assign(series, { top: 0, bottom: 0 });
    // A point of 30 pixels would cover a small map or plot.
    for (const one of series.data ?? []) if (one?.symbolSize) one.symbolSize /= 3;
  }
}

/** Fits an option, whose markers are already functions, to a size in CSS pixels. `spec` is the original option. */
export function layout(option, spec, width, height) {
  const low = option.series[0]?.type === 'sunburst' ? LEAST_OF_RINGS : LEAST[1];
  if (width < LEAST[0] || height < low) bare(option);
  if (option.grid) cartesian(option, width, height);
  else if (spec.$round) round(option, spec, width, height);
  else if (spec.$dial) dial(option, width, height);
  else if (spec.$calendar) calendar(option, width, height);
  else if (spec.$ends) flow(option, spec.$ends, width);
  else if (spec.$radar) radar(option, width, height);
  return option;
}
