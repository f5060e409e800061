// Markers become functions, data never does.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { revive } from '../markers.js';

const { en } = JSON.parse(readFileSync(new URL('locales.json', import.meta.url), 'utf8'));

test('formats become functions of values and marks', () => {
  const option = revive({
    $locale: en,
    $round: { names: [] },
    yAxis: { axisLabel: { formatter: { $value: { compactFrom: 1000 } } } },
    series: [{ label: { formatter: { $mark: { at: 'raw', format: {} } } }, data: [{ value: 1, label: { formatter: { $text: 'one' } } }] }],
  });
  assert.equal(option.yAxis.axisLabel.formatter(12_345), '12.3K');
  assert.equal(option.series[0].label.formatter({ value: 1, data: { raw: 1234 } }), '1,234');
  assert.equal(option.series[0].data[0].label.formatter(), 'one');
  assert.deepEqual(Object.keys(option), ['yAxis', 'series']);
});

test('strings stay strings, whatever they say', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template that must stay text.
  const hostile = ['function(){alert(1)}', '() => alert(1)', '${alert(1)}', '$value', '__proto__'];
  const option = revive({ $locale: en, xAxis: { data: hostile }, series: [{ name: hostile[0], data: hostile }] });
  assert.deepEqual(option.xAxis.data, hostile);
  assert.deepEqual(option.series[0].data, hostile);
});

test('an unknown marker is nothing, and no key reaches a prototype', () => {
  const option = revive(
    JSON.parse('{"$locale":{},"tooltip":{"formatter":{"$eval":"alert(1)"}},"grid":{"__proto__":{"polluted":true},"left":1}}'),
  );
  assert.equal(option.tooltip.formatter, undefined);
  assert.equal(option.grid.polluted, undefined);
  assert.equal({}.polluted, undefined);
  assert.equal(option.grid.left, 1);
});

test('without a tooltip builder there is no tooltip function', () => {
  const spec = { $locale: en, tooltip: { formatter: { $tip: { kind: 'item', rows: [] } } } };
  assert.equal(revive(spec).tooltip.formatter, undefined);
  assert.equal(typeof revive(spec, () => '').tooltip.formatter, 'function');
});
