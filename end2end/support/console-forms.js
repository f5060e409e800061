// Every form of the management console: valid values, invalid values, and the button that sends it.
import { generateKeyPairSync } from 'node:crypto';
import { OPERATOR } from './service.js';

const BROKEN = 'version: 1\nproject: [';
const keySet = () => {
  const { publicKey } = generateKeyPairSync('ed25519');
  return JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'EdDSA', use: 'sig' }] });
};

/**
 * The forms for a signed-in operator. `at` is the page, `action` the form's action, `fields` the values, `wrong` a field with
 * an invalid value and its error. Forms with only selects have none.
 * @param {any} service @param {{ user?: string, stranger?: string, key?: string }} things
 */
export function forms(service, { user, stranger, key }) {
  const { projectId, connections, tables, roles, charts, workspaces, applications, dashboards } = service.project;
  const [O, P] = [`/console/organizations/${service.organizationId}`, `/console/projects/${projectId}`];
  const orders = `${P}/connections/${connections.warehouse}/tables/${tables.orders}`;
  const application = `${P}/applications/${applications.Shop.id}`;
  const dashboard = `${application}/dashboards/${dashboards['Shop/Details'].id}`;
  const [ask, draft] = [workspaces['Ask the shop'], workspaces.Draft].map((id) => `${P}/workspaces/${id}`);
  const query = 'select region, count(*) as orders from orders group by 1';
  return {
    'a project': {
      at: `${O}/projects/new`,
      action: `${O}/projects`,
      button: 'Create project',
      fields: { Name: 'Second shop', 'Allowed origins': 'https://host.example', 'Time zone': 'Europe/Berlin' },
      wrong: ['Time zone', 'Nowhere/Land', /zone/],
    },
    "a project's settings": {
      at: P,
      action: P,
      button: 'Save',
      fields: { 'Allowed origins': `${service.url}\nhttps://host.example`, Language: 'de' },
      wrong: ['Allowed origins', 'host', /origin/],
    },
    'deleting a project': {
      at: `${P}/delete`,
      action: `${O}/projects/${projectId}/delete`,
      button: 'Delete project',
      fields: { "Type the project's name": 'Browser' },
      wrong: ["Type the project's name", 'Browser', /does not match the project's name/],
      never: true,
    },
    'an invitation': {
      at: `${O}/members`,
      action: `${O}/members/invite`,
      button: 'Create invitation',
      fields: { 'Email address': 'new@example.test', Role: 'Member: everything in projects' },
      wrong: ['Email address', 'nobody', /is not a valid email address/],
    },
    "a member's role": {
      at: `${O}/members`,
      action: `${O}/members/${stranger}/role`,
      button: 'Change',
      fields: { 'Role of stranger@example.test': 'Member: everything in projects' },
    },
    'an API key': {
      at: `${O}/developer`,
      action: `${O}/developer/keys`,
      button: 'Create key',
      fields: { Name: 'Production' },
      wrong: ['Name', '   ', /must not be empty/],
    },
    "a key's limit": {
      at: `${O}/developer`,
      action: `${O}/developer/keys/${key}/limit`,
      button: `Set the limit of ${key}`,
      fields: { [`Requests per second of ${key}`]: '50' },
      wrong: [`Requests per second of ${key}`, '0', /is at least 1/],
    },
    "a project's origins": {
      at: `${O}/developer`,
      action: `${P}/origins`,
      button: 'Save origins',
      fields: { 'Allowed origins of Browser tests': `${service.url}\nhttps://host.example` },
      wrong: ['Allowed origins of Browser tests', 'host', /origin/],
    },
    'scheduled reports': {
      at: `${O}/developer`,
      action: `${O}/developer/reports`,
      button: 'Save reports',
      fields: { 'Users may schedule reports and alerts': true, 'Allowed domains of recipients': 'example.test' },
      wrong: ['Allowed domains of recipients', 'no domain', /domain/],
    },
    'an identity provider': {
      at: `${O}/developer`,
      action: `${O}/developer/identity-providers`,
      button: 'Add identity provider',
      fields: { Issuer: 'https://login.example.com', Audience: 'inlay', 'Or the keys themselves': keySet() },
      wrong: ['Or the keys themselves', '{"keys": 1}', /key/i],
    },
    "the organization's model": {
      at: `${O}/model`,
      action: `${O}/model`,
      button: 'Save',
      fields: { Address: 'https://models.example.com/v1/', Model: 'large', Key: 'sk-secret', 'One user': '1000' },
      wrong: ['One user', '-1', /must be a number, 0 or more/],
    },
    "a project's model": {
      at: `${P}/model`,
      action: `${P}/model`,
      button: 'Save',
      fields: { Address: 'https://models.example.com/v1/', Model: 'small', Key: 'sk-secret' },
      wrong: ['Model', '  ', /is required/],
    },
    'a connection': {
      at: `${P}/connections/new`,
      action: `${P}/connections`,
      button: 'Connect',
      fields: { Name: 'second', Database: 'SQLite, a file on the server', Address: `sqlite:${service.folder}/warehouse.db` },
      wrong: ['Address', `sqlite:${service.folder}/nothing.db`, /no file exists at this path/i],
    },
    "a connection's settings": {
      at: `${P}/connections/${connections.fragile}`,
      action: `${P}/connections/${connections.fragile}`,
      button: 'Save',
      fields: { 'Cache time in seconds': '5' },
      wrong: ['Cache time in seconds', '-1', /whole number/],
    },
    'a table by its name': {
      at: `${P}/connections/${connections.fragile}`,
      action: `${P}/connections/${connections.fragile}/tables`,
      button: 'Add table',
      fields: { Table: 'stock' },
      wrong: ['Table', 'nothing', /nothing|no table/],
    },
    'chosen tables': {
      at: `${P}/connections/${connections.fragile}/tables`,
      action: `${P}/connections/${connections.fragile}/tables`,
      button: 'Add chosen tables',
      fields: { 'List orders': true },
    },
    "a table's rule": {
      at: orders,
      action: orders,
      button: 'Save',
      fields: { 'Row rule': "company = {{organization.company}} and region <> 'x'", Label: 'Orders', 'Label of region': 'Region' },
      wrong: ['Row rule', 'compny = 1', /compny/],
    },
    "a table's part of the model": {
      at: `${orders}/model`,
      action: `${orders}/model`,
      button: 'Save',
      fields: {
        Key: 'id',
        'Default time': 'placed_on',
        'Columns of the rows behind a number': 'placed_on, amount',
        'category is part of the model': true,
      },
      wrong: ['Default time', 'nothing', /no column `nothing`/],
    },
    'a measure': {
      at: `${orders}/measures/new`,
      action: `${orders}/measures/new`,
      button: 'Add measure',
      fields: { Name: 'largest', 'Computed as': 'Maximum', Of: 'amount', Where: "region <> 'x'", Label: 'Largest order', Currency: 'EUR' },
      wrong: ['Of', 'amuont', /no column `amuont`/],
    },
    "a measure's definition": {
      at: `${P}/semantic-model/revenue/edit`,
      action: `${P}/semantic-model/revenue/edit`,
      button: 'Save',
      fields: { Where: "region <> 'x'", 'Other names': 'sales, turnover' },
      wrong: ['Where', 'sum(amount) > 1', /several rows/],
    },
    'a metric': {
      at: `${P}/semantic-model/metrics/new?kind=ratio`,
      action: `${P}/semantic-model/metrics/new`,
      button: 'Add metric',
      fields: { Name: 'per_order', Number: 'Revenue (revenue)', 'Divided by': 'orders' },
      wrong: ['Name', 'revenue', /another measure or metric/],
    },
    'a role': {
      at: `${P}/roles/new`,
      action: `${P}/roles`,
      button: 'Create role',
      fields: { Name: 'Planner', 'Add charts': 'On' },
      wrong: ['Name', 'Editor', /named `Editor` already exists/],
    },
    "a role's permissions": {
      at: `${P}/roles/${roles.Insider}`,
      action: `${P}/roles/${roles.Insider}`,
      button: 'Save',
      fields: { Name: 'Insiders', 'Drill into charts': 'On' },
      wrong: ['Name', 'Editor', /named `Editor` already exists/],
    },
    "a role's copy": {
      at: `${P}/roles/${roles.Reader}`,
      action: `${P}/roles/${roles.Reader}/clone`,
      button: 'Duplicate',
      fields: { 'Name of the copy': 'Second reader' },
      wrong: ['Name of the copy', 'Editor', /named `Editor` already exists/],
    },
    'a chart': {
      at: `${P}/charts/new`,
      action: `${P}/charts`,
      button: 'Create chart',
      fields: {
        Name: 'Orders by region',
        Connection: 'warehouse',
        Type: 'Bar',
        Query: query,
        'Horizontal (x)': 'region',
        'Vertical (y)': 'orders',
      },
      wrong: ['Query', 'select 1 from ordres', /ordres|refused/],
    },
    "a chart's next version": {
      at: `${P}/charts/${charts.Revenue}`,
      action: `${P}/charts/${charts.Revenue}`,
      button: 'Save as a new version',
      fields: { Options: '{"unit": "€"}' },
      wrong: ['Options', '{', /is not a JSON object/],
    },
    'an application': {
      at: `${P}/applications`,
      action: `${P}/applications`,
      button: 'Create application',
      fields: { Name: 'Second application' },
      wrong: ['Name', 'Shop', /is taken/],
    },
    "an application's look": {
      at: application,
      action: application,
      button: 'Save',
      fields: { Accent: '#0b5fff', 'Corner radius': '4', Density: 'Compact' },
      wrong: ['Accent', 'blue', /is not a colour/],
    },
    'a dashboard': {
      at: application,
      action: `${application}/dashboards`,
      button: 'Add dashboard',
      fields: { Name: 'Second dashboard' },
      wrong: ['Name', 'Overview', /is taken/],
    },
    "a dashboard's layout": {
      at: dashboard,
      action: dashboard,
      button: 'Save',
      fields: {
        Name: 'More details',
        'Width of Largest orders': '4',
        'Key of filter 1': 'region',
        'Column of filter 1': 'warehouse.orders.region',
      },
      wrong: ['Width of Largest orders', '40', /wide|fit|column|width/i],
      first: 'Left edge of Largest orders',
    },
    "a dashboard's filters": {
      at: dashboard,
      action: dashboard,
      button: 'Save',
      fields: { 'Key of filter 1': 'region', 'Label of filter 1': 'Region', 'Column of filter 1': 'warehouse.orders.region' },
      wrong: ['Column of filter 1', 'warehouse.orders.regoin', /regoin|column/],
    },
    'a chart on a dashboard': { at: dashboard, action: `${dashboard}/charts`, button: 'Add chart', fields: { Chart: 'Exchange rates' } },
    "a dashboard's copy": {
      at: dashboard,
      action: `${dashboard}/clone`,
      button: 'Duplicate',
      fields: { 'Name of the copy': 'Template' },
      wrong: ['Name of the copy', 'Overview', /is taken/],
    },
    'a workspace': {
      at: `${P}/workspaces/new`,
      action: `${P}/workspaces`,
      button: 'Create workspace',
      fields: {
        Name: 'Second workspace',
        Connection: 'warehouse',
        'Starter questions': 'How many orders?',
        'Question of example 1': 'How many orders?',
        'Query of example 1': 'select count(*) as n from orders',
      },
      wrong: ['Query of example 1', '', /is required with the question/],
    },
    "a workspace's draft": {
      at: draft,
      action: draft,
      button: 'Save as a draft',
      fields: { 'Tables to ask about': 'orders', Instructions: 'Answer briefly.' },
      wrong: ['Tables to ask about', 'nothing', /not a listed table/],
    },
    "a workspace's name": {
      at: draft,
      action: `${draft}/name`,
      button: 'Rename',
      fields: { Name: 'Drafted' },
      wrong: ['Name', 'Ask the shop', /is taken/],
    },
    "a workspace's v1 agent": {
      at: draft,
      action: `${draft}/agent`,
      button: 'Save agent',
      fields: { 'Agent id': '01890000-0000-7000-8000-00000000a9e7' },
      wrong: ['Agent id', 'an agent', /must be a UUID/],
    },
    'a verified answer': {
      at: `${ask}/answers`,
      action: `${ask}/answers`,
      button: 'Save verified answer',
      fields: { Question: 'How many orders per region?', Query: query, 'Verified by': 'Finance team' },
      wrong: ['Query', 'select nothing from orders', /is refused/],
    },
    'a synonym': {
      at: `${ask}/answers`,
      action: `${ask}/answers/synonym`,
      button: 'Save synonym',
      fields: { Word: 'territory', 'Another name of': 'column orders.region' },
      wrong: ['Another name of', 'column orders.regoin', /is not in the list/],
    },
    'a measure for a question': {
      at: `${ask}/answers`,
      action: `${ask}/answers/measure`,
      button: 'Save measure',
      fields: { Table: 'orders', Name: 'largest_order', Label: 'Largest order', 'Computed as': 'Maximum', Of: 'amount' },
      wrong: ['Of', 'amuont', /amuont/],
    },
    'an evaluation': {
      at: ask,
      action: `${ask}/evaluate`,
      button: 'Evaluate',
      fields: { Version: 'Version 1' },
      wrong: ['Version', 'Version 1', /without examples/],
      never: true,
    },
    'a project file': {
      at: `${P}/file`,
      action: `${P}/file`,
      button: 'Compare',
      fields: { 'Project file': `version: 1\nproject: { name: Browser tests }` },
      wrong: ['Project file', BROKEN, /line/],
    },
    "a user's role": { at: `${P}/users/${user}`, action: `${P}/users/${user}`, button: 'Save', fields: { Role: 'Editor' } },
    'a test user': {
      at: `${P}/embed`,
      action: `${P}/embed/test-user`,
      button: 'Create test user',
      fields: { Customer: 'Test customer', User: 'Tess', 'organization.company': 'acme' },
      wrong: ['User', '   ', /must not be empty/],
    },
    'a password': {
      at: '/console/account',
      action: '/console/account/password',
      button: 'Change password',
      fields: { 'Your password': OPERATOR.password, 'New password': OPERATOR.password },
      wrong: ['New password', 'short', /at least 12 characters/],
      secret: ['Your password'],
    },
  };
}

/** The forms without a session. @param {{ invitation?: string, reset?: string }} links */
export function outside({ invitation, reset }) {
  return {
    'signing in': {
      at: '/console/sign-in',
      action: '/console/sign-in',
      button: 'Sign in',
      fields: { 'Email address': OPERATOR.email, Password: OPERATOR.password },
      wrong: ['Password', 'something else', /is wrong/],
      secret: ['Password'],
      done: 'Projects',
    },
    'a forgotten password': {
      at: '/console/forgotten',
      action: '/console/forgotten',
      button: 'Send the link',
      fields: { 'Email address': 'nobody@example.test' },
      wrong: ['Email address', 'nobody', /is not a valid email address/],
      done: 'Sign in',
    },
    'an invitation accepted': {
      at: invitation,
      action: invitation,
      button: 'Join',
      fields: { 'Choose a password': OPERATOR.password },
      wrong: ['Choose a password', 'short', /at least 12 characters/],
      done: 'Projects',
    },
    'a new password': {
      at: reset,
      action: reset,
      button: 'Save password',
      fields: { 'New password': OPERATOR.password },
      wrong: ['New password', 'short', /at least 12 characters/],
      done: 'Projects',
    },
  };
}

/** Routes without a form with fields, or whose form another test fills in: a pattern of their path, and the reason. */
/** @type {[RegExp, string][]} */
export const WITHOUT_FIELDS = [
  [/\/remove$/, 'asks, and takes no field'],
  [/\/revoke$/, 'asks, and takes no field'],
  [/\/(end|end-all|withdraw|new-password|signing-keys|finalize|versions|restore|cancel|dismiss|forget|move|copies)$/, 'a button'],
  [/\/(answers\/ask|\{role\}\/users)$/, 'a button in each row'],
  [/\/(isolation|key-check)$/, 'a button, which asks before it forbids'],
  [/\/(sign-out|migration\/users|\{connection\}\/test)$/, 'a button'],
  [/\/(check|preview|token|sample|reasons|charts\/columns)$/, 'asked by the script, or a button'],
  [/\/semantic-model\/\{number\}$/, 'console-model.spec.js: it saves nothing'],
  [/\/file\/draft$/, 'console-model.spec.js: it saves nothing'],
  [/^\/console\/setup$/, 'console-keyboard.spec.js'],
  [/sign-in-providers$|short-name$|^\/console\/sso$/, 'console-sso.spec.js, whose provider describes itself'],
];
