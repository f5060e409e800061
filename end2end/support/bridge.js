// A host page that exchanges messages with its embed directly.
import { Dashboard } from './dashboard.js';
import { embed, expect } from './fixtures.js';

/** Makes each frame that the page loads from now on record when it becomes interactive, in `window.interactiveAt`. */
export async function noteInteractive(page) {
  await page.addInitScript(() => {
    const seen = new MutationObserver(() => {
      window.interactiveAt = Date.now();
      seen.disconnect();
    });
    seen.observe(document, { attributes: true, subtree: true, attributeFilter: ['data-hydrated'] });
  });
}

/** One embed in a host's page. */
export class Bridge {
  constructor(page, frame) {
    this.page = page;
    this.frame = frame;
    this.dashboard = new Dashboard(frame);
  }

  /** Opens a host's page with an application's page in it. Parameters without a value are left out. */
  static async open(page, host, service, parameters = {}) {
    const src = service.page(`/share/application/${service.application()}`, { parentOrigin: host.origin, ...parameters });
    await page.goto(host.page({ src }));
    return new Bridge(page, await embed(page));
  }

  /** The embed of a host's page that is open already. */
  static async of(page) {
    return new Bridge(page, await embed(page));
  }

  /** Sends messages in order, as the host does. */
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

  /** Stops the page's fake clock, so that only the test moves it. Call it once the frame is interactive: until then the frame needs its timers. */
  async stopClock() {
    await this.page.clock.pauseAt(Date.now() + 1_000);
  }

  /** Moves a stopped clock to `time` milliseconds after the frame became interactive. Needs `noteInteractive`. */
  async until(time) {
    const passed = await this.frame.evaluate(() => Date.now() - window.interactiveAt);
    await this.page.clock.fastForward(time - passed);
  }

  /** Waits until the frame has handled all messages so far. */
  async settled() {
    await this.page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  }

  /** The messages of a type that the host has received, in order. */
  async heard(type) {
    const all = await this.page.evaluate(() => window.messages.map(({ data }) => data));
    return all.filter((message) => message.type === type);
  }

  /** The regions that a chart by region shows, once they are as expected. */
  async shows(regions) {
    await expect.poll(async () => (await this.dashboard.rows('Revenue by region')).map(([region]) => region)).toEqual(regions);
  }
}
