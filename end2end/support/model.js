// A slow language model on this machine with the chat completions API.
import { once } from 'node:events';
import { createServer } from 'node:http';

const chunk = (delta, end = null) => `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: end }] })}\n\n`;

/** A running model. It sends `words`, one every `pause` milliseconds. */
export class SlowModel {
  #server;
  address = '';
  #listeners = 0;

  static async start(words, pause = 150) {
    const model = new SlowModel();
    model.#server = createServer(async (request, response) => {
      request.resume();
      await once(request, 'end');
      model.#listeners += 1;
      response.on('close', () => {
        model.#listeners -= 1;
      });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const word of words) {
        if (response.destroyed) return;
        response.write(chunk({ content: `${word} ` }));
        await new Promise((wake) => {
          setTimeout(wake, pause);
        });
      }
      response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`);
    }).listen(0, '127.0.0.1');
    await once(model.#server, 'listening');
    model.address = `http://127.0.0.1:${model.#server.address().port}/v1/`;
    return model;
  }

  /** How many requests are open. */
  get listeners() {
    return this.#listeners;
  }

  async stop() {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
