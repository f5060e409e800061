// All that a host page does around an embedded page: sign in, open the frame, hand over tokens, follow its height.

/** Share of a token's lifetime after which the next one is fetched. */
const REFRESH_AT = 0.8;
/** The soonest that a token is replaced, and the wait after a try that failed; milliseconds. */
const SOONEST = 30_000;
/** How long a frame may take to ask for its token; milliseconds. */
const PATIENCE = 20_000;

/** Asks the product's own server for a token: the API key never comes to the browser. */
async function signIn(base, who, signal) {
  let answer;
  try {
    answer = await fetch(`${base}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(who),
      signal,
    });
  } catch (error) {
    throw signal.aborted ? error : new Error('The server cannot be reached. Check your connection.');
  }
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(body.error?.message ?? 'You could not be signed in. Please try again.');
  // Both times come from servers, so that a wrong clock in the browser does no harm.
  const now = Date.parse(answer.headers.get('date') ?? '') || Date.now();
  return { ...body, lifetime: Date.parse(body.expiresAt) - now };
}

/**
 * The frame's address: of the session's dashboards, or of its questions. With a hand-off the token is not in it. On a page, dashboards
 * are as high as their charts. A chat, and whatever is on a device, fills its place and scrolls in itself.
 */
function address(session, field, { handoff, device }) {
  const url = new URL(session[field]);
  url.searchParams.set('parentOrigin', location.origin);
  if (field === 'embedUrl' && !device) url.searchParams.set('autoHeight', 'true');
  if (handoff) url.searchParams.set('tokenHandoff', 'true');
  else url.searchParams.set('jwt', session.token);
  return url;
}

/** An embedded page inside `stage`. `report` hears of the frame's address and of every message. */
export class Embed {
  #stage;
  #product;
  #report;
  #closing = new AbortController();

  /** @param {HTMLElement} stage @param {any} product @param {(what: any) => void} [report] */
  constructor(stage, product, report = () => {}) {
    this.#stage = stage;
    this.#product = product;
    this.#report = report;
  }

  /**
   * Shows a user's analytics; what was shown before goes.
   * @param {any} customer
   * @param {any} user
   * @param {object} way
   * @param {boolean} [way.handoff] whether the page hands the token over by message
   * @param {boolean} [way.device] whether the dashboard stands in the frame of a phone or a tablet
   */
  async open(customer, user, way) {
    this.#closing.abort();
    const closing = new AbortController();
    this.#closing = closing;
    this.#stage.replaceChildren(skeleton());
    this.#stage.setAttribute('aria-busy', 'true');
    const signingIn = () => signIn(this.#product.base, { [this.#product.property]: customer.id, user: user.id }, closing.signal);
    const again = () => this.open(customer, user, way);
    try {
      const session = await signingIn();
      this.#show(
        { title: `Analytics of ${this.#product.codes ? customer.id : customer.name}`, session, way, signingIn, again },
        closing.signal,
      );
    } catch (error) {
      if (!closing.signal.aborted) this.#fail(/** @type {Error} */ (error).message, again);
    }
  }

  #fail(message, again) {
    this.#closing.abort();
    this.#stage.replaceChildren(problem(message, again));
    this.#stage.removeAttribute('aria-busy');
  }

  #show({ title, session, way, signingIn, again }, closing) {
    const url = address(session, this.#stage.dataset.address ?? 'embedUrl', way);
    const frame = Object.assign(document.createElement('iframe'), { title, allow: 'fullscreen; clipboard-write' });
    let timer;
    let current = session;
    const send = () => {
      frame.contentWindow?.postMessage({ type: 'embed:set-token', v: 1, token: current.token }, url.origin);
      this.#report({ way: 'out', type: 'embed:set-token', token: '…' });
    };
    const renew = async () => {
      clearTimeout(timer);
      try {
        current = await signingIn();
        send();
        plan(Math.max(current.lifetime * REFRESH_AT, SOONEST));
      } catch {
        if (!closing.aborted) plan(SOONEST);
      }
    };
    const plan = (wait) => (timer = setTimeout(renew, wait));
    const silence = way.handoff && setTimeout(() => this.#fail('The analytics did not ask for a token.', again), PATIENCE);
    const hear = ({ origin, source, data }) => {
      if (origin !== url.origin || source !== frame.contentWindow || data?.v !== 1) return;
      this.#report({ way: 'in', ...data });
      if (data.type === 'embed:ready') {
        clearTimeout(silence);
        if (data.awaitingToken) send();
      }
      if (data.type === 'embed:height') frame.style.height = `${data.height}px`;
      // A laptop that slept past the timer wakes up with an expired token.
      if (data.type === 'embed:session' && data.state === 'expired') void renew();
    };
    // The listener is there before the frame can send.
    window.addEventListener('message', hear, { signal: closing });
    closing.addEventListener('abort', () => [timer, silence].forEach(clearTimeout));
    frame.addEventListener('load', () => this.#loaded(), { once: true });
    frame.src = url.href;
    this.#stage.append(frame);
    this.#report({ way: 'open', address: url });
    plan(Math.max(session.lifetime * REFRESH_AT, SOONEST));
  }

  #loaded() {
    this.#stage.querySelector('.skeleton')?.remove();
    this.#stage.removeAttribute('aria-busy');
  }
}

function skeleton() {
  const blocks = document.createElement('div');
  blocks.className = 'skeleton';
  blocks.setAttribute('aria-hidden', 'true');
  blocks.append(...Array.from({ length: 7 }, () => document.createElement('i')));
  return blocks;
}

function problem(message, retry) {
  const box = document.createElement('div');
  const text = Object.assign(document.createElement('p'), { textContent: message });
  const button = Object.assign(document.createElement('button'), { textContent: 'Try again', className: 'primary' });
  button.addEventListener('click', retry);
  box.className = 'problem';
  box.setAttribute('role', 'alert');
  box.append(text, button);
  return box;
}
