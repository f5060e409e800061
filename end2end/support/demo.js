// The demo: the service with the flights, and the host product that signs its users in.
import { freePort, Service } from './service.js';

/** Who only looks; the station manager may ask the assistant, too, and so gets the page with tools. */
const VIEWER = 'viewer';

/**
 * A running demo, of the tests' own binary unless another is named. Beside the demo's project its store holds the browser tests'
 * project, whose key the measured sign-ins use.
 */
export class Demo {
  /** The address of the host product. */
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

  /** Signs a user of an airport in: `viewer`, who looks, `manager`, who may ask, too, or `analyst`, who may edit. */
  async session(airport, user = VIEWER) {
    const answer = await fetch(`${this.host}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ airport, user }),
    });
    if (!answer.ok) throw new Error(`the host answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  }

  /** The address of the default dashboard as a user of an airport opens it. */
  async page(airport, user) {
    const { token, embedUrl } = await this.session(airport, user);
    const url = new URL(embedUrl);
    url.searchParams.set('jwt', token);
    return url.href;
  }

  /** The id of the demo's workspace, as a token's user sees it. */
  async workspaceId(token) {
    const answer = await fetch(`${this.service.url}/v2/api/applications`, { headers: { authorization: `Bearer ${token}` } });
    const {
      data: { applications },
    } = await answer.json();
    return applications.find(({ legacyWorkspaceId }) => legacyWorkspaceId).legacyWorkspaceId;
  }

  /** The address of the chat as a user of an airport opens it. */
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
