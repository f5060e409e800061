// Suggestions for fields that take several names, separated by commas.

/** The suggestions: the text before the last comma, with each name that is not in it. */
export function after(typed, names) {
  const before = typed
    .split(',')
    .slice(0, -1)
    .map((name) => name.trim())
    .filter(Boolean);
  return names.filter((name) => !before.includes(name)).map((name) => [...before, name].join(', '));
}

/** Replaces the suggestions of a list. */
export function offer(list, names) {
  list.replaceChildren(...names.map((value) => Object.assign(document.createElement('option'), { value })));
}

/** Handles every list of names that stay the same. Those of a chart's columns change with its query (columns.js). */
export function several(root) {
  for (const list of root.querySelectorAll('datalist[data-several]')) {
    const field = root.querySelector(`[list="${list.id}"]`);
    if (!field || list.closest('[data-columns-at]')) continue;
    const names = [...list.options].map(({ value }) => value);
    field.addEventListener('input', () => offer(list, after(field.value, names)));
  }
}
