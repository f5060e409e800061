// The demo: the service with the flights, and the host product that signs users in.
import { freePort, Service } from './service.js';

/** The viewer's role. The station manager may also use the assistant, and so gets the page with tools. */
const VIEWER = 'viewer';

/**
 * A running demo, with the tests' own binary unless another is given. Its store also contains the browser tests' project, whose
 * key the measured sign-ins use.
 */
export class Demo {
  /** The host product's URL. */
  host = '';
  service = new Service();

  /** @param {string} [binary] @param {Record<string, string>} [settings] */
  static async start(binary, settings = {}) {
    const demo = new Demo();
    const listen = `127.0.0.1:${await freePort()}`;
    demo.host = `http://${listen}`;
    demo.service = await Service.start(demo.host, {
      binary,
      serve: ['demo'],
      environment: { INLAY_DEMO_HOST_LISTEN: listen, ...settings },
    });
    return demo;
  }

  /** Signs a user of an airport in: a `viewer`, a `manager`, who may use the assistant, or an `analyst`, who may edit. */
  async session(airport, user = VIEWER) {
    const answer = await fetch(`${this.host}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ airport, user }),
    });
    if (!answer.ok) throw new Error(`the host answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  }

  /** The URL of the default dashboard for a user of an airport. */
  async page(airport, user) {
    const { token, embedUrl } = await this.session(airport, user);
    const url = new URL(embedUrl);
    url.searchParams.set('jwt', token);
    return url.href;
  }

  /** The id of the demo's workspace. */
  async workspaceId(token) {
    const answer = await fetch(`${this.service.url}/v2/api/applications`, { headers: { authorization: `Bearer ${token}` } });
    const {
      data: { applications },
    } = await answer.json();
    return applications.find(({ legacyWorkspaceId }) => legacyWorkspaceId).legacyWorkspaceId;
  }

  /** The URL of the chat for a user of an airport. */
  async workspace(airport, user, parameters = {}) {
    const { token } = await this.session(airport, user);
    const { project } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
    const path = `/share/workspace/${project}/${await this.workspaceId(token)}`;
    return this.service.page(path, { ...parameters, jwt: token });
  }

  async stop() {
    await this.service.stop();
  }
}
