// A chart's option is pure data. Where ECharts needs a function, the option has a marker: an object whose only key starts with
// `$`. It is replaced here by a function of this file. Text is never evaluated. Rows (`data`) are only searched for markers of
// labels.

import { text } from './format.js';

/** What a tooltip or label shows of a mark: the value at index `at`, a field, or its value. */
export function read(mark, at) {
  if (at == null) return Array.isArray(mark.value) ? mark.value.at(-1) : mark.value;
  if (typeof at === 'number') return mark.value?.[at];
  return mark.data?.[at];
}

function functionOf(marker, locale, tooltip) {
  const [key] = Object.keys(marker);
  const spec = marker[key];
  switch (key) {
    case '$value':
      return (value) => text(value, spec, locale);
    case '$mark':
      return (mark) => text(read(mark, spec.at), spec.format, locale);
    case '$text':
      return () => String(spec);
    case '$tip':
      return tooltip ? (marks) => tooltip(marks, spec, locale) : undefined;
    default:
      return undefined;
  }
}

const isMarker = (value) => {
  const keys = Object.keys(value);
  return keys.length === 1 && keys[0].startsWith('$');
};

/**
 * A copy of an option with functions in place of markers and without the keys for the runtime. `tooltip` builds a tooltip's
 * content. Without it there are no tooltips.
 */
export function revive(option, tooltip) {
  const locale = option.$locale;
  const walk = (value) => {
    if (Array.isArray(value)) return value.map(walk);
    if (value === null || typeof value !== 'object') return value;
    if (isMarker(value)) return functionOf(value, locale, tooltip);
    const copy = {};
    for (const [key, inner] of Object.entries(value)) {
      if (!key.startsWith('$') && key !== '__proto__') copy[key] = walk(inner);
    }
    return copy;
  };
  return walk(option);
}
