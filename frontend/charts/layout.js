// What depends on a chart's size: which labels fit, where legends go, how large round things are. Server and browser measure text alike
// (`measure.js`), so a chart of the same size has the same geometry on both.

import { textWidth } from "./measure.js";

const LABEL = "12px Inter";
/** Room that a measured axis takes beside the plot, about. */
const AXIS_ROOM = 44;
const LEGEND_LINE = 12;
const LEGEND_GAP = 16;

const clamp = (value, least, most) => Math.max(least, Math.min(most, value));
const list = (value) => (Array.isArray(value) ? value : value ? [value] : []);
const widest = (texts, font = LABEL) => texts.reduce((most, text) => Math.max(most, textWidth(text, font)), 0);

/** Lines that a legend takes at a width; its entries flow like words. */
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

/** Keeps the legend to two lines, then pages through it; returns its height with the gap below. */
function placeLegend(legend, width) {
  if (!legend) return 0;
  const lines = legendLines(legend.data, width);
  if (lines > 2) {
    legend.type = "scroll";
    legend.width = width;
  }
  const shown = lines > 2 ? 1 : lines;
  return shown * LEGEND_LINE + (shown - 1) * LEGEND_GAP + 14;
}

/** Leaves labels at every so many ticks when all of them would touch. */
function thin(axis, room) {
  const ticks = axis.axisLabel.customValues;
  if (!ticks || ticks.length < 2) return;
  const format = axis.axisLabel.formatter;
  const shown = (tick) => String(format ? format(axis.type === "category" ? axis.data[tick] : tick) : tick);
  const span = axis.type === "category" ? axis.data.length : axis.max - axis.min || 1;
  const spacing = ((ticks[1] - ticks[0]) / span) * room;
  const step = Math.max(1, Math.ceil((widest(ticks.map(shown)) + 12) / Math.max(spacing, 1)));
  axis.axisLabel.customValues = ticks.filter((_, at) => at % step === 0);
}

/** Names under a plot: all of them where they fit, else cut, slanted, or every so many. */
function namesBelow(axis, room) {
  const label = axis.axisLabel;
  if (label.show === false || !axis.data) return;
  if (label.customValues) return thin(axis, room);
  const band = room / Math.max(axis.data.length, 1);
  const width = widest(axis.data);
  if (width + 8 <= band) label.interval = 0;
  else if (band >= 48) Object.assign(label, { interval: 0, width: band - 6, overflow: "truncate", hideOverlap: false });
  else if (band >= 15) Object.assign(label, { interval: 0, rotate: 45, width: 88, overflow: "truncate", hideOverlap: false });
}

/** Names beside a plot, cut to a good third of the width. */
function namesBeside(axis, width, room) {
  const label = axis.axisLabel;
  if (label.customValues) return;
  Object.assign(label, { width: Math.min(widest(axis.data) + 1, width * 0.38), overflow: "truncate" });
  if (room / Math.max(axis.data.length, 1) >= 15) label.interval = 0;
}

function cartesian(option, width, height) {
  const top = placeLegend(option.legend, width);
  const title = list(option.title)[0];
  if (title) title.top = top;
  const scale = option.visualMap ? 24 : 0;
  option.grid.top = top + (title ? 22 : 0) + scale || 8;
  const right = list(option.yAxis).length > 1 ? AXIS_ROOM : 0;
  const across = Math.max(width - AXIS_ROOM - right, 40);
  const down = Math.max(height - option.grid.top - 28, 20);
  for (const axis of list(option.xAxis)) {
    if (axis.type === "category") namesBelow(axis, across);
    else if (axis.type === "time") thin(axis, across);
    else if (axis.interval == null) axis.splitNumber = clamp(Math.round(across / 90), 2, 6);
    else if (across < 320) axis.interval *= Math.ceil(320 / across);
  }
  for (const axis of list(option.yAxis)) {
    if (axis.type === "category") namesBeside(axis, width, down);
    else if (axis.type === "value") axis.splitNumber = clamp(Math.round(down / 52), 1, 4);
  }
}

