// The columns of a chart's query: suggests them, and checks the fields that use them whenever one of these fields is left.
import { tell } from './fields.js';
import { encoded, post, released } from './live.js';
import { after, offer } from './several.js';

/** The fields that define the columns, and those that use them. */
const QUERY = ['sql', 'connection'];
const NAMING = ['x', 'y', 'series', 'label', 'value', 'parts'];

/** Handles every chart form. */
export function columns(root) {
  for (const area of root.querySelectorAll('[data-columns-at]')) follow(area, area.closest('form'));
}

function follow(area, form) {
  let asked = 0;
  /** The fields with an error from this script. */
  const told = new Set();
  const several = [...area.querySelectorAll('datalist[data-several]')].map((list) => [list, form.querySelector(`[list="${list.id}"]`)]);
  let names = [...area.querySelectorAll('#query-columns option')].map(({ value }) => value);
  for (const [list, field] of several) field.addEventListener('input', () => offer(list, after(field.value, names)));

  const take = ({ columns: found, problems }) => {
    for (const name of ['sql', ...NAMING]) {
      const problem = problems[name] ?? '';
      if (problem || told.has(name)) tell(form.elements[name], problem);
      told[problem ? 'add' : 'delete'](name);
    }
    // If the query is incomplete or the database does not respond, the last known columns stay.
    if (!found) return;
    names = found;
    offer(area.querySelector('#query-columns'), names);
    for (const [list, field] of several) offer(list, after(field.value, names));
    area.querySelector('[data-columns]').textContent = names.length > 0 ? `The query returns ${names.join(', ')}.` : '';
  };

  form.addEventListener('change', async ({ target }) => {
    if (![...QUERY, ...NAMING].includes(target.name)) return;
    asked += 1;
    const own = asked;
    const answer = await post(area.dataset.columnsAt, encoded(form), 'application/json').catch(() => undefined);
    if (!answer || own !== asked) return;
    const { data } = await answer.json();
    await released();
    take(data);
  });
}
