// The host product: a page on another origin and site than the service, which frames any URL.
import { once } from 'node:events';
import { createServer } from 'node:http';

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

function frame({ src, sandbox }, index) {
  const limits = sandbox === undefined ? '' : ` sandbox="${escaped(sandbox)}"`;
  return `<iframe name="embed-${index}" title="Embed ${index}" src="${escaped(src)}"${limits}></iframe>`;
}

function document(frames) {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,">
<style>body { margin: 0 } iframe { border: 0; display: block; width: 100%; height: 900px }</style>
<script>window.messages = []; addEventListener('message', (event) => messages.push({ origin: event.origin, data: event.data }));</script>
</head><body>${frames.map(frame).join('\n')}</body></html>`;
}

/** A running host. */
export class Host {
  #server;
  origin = '';

  static async start() {
    const host = new Host();
    host.#server = createServer((request, response) => {
      const frames = JSON.parse(new URL(request.url, 'http://host').searchParams.get('frames') ?? '[]');
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(document(frames));
    }).listen(0, 'localhost');
    await once(host.#server, 'listening');
    host.origin = `http://localhost:${host.#server.address().port}`;
    return host;
  }

  /** The URL of a page that frames the given `{src, sandbox}`, in this order. */
  page(...frames) {
    return `${this.origin}/?frames=${encodeURIComponent(JSON.stringify(frames))}`;
  }

  async stop() {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
