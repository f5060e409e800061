// The demo: the service with its two projects, and the host products that sign users in.
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { freePort, Service } from './service.js';

const DAY = 86_400_000;
const day = (time) => new Date(time).toISOString().slice(0, 10);

/**
 * An airport's departures on each day, in order, from the demo's file: moved by whole weeks to yesterday, as `inlay demo` does.
 * @returns {Promise<[string, number][]>}
 */
export async function departures(airport) {
  const yesterday = day(Date.now() - DAY);
  const by = Math.ceil((Date.parse(yesterday) - Date.parse('2001-06-30')) / (7 * DAY)) * 7 * DAY;
  const file = await readFile(new URL('../../demo/data/flights-250k.csv.gz', import.meta.url));
  const [head, ...lines] = gunzipSync(file)
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.trim().split(','));
  const [date, origin] = [head.indexOf('date'), head.indexOf('origin')];
  const days = new Map();
  for (const line of lines) {
    if (line[origin] !== airport) continue;
    const moved = day(Date.parse(line[date].slice(0, 10)) + by);
    if (moved <= yesterday) days.set(moved, (days.get(moved) ?? 0) + 1);
  }
  return [...days].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** A host product: where its pages begin, and what a customer is called. */
const AIRPORTS = { base: '', property: 'airport' };
export const SHOPS = { base: '/shops', property: 'shop' };

/** The viewer's role. The station manager may also use the assistant, and so gets the page with tools. */
const VIEWER = 'viewer';

/**
 * A running demo, with the tests' own binary unless another is given. Its store also contains the browser tests' project, whose
 * key the measured sign-ins use.
 */
export class Demo {
  /** The URL of the host products. */
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

  /** Signs a user of a customer in: a `viewer`, a `manager`, who may use the assistant, or an `analyst`, who may edit. */
  async session(customer, user = VIEWER, { base, property } = AIRPORTS) {
    const answer = await fetch(`${this.host}${base}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ [property]: customer, user }),
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
