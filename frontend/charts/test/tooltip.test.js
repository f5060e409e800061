// Tooltips set names as text: there is no markup for a name to break out of.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/** As much of a page as a tooltip uses. It has no `innerHTML`: setting one would go unseen, so it throws. */
class Node {
  constructor(tag) {
    this.tag = tag;
    this.style = {};
    this.children = [];
    this.textContent = '';
  }
  append(...nodes) {
    this.children.push(...nodes);
  }
  set innerHTML(_) {
    throw new Error('markup');
  }
  get texts() {
    return [this.textContent, ...this.children.flatMap((child) => child.texts)].filter(Boolean);
  }
}
globalThis.document = /** @type {any} */ ({ createElement: (tag) => new Node(tag) });
const { tooltip } = await import('../tooltip.js');

const { en } = JSON.parse(readFileSync(new URL('locales.json', import.meta.url), 'utf8'));
const evil = '<img src=x onerror=alert(1)>';

test('series are listed greatest first, with the period in words', () => {
  const spec = {
    kind: 'axis',
    title: { date: 'month', form: 'words' },
    formats: [{ format: {} }, { format: { unit: 'min' } }],
    total: true,
  };
  const mark = (seriesIndex, seriesName, value) => ({ seriesIndex, seriesName, value, color: '#2563eb', axisValue: '2001-03-01' });
  const box = tooltip([mark(0, 'ATL', 5), mark(1, evil, 1234.5), mark(2, 'ATL', 5)], spec, en);
  assert.deepEqual(box.texts, ['March 2001', evil, '1,234.5\u00a0min', 'ATL', '5', 'Total', '1,239.5\u00a0min']);
});

test('a hostile name is the text of a node', () => {
  const box = tooltip(
    { name: evil, value: 3, percent: 12.34, color: '#fff' },
    { kind: 'item', title: null, share: true, rows: [{ label: null, at: null, format: {} }] },
    en,
  );
  assert.deepEqual(box.texts, [evil, '3', '12.3%']);
});

test('a flow names both its ends without their unseen letters', () => {
  const box = tooltip(
    { dataType: 'edge', data: { source: 'ATL', target: 'LAX\u200b' }, value: 7 },
    { kind: 'item', rows: [{ label: null, at: null, format: {} }] },
    en,
  );
  assert.deepEqual(box.texts, ['ATL → LAX', '7']);
});

test('a cell names its row and column', () => {
  const spec = {
    kind: 'item',
    title: 'cell',
    cell: [null, null],
    keys: [
      ['Jan', 'Feb'],
      ['Mon', 'Tue'],
    ],
    rows: [{ label: 'Delay', at: 2, format: {} }],
  };
  assert.deepEqual(tooltip({ value: [1, 0, 9.5] }, spec, en).texts, ['Feb · Mon', 'Delay', '9.5']);
});

test('what measures nothing has no tooltip', () => {
  assert.equal(
    tooltip({ name: 'Tunisia', value: Number.NaN }, { kind: 'item', title: null, rows: [{ label: null, at: null, format: {} }] }, en),
    '',
  );
});
