// Converts the playground's fields to an embed's URL.

/** Parses JSON. Other text is returned as it is. */
function jsonOf(text) {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}

/** The JSON of a filter with two ends or a period. Undefined if neither is set. */
function range(field) {
  const value = (name) => {
    const one = field.querySelector(`[data-${name}]`);
    if (!one?.value) return undefined;
    return one.type === 'number' ? one.valueAsNumber : one.value;
  };
  const period = value('period');
  const ends = { from: value('from'), to: value('to') };
  if (period) return JSON.stringify({ relative: period });
  return ends.from === undefined && ends.to === undefined ? undefined : JSON.stringify(ends);
}

/** The filters that are set: name and JSON. */
function filters(area) {
  /** @type {Record<string, string>} */
  const set = {};
  for (const field of area.querySelectorAll('[data-filters]:not([hidden]) [data-filter]')) {
    const value = field.dataset.kind === 'range' ? range(field) : field.value && jsonOf(field.value);
    if (value) set[field.dataset.filter] = value;
  }
  for (const row of area.querySelectorAll('[data-by-column]')) {
    const [column, value] = [row.querySelector('[data-column]').value, row.querySelector('[data-value]').value];
    if (column && value) set[`f_${column}`] = jsonOf(value);
  }
  return set;
}

/** All parameters that are set. */
export function parametersOf(area) {
  /** @type {Record<string, string>} */
  const set = {};
  for (const box of area.querySelectorAll('[data-flag]:checked')) set[box.name] = 'true';
  for (const field of area.querySelectorAll('[data-text]')) if (field.value && !field.closest('[hidden]')) set[field.name] = field.value;
  const words = [...area.querySelectorAll('[data-word]')].filter(({ value }) => value).map(({ dataset, value }) => [dataset.word, value]);
  if (words.length > 0) set.placeholderOverrides = JSON.stringify(Object.fromEntries(words));
  const questions = [...area.querySelectorAll('[data-question]')].map(({ value }) => value).filter(Boolean);
  if (questions.length > 0) set.exampleQuestions = JSON.stringify(questions);
  return { ...set, ...filters(area) };
}

/** The path of the embed. */
export function pathOf(area) {
  if (area.querySelector('[data-page]')?.value !== 'dashboard') return area.dataset.path;
  return `/share/dashboard/${encodeURIComponent(area.querySelector('[data-dashboard]').value.trim())}`;
}

/** Only the filters, for `embed:set-params`. */
export function searchOf(area) {
  const search = new URLSearchParams(filters(area)).toString();
  return search && `?${search}`;
}
