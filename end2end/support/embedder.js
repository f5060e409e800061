// A host product that uses the page script: its page at any path, and the endpoint that signs its user in.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const KINDS = { js: 'text/javascript', html: 'text/html; charset=utf-8' };

/** A running host. Its responses can be changed while it runs. */
export class Embedder {
  #server;
  /** The service for its sign-ins. */
  service;
  /** All sign-ins of its page: time and user. */
  calls = [];
  /** If set, a status to respond with instead of a sign-in. */
  failing = 0;
  expiration = '5m';
  /** Further files that it serves: URL path → path of a file, or text. */
  files = {};
  origin = '';

  static async start() {
    const host = new Embedder();
    host.#server = createServer((request, response) => {
      host.#answer(request, response).catch((problem) => response.writeHead(500).end(String(problem)));
    }).listen(0, 'localhost');
    await once(host.#server, 'listening');
    host.origin = `http://localhost:${host.#server.address().port}`;
    return host;
  }

  async #answer(request, response) {
    const { pathname, searchParams } = new URL(request.url, 'http://host');
    if (pathname === '/token') return this.#signIn(searchParams, response);
    const file = this.files[pathname];
    if (file !== undefined) {
      const text = file.startsWith('/') ? await readFile(file) : file;
      return response.writeHead(200, { 'content-type': KINDS[pathname.split('.').at(-1)] ?? KINDS.html }).end(text);
    }
    return response.writeHead(404).end();
  }

  async #signIn(asked, response) {
    const { company = 'acme', user = 'ann' } = Object.fromEntries(asked);
    this.calls.push({ at: Date.now(), company, user });
    if (this.failing) return response.writeHead(this.failing).end('{}');
    const answer = await fetch(`${this.service.url}/v1/api/projects/embed-token`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.service.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        projectId: this.service.project.projectId,
        organization: { externalId: company, properties: { company } },
        user: { externalId: user, userRoleId: null },
        expiration: this.expiration,
      }),
    });
    const {
      data: { token, expiresAt },
    } = await answer.json();
    return response
      .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      .end(JSON.stringify({ token, expiresAt }));
  }

  async stop() {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
