// Regions are found by the names in the data. Unknown names are listed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { land } from '../geography.js';

const world = land('world').features.map(({ properties }) => properties);
const called = (name) => world.filter(({ name: own, code, also }) => [own, code, ...also].includes(name)).map(({ name: own }) => own);

test('countries have their codes and their usual names', () => {
  const known = {
    DE: 'Germany',
    DEU: 'Germany',
    FR: 'France',
    GB: 'United Kingdom',
    UK: 'United Kingdom',
    VN: 'Vietnam',
    YE: 'Yemen',
    ZW: 'Zimbabwe',
    USA: 'United States of America',
    'United States': 'United States of America',
    'Czech Republic': 'Czechia',
    XK: 'Kosovo',
    'South Korea': 'South Korea',
    'Ivory Coast': "Côte d'Ivoire",
    KOR: 'South Korea',
  };
  for (const [name, country] of Object.entries(known)) assert.deepEqual(called(name), [country], name);
});

test('every country that ISO counts has two letters of its own', () => {
  const codes = world.map(({ code }) => code).filter(Boolean);
  assert.equal(new Set(codes).size, codes.length);
  assert.deepEqual(
    world.filter(({ code }) => !code).map(({ name }) => name),
    ['N. Cyprus', 'Somaliland'],
  );
  assert.ok(codes.length > 170);
});

test('states have their postal codes', () => {
  const states = land('us').features.map(({ properties }) => properties);
  assert.equal(states.length, 51);
  assert.equal(states.find(({ code }) => code === 'GA').name, 'Georgia');
});

test('outlines are small enough to be loaded for one map', () => {
  for (const [name, most] of Object.entries({ us: 90_000, world: 120_000 })) assert.ok(JSON.stringify(land(name)).length < most, name);
});