/** A pie with its legend beside it where the card is wide, else below. */
function round(option, spec, width, height) {
  const [series] = option.series;
  const { names, shares } = spec.$round;
  const legend = option.legend;
  const place = (diameter, x, y) => {
    const thick = Array.isArray(series.radius) && series.radius[0] !== "0%";
    series.radius = [thick ? diameter * 0.33 : 0, diameter / 2 - 5];
    series.center = [x, y];
    const title = list(option.title)[0];
    if (title && diameter < 130) delete option.title;
    else if (title) Object.assign(title, { left: x, top: y - 20, textAlign: "center" });
  };
  if (!legend) return place(Math.min(width, height), width / 2, height / 2);
  const share = widest(shares) + 2;
  const beside = width >= height * 1.25 && width >= 260;
  if (!beside) {
    const lines = Math.min(legendLines(names, width), 2);
    const room = lines * LEGEND_LINE + (lines - 1) * LEGEND_GAP + 12;
    Object.assign(legend, { top: "auto", bottom: 0, left: "center", type: legendLines(names, width) > 2 ? "scroll" : "plain" });
    return place(Math.min(width, height - room), width / 2, (height - room) / 2);
  }
  const diameter = Math.min(height, width * 0.5);
  const name = Math.min(widest(names) + 6, width - diameter - 24 - share - 34);
  const block = diameter + 28 + 15 + name + share;
  const left = Math.max((width - block) / 2, 0);
  place(diameter, left + diameter / 2, height / 2);
  const pitch = clamp(height / names.length - LEGEND_LINE, 4, 12);
  const of = new Map(names.map((one, at) => [one, shares[at]]));
  // Braces would end a styled run.
  const plain = (text) => text.replace(/[{}|]/g, " ");
  Object.assign(legend, {
    orient: "vertical",
    left: left + diameter + 28,
    top: "middle",
    itemGap: pitch,
    type: names.length * (LEGEND_LINE + 4) > height ? "scroll" : "plain",
    formatter: (one) => `{name|${plain(one)}}{share|${of.get(one) ?? ""}}`,
    textStyle: {
      ...legend.textStyle,
      rich: {
        name: { width: name, overflow: "truncate", fontSize: 12 },
        share: { width: share, align: "right", fontSize: 12, color: list(option.title)[0]?.textStyle.color ?? legend.textStyle.color },
      },
    },
  });
}

/** A gauge is as large as its arc allows: a half circle with a little more on both sides. */
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
}

/** Squares, one for each day, as large as fit. */
function calendar(option, width, height) {
  const years = option.calendar.length;
  const top = 28;
  const left = widest(option.calendar[0].dayLabel.nameMap) + 12 + (years > 1 ? 44 : 0);
  const block = (height - top) / years;
  const cell = Math.max(Math.floor(Math.min((width - left - 4) / 53.5, (block - 24) / 7, 26)), 3);
  option.calendar.forEach((one, at) => {
    Object.assign(one, { cellSize: [cell, cell], left, top: top + at * block + 20, right: "auto", bottom: "auto" });
    one.itemStyle.borderWidth = cell > 9 ? 2 : 1;
    if (years > 1) one.yearLabel = { show: true, position: "left", margin: left - 34, fontSize: 12, fontWeight: 500, color: one.dayLabel.color };
    one.dayLabel.show = cell >= 12;
    if (cell < 8) one.monthLabel.nameMap = one.monthLabel.nameMap.map((name, month) => (month % 2 ? "" : name));
  });
}

/** Labels stand to the right of the steps, or on them where there is no room. */
function funnel(option, width) {
  const [series] = option.series;
  const label = widest(series.data.map((step) => step.label.formatter())) + 16;
  if (label < width * 0.6) series.right = label;
  else series.label.position = "insideLeft";
}

/** Names of a flow's last nodes stand before them, so that they stay within the card. */
function flow(option) {
  const [series] = option.series;
  const sources = new Set(series.links.map((link) => link.source));
  for (const node of series.data) if (!sources.has(node.name)) node.label = { position: "left" };
}

/** Fits an option, whose markers are functions already, to a size in CSS pixels. `spec` is the option as it came. */
export function layout(option, spec, width, height) {
  if (option.grid) cartesian(option, width, height);
  else if (spec.$round) round(option, spec, width, height);
  else if (spec.$dial) dial(option, width, height);
  else if (spec.$calendar) calendar(option, width, height);
  else if (spec.$funnel) funnel(option, width);
  else if (spec.$ends) flow(option);
  else if (option.radar) option.legend && placeLegend(option.legend, width);
  return option;
}
