// The kinds of embed pages. They share one frame: tokens, messages, patience and the parameters of every page are the same on each
// (docs/spec/contract.md, section 12, P1).
import { Bridge, noteInteractive } from './bridge.js';
import { Conversation } from './conversation.js';
import { ACME } from './data.js';
import { embed, expect, test } from './fixtures.js';

const dashboards = {
  title: 'Overview',
  missing: 'Dashboard not found.',
  /** Calls of the page that open it, and that check a token. */
  opens: /\/open-page$/,
  /** Makes the page call its server. */
  call: (bridge) => bridge.setParams('?filter_region=%22north%22'),
  /** A change of the viewer, which a renewed token must not touch. */
  change: async ({ dashboard }) => {
    await dashboard.drawn();
    await dashboard.choose('Region', 'north');
  },
  changed: ({ dashboard }) => dashboard.filters.getByRole('button', { name: 'Clear filters' }),
  /** Makes the content lower, and higher again. */
  shrink: ({ dashboard }) => dashboard.tabs.getByRole('tab', { name: 'Details', exact: true }).click(),
  grow: ({ dashboard }) => dashboard.tabs.getByRole('tab', { name: 'Overview', exact: true }).click(),
};

/** The pages by kind. */
export const PAGES = {
  application: { ...dashboards, path: (service) => `/share/application/${service.application()}` },
  dashboard: { ...dashboards, path: (service) => `/share/dashboard/${service.dashboard('Overview')}` },
  workspace: {
    title: 'Ask the shop',
    missing: 'Workspace not found.',
    opens: /\/workspace\/open$/,
    path: ({ project }) => `/share/workspace/${project.projectId}/${project.workspaces['Ask the shop']}`,
    call: ({ frame }) => frame.getByRole('button', { name: 'History', exact: true }).click(),
    change: ({ frame }) => new Conversation(frame).ask('How many orders?'),
    changed: ({ frame }) => new Conversation(frame).log.getByText('How many orders?').first(),
    shrink: ({ frame }) => new Conversation(frame).button('New chat').click(),
    grow: async ({ frame }) => {
      for (const question of ['What can I ask?', 'orders by region']) await new Conversation(frame).ask(question);
    },
  },
};

/** One kind of page in a host's page. */
export class Framed {
  /** @type {Bridge} */
  bridge;

  constructor(kind, { page, host, service }) {
    this.kind = kind;
    this.page = page;
    this.host = host;
    this.service = service;
    this.own = PAGES[kind];
  }

  /** Signs in a user of this kind's tests. */
  sign(who = {}) {
    return this.service.signIn(ACME, { user: `frame-${this.kind}`, ...who });
  }

  /** Opens a host's page with the page. Parameters without a value are left out. */
  async open(parameters) {
    const src = this.service.page(this.own.path(this.service), { parentOrigin: this.host.origin, ...parameters });
    await this.page.goto(this.host.page({ src }));
    this.bridge = new Bridge(this.page, await embed(this.page));
    return this.bridge;
  }

  /** Opens a page that waits for its token, with a clock that only the test moves. */
  async waiting() {
    await this.page.clock.install();
    await noteInteractive(this.page);
    const bridge = await this.open({ tokenHandoff: 'true' });
    await bridge.stopClock();
    return bridge;
  }

  get alert() {
    return this.bridge.frame.getByRole('alert');
  }

  /** Waits until the page shows its content. */
  async stands() {
    await expect(this.bridge.frame.getByRole('heading', { level: 1, name: this.own.title })).toBeVisible();
  }

  /** The errors that the host has heard: code and message. */
  async errors() {
    return (await this.bridge.heard('embed:error')).map(({ code, message }) => `${code} ${message}`);
  }

  /** The names of the parameters that the host has heard errors about. */
  async named() {
    return (await this.errors()).map((text) => text.split(' ')[1]).toSorted();
  }

  /** The states of the session that the host has heard. */
  async states() {
    return (await this.bridge.heard('embed:session')).map(({ state }) => state);
  }
}

/**
 * Declares the same tests for each kind of page.
 * @param {(one: (name: string, body: (framed: any) => Promise<void>) => void, kind: string) => void} declare
 */
export function onEachPage(declare) {
  for (const kind of Object.keys(PAGES)) {
    test.describe(kind, () => {
      // The browser's own lines about refused or lost requests.
      test.use({ allowedErrors: [/status of 40[14]|ERR_FAILED|Failed to fetch|does not match the recipient/] });
      const one = (name, body) =>
        test(name, async ({ page, host, service }) => {
          await body(new Framed(kind, { page, host, service }));
        });
      declare(one, kind);
    });
  }
}
