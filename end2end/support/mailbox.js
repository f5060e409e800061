// A mail server on loopback that stores its mail.

import { once } from 'node:events';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export class Mailbox {
  #server;
  /** The mail, in order: recipients, subject, text, html, attachments, headers. */
  taken = [];

  static async start() {
    const box = new Mailbox();
    box.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _, done) =>
        username === 'inlay' && password === 's3 cret' ? done(null, { user: username }) : done(new Error('no')),
      onData: (stream, session, done) => {
        box.#take(stream, session).then(() => done(), done);
      },
    });
    box.#server.listen(0, '127.0.0.1');
    await once(box.#server.server, 'listening');
    return box;
  }

  async #take(stream, { envelope }) {
    const parts = [];
    for await (const part of stream) parts.push(part);
    const message = await PostalMime.parse(Buffer.concat(parts));
    this.taken.push({ ...message, recipients: envelope.rcptTo.map(({ address }) => address) });
  }

  /** The settings of a service that sends its mail to it. */
  get environment() {
    return {
      INLAY_SMTP_URL: `smtp://inlay:s3%20cret@127.0.0.1:${this.#server.server.address().port}?tls=none`,
      INLAY_SMTP_FROM: 'Reports <reports@inlay.example>',
    };
  }

  async stop() {
    await new Promise((done) => {
      this.#server.close(done);
    });
  }
}
