// The SQL editor, which completes keywords and the viewer's own tables and columns. The chart builder loads it when SQL is
// edited. If it does not load, the plain text area stays.

import { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { MariaSQL, PostgreSQL, SQLite, StandardSQL, sql } from '@codemirror/lang-sql';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const DIALECTS = { sqlite: SQLite, postgres: PostgreSQL, duckdb: PostgreSQL, mysql: MariaSQL, clickhouse: StandardSQL, trino: StandardSQL };

// All colours are the theme's, so that light and dark need no extra code.
const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.keyword, fontWeight: '600' },
    { tag: [tags.string, tags.special(tags.string)], color: 'var(--positive)' },
    { tag: [tags.number, tags.bool, tags.null], color: 'var(--warning)' },
    { tag: tags.comment, color: 'var(--text-muted)', fontStyle: 'italic' },
  ]),
);

const look = EditorView.theme({
  '&': {
    border: '1px solid var(--control-line)',
    borderRadius: 'var(--radius-control)',
    background: 'var(--surface-raised)',
    color: 'var(--text)',
  },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '1px' },
  '.cm-scroller': {
    minHeight: '176px',
    maxHeight: '360px',
    fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
    fontSize: '12.5px',
    lineHeight: '1.5',
  },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 10px' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { background: 'var(--tint)' },
  '&.cm-focused .cm-matchingBracket': { background: 'var(--pressed)' },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius-control)',
    background: 'var(--surface-raised)',
    color: 'var(--text)',
    boxShadow: 'var(--shadow)',
  },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'inherit', maxHeight: '216px' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { background: 'var(--accent)', color: 'var(--accent-text)' },
  '.cm-completionDetail': { marginInlineStart: '1em', fontStyle: 'normal', opacity: '0.8' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
});

/** Converts `{dialect, tables: [{name, label, columns: [{name, label}]}]}` to the language package's schema. */
function language(json) {
  const { dialect, tables } = JSON.parse(json);
  const completion =
    (type) =>
    ({ name, label }) => ({ label: name, type, detail: label === name ? undefined : label });
  const column = completion('property');
  const table = completion('class');
  const offered = tables.map((one) => ({ ...one, columns: one.columns.map(column) }));
  const support = sql({
    dialect: DIALECTS[dialect] ?? StandardSQL,
    schema: /** @type {import('@codemirror/lang-sql').SQLNamespace} */ (
      Object.fromEntries(offered.map((one) => [one.name, { self: table(one), children: one.columns }]))
    ),
  });
  return [support, support.language.data.of({ autocomplete: columnsOf(offered) })];
}

/** Completes with the columns of the tables in the query. The language package completes after a table and a dot. */
const columnsOf = (tables) => (context) => {
  const word = context.matchBefore(/[\w.$]+/);
  if ((!word && !context.explicit) || word?.text.includes('.')) return null;
  const words = new Set(
    context.state.doc
      .toString()
      .toLowerCase()
      .match(/[\w$]+/g),
  );
  const named = tables.filter(({ name }) => words.has(name.toLowerCase().split('.').at(-1)));
  const options = [...new Map(named.flatMap(({ columns }) => columns).map((one) => [one.label, one])).values()];
  return { from: word?.from ?? context.pos, options, validFor: /^[\w$]*$/ };
};

/** A mounted editor. */
class Field {
  #view;
  #area;
  #language = new Compartment();

  constructor(area, json, changed) {
    this.#area = area;
    const nonce = /** @type {HTMLScriptElement | null} */ (document.querySelector('script[nonce]'))?.nonce ?? '';
    const extensions = [
      EditorView.cspNonce.of(nonce),
      // Tab moves the focus, as in every other field. In the list of completions it accepts one.
      keymap.of([{ key: 'Tab', run: acceptCompletion }, ...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...historyKeymap]),
      history(),
      drawSelection(),
      bracketMatching(),
      closeBrackets(),
      autocompletion({ icons: false }),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({
        'aria-label': area.getAttribute('aria-label') ?? '',
        spellcheck: 'false',
        autocapitalize: 'off',
        dir: 'ltr',
      }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) changed(update.state.doc.toString());
      }),
      this.#language.of(language(json)),
      colours,
      look,
    ];
    this.#view = new EditorView({ state: EditorState.create({ doc: area.value, extensions }) });
    const focused = document.activeElement === area;
    area.before(this.#view.dom);
    area.hidden = true;
    if (focused) this.#view.focus();
  }

  /** Completes with other tables. */
  offer(json) {
    this.#view.dispatch({ effects: this.#language.reconfigure(language(json)) });
  }

  /** Removes the editor and shows the text area again. */
  dispose() {
    this.#view.destroy();
    this.#area.hidden = false;
  }
}

/** Replaces a text area with the editor. `changed` is called with its text. */
export const mount = (area, json, changed) => new Field(area, json, changed);
