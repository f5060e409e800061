// The console as a host: frames an embed and sends it a token by message.

/** The URL of an embed in a frame of the console. */
export function addressOf(address, parameters, jwt) {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  if (jwt) url.searchParams.set('jwt', jwt);
  else url.searchParams.set('tokenHandoff', 'true');
  url.searchParams.set('parentOrigin', location.origin);
  return url.href;
}

/** Requests a token for viewing as a user. */
export async function token(address, csrf, fields = {}) {
  const answer = await fetch(address, {
    method: 'POST',
    body: new URLSearchParams({ csrf, ...fields }),
    headers: { accept: 'application/json' },
    credentials: 'same-origin',
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error.message);
  return body.data.token;
}

/** Frames a URL and answers its messages. */
export class Framed {
  #frame;
  #origin = '';
  #tokens;
  #heard;
  #listen = (event) => this.#hear(event);

  constructor(frame, heard) {
    this.#frame = frame;
    this.#heard = heard;
    addEventListener('message', this.#listen);
  }

  /** Whether a frame is open. */
  get isOpen() {
    return this.#origin !== '';
  }

  /** Frames a URL. `jwt` is a token for the URL; without it the token is sent by message. */
  open(address, parameters, tokens, jwt) {
    const url = new URL(addressOf(address, parameters, jwt));
    this.#origin = url.origin;
    this.#tokens = tokens;
    this.#frame.src = url.href;
  }

  /** @param {{ type: string, [field: string]: unknown }} message */
  send({ type, ...fields }) {
    /** @type {{ type: string, v: number, [field: string]: unknown }} */
    const message = { type, v: 1, ...fields };
    this.#frame.contentWindow.postMessage(message, this.#origin);
    this.#heard('out', message.token ? { ...message, token: '…' } : message);
  }

  async #hear({ source, origin, data }) {
    if (source !== this.#frame.contentWindow || origin !== this.#origin || typeof data?.type !== 'string') return;
    this.#heard('in', data);
    if (data.type === 'embed:height') this.#frame.style.height = `${Math.min(Math.max(data.height, 200), 4000)}px`;
    const wanted = (data.type === 'embed:ready' && data.awaitingToken) || (data.type === 'embed:session' && data.state === 'expiring');
    if (!wanted) return;
    try {
      this.send({ type: 'embed:set-token', token: await this.#tokens() });
    } catch (problem) {
      this.#heard('in', { type: 'console:problem', message: String(/** @type {Error} */ (problem).message) });
    }
  }
}

/** The View as page. */
export function viewing(root) {
  for (const area of root.querySelectorAll('[data-viewing]')) {
    const csrf = area.querySelector('[name="csrf"]').value;
    const choice = area.querySelector('[data-embed]');
    const framed = new Framed(area.querySelector('[data-frame]'), () => {});
    const open = () => framed.open(choice.value, { autoHeight: 'true' }, () => token(area.dataset.viewing, csrf));
    choice.addEventListener('change', open);
    open();
  }
}

/** The editor of a shared dashboard, with a chosen user's rows. */
export function editing(root) {
  for (const area of root.querySelectorAll('[data-editing]')) {
    const csrf = area.querySelector('[name="csrf"]').value;
    const user = area.querySelector('[data-user]');
    const told = area.querySelector('[data-problem]');
    const heard = (_direction, { type, message }) => {
      if (type !== 'console:problem') return;
      told.textContent = message;
      told.hidden = false;
    };
    const framed = new Framed(area.querySelector('[data-frame]'), heard);
    const open = () => {
      const chosen = user.value;
      framed.open(area.dataset.editing, { autoHeight: 'true' }, () => token(area.dataset.tokens, csrf, { user: chosen }));
    };
    user.addEventListener('change', open);
    open();
  }
}
