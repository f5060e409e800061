// The content of tooltips. Names come from customers' rows: they are set as text nodes, never as markup.

import { text } from './format.js';
import { read } from './markers.js';

/** More rows would not fit into a card. */
const MOST_ROWS = 12;

/** A long name takes several lines. Among many others it is cut. */
const WHOLE = { maxWidth: '300px', whiteSpace: 'normal', overflowWrap: 'anywhere' };
const CUT = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' };

function node(tag, style, content) {
  const element = document.createElement(tag);
  Object.assign(element.style, style);
  if (content !== undefined) element.textContent = content;
  return element;
}

const dot = (colour) =>
  node('span', {
    width: '8px',
    height: '8px',
    borderRadius: '2px',
    flex: 'none',
    background: typeof colour === 'string' ? colour : 'transparent',
  });

function row(colour, label, value, share, many) {
  const line = node('div', { display: 'flex', alignItems: 'center', gap: '8px', lineHeight: '20px' });
  if (colour) line.append(dot(colour));
  line.append(node('span', { flex: '1', opacity: '.8', ...(many ? CUT : WHOLE), maxWidth: '220px' }, label));
  line.append(node('span', { fontWeight: '600', fontVariantNumeric: 'tabular-nums', marginLeft: '12px', whiteSpace: 'nowrap' }, value));
  if (share) line.append(node('span', { fontVariantNumeric: 'tabular-nums', opacity: '.7', minWidth: '40px', textAlign: 'right' }, share));
  return line;
}

const heading = (content) => node('div', { fontWeight: '600', marginBottom: '4px', ...WHOLE }, content);

/** All series at a place of the axis, largest first. */
function axis(marks, spec, locale) {
  const box = node('div', { minWidth: '120px' });
  const first = marks[0];
  if (!first) return box;
  box.append(heading(spec.title ? text(first.axisValue, spec.title, locale) : first.name || String(first.axisValue)));
  const seen = new Set();
  const lines = [];
  for (const mark of marks) {
    const { at, format } = spec.formats[mark.seriesIndex] ?? spec.formats[0] ?? {};
    const value = read(mark, at);
    // A dashed end is a series of the same name that starts where the line ends.
    if (value == null || seen.has(mark.seriesName)) continue;
    seen.add(mark.seriesName);
    lines.push({ colour: mark.color, name: mark.seriesName, value, shown: text(value, format, locale), format });
  }
  lines.sort((one, two) => two.value - one.value);
  for (const line of lines.slice(0, MOST_ROWS)) box.append(row(line.colour, line.name, line.shown, null, lines.length > 3));
  if (lines.length > MOST_ROWS) box.append(node('div', { opacity: '.7', lineHeight: '20px' }, `+ ${lines.length - MOST_ROWS}`));
  if (spec.total && lines.length > 1) {
    const sum = lines.reduce((total, line) => total + line.value, 0);
    const line = row(null, 'Total', text(sum, lines[0].format, locale));
    Object.assign(line.style, {
      borderTop: '1px solid currentColor',
      borderColor: 'color-mix(in srgb, currentColor 15%, transparent)',
      marginTop: '4px',
      paddingTop: '4px',
    });
    box.append(line);
  }
  return box;
}

function title(mark, spec, locale) {
  switch (spec.title) {
    case null:
    case undefined:
      return '';
    case 'name':
      return mark.name;
    case 'series':
      return mark.seriesName;
    case 'category':
      return mark.name;
    case 'path':
      return (mark.treePathInfo ?? [])
        .map((step) => step.name)
        .filter(Boolean)
        .join(' › ');
    case 'cell':
      return spec.cell.map((format, at) => text(spec.keys[at][mark.value[at]], format, locale)).join(' · ');
    default:
      return text(read(mark, spec.title.at), spec.title.format, locale);
  }
}

const bare = (name) => String(name ?? '').replaceAll('\u200b', '');

/** A mark with its value. Nothing for a mark without a value, such as a region without data. */
function item(mark, spec, locale) {
  const box = node('div', { minWidth: '120px' });
  const head = title(mark, spec, locale);
  if (head) box.append(heading(head));
  const name = mark.dataType === 'edge' ? `${bare(mark.data.source)} → ${bare(mark.data.target)}` : bare(mark.name);
  const colour = typeof mark.color === 'string' ? mark.color : null;
  const rows = spec.rows.filter(({ at }) => read(mark, at) != null && !Number.isNaN(read(mark, at)));
  if (rows.length === 0 && !head) return '';
  for (const { label, at, format } of rows) {
    const value = read(mark, at);
    const share = spec.share ? text(mark.percent / 100, { style: 'percent' }, locale) : null;
    box.append(row(label == null ? colour : null, label ?? name, text(value, format, locale), share));
  }
  return box;
}

/** A tooltip's content for ECharts: a node or nothing, never markup. */
export function tooltip(marks, spec, locale) {
  return spec.kind === 'axis' ? axis(Array.isArray(marks) ? marks : [marks], spec, locale) : item(marks, spec, locale);
}
