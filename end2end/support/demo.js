// The demo: the service with the flights, and the host product that signs its users in.
import { Service, freePort } from './service.js';

const VIEWER = 'manager';

/**
 * A running demo, of the tests' own binary unless another is named. Beside the demo's project its store holds the browser tests'
 * project, whose key the measured sign-ins use.
 */
export class Demo {
  static async start(binary, settings = {}) {
    const demo = new Demo();
    const listen = `127.0.0.1:${await freePort()}`;
    demo.host = `http://${listen}`;
    demo.service = await Service.start(demo.host, {
      binary, serve: ['demo'], environment: { INLAY_DEMO_HOST_LISTEN: listen, ...settings },
    });
    return demo;
  }

  /** The address of the default dashboard as a user of an airport opens it: `manager`, who looks, or `analyst`, who may edit. */
  async page(airport, user = VIEWER) {
    const answer = await fetch(`${this.host}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ airport, user }),
    });
    if (!answer.ok) throw new Error(`the host answered ${answer.status}: ${await answer.text()}`);
    const { token, embedUrl } = await answer.json();
    const url = new URL(embedUrl);
    url.searchParams.set('jwt', token);
    return url.href;
  }

  async stop() {
    await this.service.stop();
  }
}
