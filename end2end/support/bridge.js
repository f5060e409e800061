// A host page that speaks with its embed by hand: what it sends, and what it has heard.
import { Dashboard } from './dashboard.js';
import { embed, expect } from './fixtures.js';

/** One embed in a host's page. */
export class Bridge {
  constructor(page, frame) {
    this.page = page;
    this.frame = frame;
    this.dashboard = new Dashboard(frame);
  }

  /** Opens a host's page around an application's page; parameters without a value are left out. */
  static async open(page, host, service, parameters = {}) {
    const src = service.page(`/share/application/${service.application()}`, { parentOrigin: host.origin, ...parameters });
    await page.goto(host.page({ src }));
    return new Bridge(page, await embed(page));
  }

  /** Sends messages, one after another, as the host does. */
  async send(...messages) {
    await this.page.evaluate((all) => {
      for (const one of all) frames[0].postMessage(one, '*');
    }, messages);
  }

  async setParams(search) {
    await this.send({ type: 'embed:set-params', v: 1, search });
  }

  async setToken(token) {
    await this.send({ type: 'embed:set-token', v: 1, token });
  }

  /** Has every message that the frame was sent before handled. */
  async settled() {
    await this.page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  }

  /** What the host has heard of a type, in order. */
  async heard(type) {
    const all = await this.page.evaluate(() => window.messages.map(({ data }) => data));
    return all.filter((message) => message.type === type);
  }

  /** The regions that a chart by region shows, once it has settled to them. */
  async shows(regions) {
    await expect.poll(async () => (await this.dashboard.rows('Revenue by region')).map(([region]) => region)).toEqual(regions);
  }
}
