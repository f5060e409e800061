// The formatter against the engine's own `Intl`, and against its traps.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { date, moment, number, text } from '../format.js';

const locales = JSON.parse(readFileSync(new URL('locales.json', import.meta.url), 'utf8'));
const plain = (line) => line.replaceAll('\u2212', '-');
const numbers = [0, 1, 12, 999, 1000, 1234, 12_345, 99_999, 123_456.78, 1_234_567, -3.2, 0.5, 0.25, 1e9, 4.5e6, 2.25e12];

for (const tag of ['en', 'de', 'fr', 'es', 'it', 'ja', 'pl']) {
  const locale = locales[tag];

  test(`${tag}: numbers are those of Intl`, () => {
    const intl = new Intl.NumberFormat(tag, { maximumFractionDigits: 2 });
    for (const value of numbers) assert.equal(plain(number(value, {}, locale)), intl.format(value));
  });

  test(`${tag}: compact numbers are those of Intl`, () => {
    const intl = new Intl.NumberFormat(tag, { notation: 'compact', maximumFractionDigits: 1 });
    // Below a million some languages' Intl rounds to whole thousands or leaves out the grouping; from there on all agree.
    for (const value of [1e6, 1.2e6, 4.5e6, 12.3e6, 1e12]) assert.equal(number(value, { style: 'compact' }, locale), intl.format(value));
  });

  test(`${tag}: shares and prices are those of Intl`, () => {
    const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 });
    const price = new Intl.NumberFormat(tag, { style: 'currency', currency: 'EUR' });
    for (const value of [0, 0.123, 1, 0.5])
      assert.equal(
        number(value, { style: 'percent' }, locale).replace('\u202f', '\u00a0'),
        percent.format(value).replace('\u202f', '\u00a0'),
      );
    for (const value of [1234.5, 0.99, 12.25])
      assert.equal(number(value, { style: 'currency', currency: 'EUR' }, locale), price.format(value));
  });

  test(`${tag}: months are those of Intl`, () => {
    const long = new Intl.DateTimeFormat(tag, { month: 'long', year: 'numeric', timeZone: 'UTC' });
    const short = new Intl.DateTimeFormat(tag, { month: 'short', timeZone: 'UTC' });
    for (let month = 0; month < 12; month += 1) {
      const at = Date.UTC(2001, month, 1);
      assert.equal(date(at, 'month', 'words', locale), long.format(at));
      assert.equal(date(at, 'month', 'year', locale), short.format(at));
    }
  });
}

test('English days are those of Intl', () => {
  const intl = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
  for (const day of ['2001-01-05', '1999-12-31', '2004-02-29'])
    assert.equal(date(day, 'day', 'words', locales.en), intl.format(moment(day)));
});

test('moments are read without a zone', () => {
  assert.equal(moment('2001-01-31'), Date.UTC(2001, 0, 31));
  assert.equal(moment('2001-01-31T12:30:15'), Date.UTC(2001, 0, 31, 12, 30, 15));
  assert.equal(moment('2001-01'), Date.UTC(2001, 0, 1));
  assert.ok(Number.isNaN(moment('ATL')));
  assert.ok(new Date(moment('0050-01-01')).getUTCFullYear() === 50);
});

test('what is no number or date is shown as it is', () => {
  assert.equal(text(null, {}, locales.en), '–');
  assert.equal(text('ATL', { date: 'day', form: 'words' }, locales.en), 'ATL');
  assert.equal(text('ATL', {}, locales.en), 'ATL');
  assert.equal(number(5, { style: 'currency', currency: 'toString' }, locales.en), 'toString\u00a05');
});
