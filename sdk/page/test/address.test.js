import assert from 'node:assert/strict';
import { test } from 'node:test';
import { address, read, same, write } from '../src/address.js';

const HOST = 'https://host.example';
const ID = '0190aaaa-0000-7000-8000-000000000000';
/** @param {any} options @param {{ params?: Record<string, unknown>, search?: string }} [more] */
const at = (options, { params, search = '' } = {}) => address(options, { params, search, parentOrigin: HOST, base: `${HOST}/page` });

test('filters are written as the page reads them, and read back', () => {
  const filters = {
    region: ["o'west", 'a b', 'ä'],
    period: { relative: 'last_7_days' },
    'f_warehouse.orders.region': 'south',
    amount: 5,
    open: false,
  };
  const search = write(filters);
  assert.deepEqual(Object.fromEntries(new URLSearchParams(search)), {
    filter_region: '["o\'west","a b","ä"]',
    filter_period: '{"relative":"last_7_days"}',
    'f_warehouse.orders.region': '"south"',
    filter_amount: '5',
    filter_open: 'false',
  });
  assert.deepEqual(read(search), filters);
});

test('without a value there is no filter, and without a filter no query', () => {
  assert.equal(write({ region: null, period: undefined }), '');
  assert.equal(write(), '');
  assert.deepEqual(read(''), {});
});

test('what is no JSON is one string, what is no filter is left out', () => {
  assert.deepEqual(read('?f_a.b.c=plain&jwt=x&filter_x=%7B'), { 'f_a.b.c': 'plain', x: '{' });
});

test('the same filters are the same in any order and spelling', () => {
  assert.ok(same('?filter_a=1&filter_b=%5B%22x+y%22%5D', 'filter_b=%5B%22x%20y%22%5D&filter_a=1'));
  assert.ok(!same('?filter_a=1', '?filter_a=2'));
  assert.ok(!same('', '?filter_a=1'));
});

test('a page is named by its ids', () => {
  const embedUrl = 'https://embed.example/base/';
  const path = (options) => {
    const { pathname, searchParams } = at({ embedUrl, ...options });
    return [pathname, searchParams.get('dashboardId')];
  };
  assert.deepEqual(path({ application: ID }), [`/base/share/application/${ID}`, null]);
  assert.deepEqual(path({ application: ID, dashboard: 'd' }), [`/base/share/application/${ID}`, 'd']);
  assert.deepEqual(path({ dashboard: 'd/../x' }), ['/base/share/dashboard/d%2F..%2Fx', null]);
  assert.deepEqual(path({ project: 'p', workspace: 'w' }), ['/base/share/workspace/p/w', null]);
  assert.throws(() => at({ embedUrl }), TypeError);
});

test('the token stays out of the address, whoever puts it there', () => {
  const url = at(
    { url: `https://embed.example/share/application/${ID}?jwt=a&hideHeader=true` },
    { params: { jwt: 'b', parentOrigin: 'https://evil.example' } },
  );
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    hideHeader: 'true',
    tokenHandoff: 'true',
    parentOrigin: HOST,
    autoHeight: 'true',
  });
});

test('parameters are written as the page reads them', () => {
  const params = { hideHeader: true, transparent: false, timezone: 'Europe/Berlin', exampleQuestions: ['Which?'], prompt: undefined };
  const url = at({ url: 'https://embed.example/share/x?transparent=true', autoHeight: false }, { params, search: '?filter_a=1' });
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    hideHeader: 'true',
    timezone: 'Europe/Berlin',
    exampleQuestions: '["Which?"]',
    filter_a: '1',
    tokenHandoff: 'true',
    parentOrigin: HOST,
  });
});

test('nothing but a web address is opened', () => {
  for (const url of ['javascript:alert(1)', 'data:text/html,x', 'blob:https://x/y']) assert.throws(() => at({ url }), TypeError);
  assert.equal(at({ url: '/share/x' }).origin, HOST);
});
