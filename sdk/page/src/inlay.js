// Embeds Inlay's pages into a host's page: the frame, its token, its height, its filters. The decisions are made in the files
// beside this one, which do not use the browser.
import { address, read, same, write } from './address.js';
import { Heights } from './heights.js';
import { claims, Tokens } from './tokens.js';

/** @import { Embed, ErrorEvent, Filters, Options, Parameters } from '../types/inlay.js' */
/** @import { ErrorMessage, HostMessage, LoadedMessage, PageMessage, ParamsMessage, ReadyMessage, SessionMessage } from '../types/messages.js' */

/** How long the page may take until it is ready, in milliseconds. */
const SILENCE = 30_000;

/** @type {import('./tokens.js').World} */
const WORLD = {
  steady: () => performance.now(),
  wall: () => Date.now(),
  setTimeout: (run, wait) => setTimeout(run, wait),
  clearTimeout: (timer) => clearTimeout(timer),
  random: () => Math.random(),
};

/** The tokens in use on this page, by key. @type {Map<unknown, Tokens>} */
const inUse = new Map();
/** Removes the listeners that wake the tokens. @type {AbortController | undefined} */
let listening;

/** Events that make timers late: the tab is visible again, was restored from the browser's cache, or is online again. */
function listen() {
  listening = new AbortController();
  const wake = () => {
    for (const tokens of inUse.values()) tokens.wake();
  };
  const options = { signal: listening.signal };
  document.addEventListener('visibilitychange', wake, options);
  addEventListener('pageshow', wake, options);
  addEventListener('online', wake, options);
}

/** @param {Options} options @param {import('./tokens.js').Member} member */
function join({ user, fetchToken }, member) {
  const key = user ?? fetchToken;
  const tokens = inUse.get(key) ?? new Tokens(fetchToken, WORLD);
  if (!inUse.size) listen();
  inUse.set(key, tokens);
  tokens.fetchToken = fetchToken;
  tokens.join(member);
  const leave = () => {
    tokens.leave(member);
    if (tokens.empty && inUse.get(key) === tokens) inUse.delete(key);
    if (!inUse.size) listening?.abort();
  };
  return { tokens, leave };
}

/** An embedded page. @implements {Embed} */
class Frame {
  frame = document.createElement('iframe');
  #options;
  #origin;
  #params;
  /** The page's known filters, as a query. */
  #search;
  /** Filters that have not been sent to the page yet. @type {string | undefined} */
  #pending;
  /** Whether a dashboard is open. Only then the page accepts filters, and it confirms only changes. */
  #standing = false;
  /** Filters to restore when an expired page opens again. @type {string | undefined} */
  #lost;
  /** @type {string | undefined} */ #token;
  /** Whose page it is. @type {string | undefined} */ #subject;
  #ready = false;
  #heights = new Heights(() => performance.now());
  /** @type {ReturnType<typeof join> | undefined} */ #joined;
  #closing = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #silence;

  /** @param {Element} element @param {Options} options */
  constructor(element, options) {
    this.#options = options;
    this.#params = options.params;
    this.#search = write(options.filters);
    this.#origin = this.#address().origin;
    const { autoHeight, height = 480, title = 'Analytics' } = options;
    this.frame.title = title;
    this.frame.allow = 'fullscreen; clipboard-write';
    Object.assign(this.frame.style, {
      display: 'block',
      width: '100%',
      border: '0',
      height: autoHeight === false ? '100%' : `${height}px`,
    });
    // The listener must exist before the frame can send messages.
    addEventListener('message', (event) => this.#hear(event), { signal: this.#closing.signal });
    this.frame.src = this.#address().href;
    this.#watch();
    element.append(this.frame);
    // The frame loads while the token is fetched.
    this.#joined = join(options, {
      give: (token) => this.#give(token),
      fail: ({ error, retryInMs }) =>
        this.#error({
          code: 'TOKEN_FETCH_FAILED',
          message: error instanceof Error ? error.message : String(error),
          error,
          retryInMs,
        }),
      end: () => this.#tell('onSession', { state: 'ended' }),
    });
  }

  /** @param {Filters} filters */
  setFilters(filters) {
    const search = write(filters);
    if (this.#closed || same(search, this.#pending ?? this.#search)) return;
    this.#pending = search;
    this.#ask();
  }

  /** @param {Parameters} params */
  setParams(params) {
    this.#params = params;
    this.refresh();
  }

  refresh() {
    if (this.#closed) return;
    this.#search = this.#pending ?? this.#search;
    this.#pending = this.#lost = undefined;
    this.#ready = this.#standing = false;
    this.#watch();
    // Unlike a new `src`, this adds no entry to the history.
    this.frame.contentWindow?.location.replace(this.#address().href);
  }

  destroy() {
    this.#closing.abort();
    clearTimeout(this.#silence);
    this.#joined?.leave();
    this.frame.remove();
  }

  get #closed() {
    return this.#closing.signal.aborted;
  }

  #address() {
    return address(this.#options, {
      params: this.#params,
      search: this.#search,
      parentOrigin: location.origin,
      base: document.baseURI,
    });
  }

  #watch() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(
      () =>
        this.#error({
          code: 'FRAME_SILENT',
          message: `The page does not answer. Is ${this.#origin} right, and may this page frame it?`,
        }),
      SILENCE,
    );
  }

  /** @param {HostMessage} message */
  #post(message) {
    this.frame.contentWindow?.postMessage(message, this.#origin);
  }

  /** Sends the pending filters. The page drops filters that arrive before its dashboard is open, so they are sent again until it is. */
  #ask() {
    if (!this.#ready || this.#pending === undefined) return;
    this.#post({ type: 'embed:set-params', v: 1, search: this.#pending });
    if (this.#standing) [this.#search, this.#pending] = [this.#pending, undefined];
  }

  /** @param {string} token */
  #give(token) {
    const renewed = this.#token !== undefined;
    const subject = claims(token)?.subject;
    // A page of another user starts again.
    if (subject !== this.#subject) this.#lost = undefined;
    [this.#token, this.#subject] = [token, subject];
    if (this.#ready) this.#post({ type: 'embed:set-token', v: 1, token });
    if (renewed) this.#tell('onSession', { state: 'renewed' });
  }

  /** @param {MessageEvent} event */
  #hear({ origin, source, data }) {
    if (origin !== this.#origin || source !== this.frame.contentWindow || data?.v !== 1) return;
    /** @type {PageMessage} */
    const message = data;
    switch (message.type) {
      case 'embed:ready':
        return this.#opened(message);
      case 'embed:height':
        return this.#grow(message.height);
      case 'embed:params':
        return this.#filtered(message);
      case 'embed:loaded':
        return this.#loaded(message);
      case 'embed:session':
        return this.#session(message);
      case 'embed:error':
        return this.#refused(message);
    }
  }

  /** @param {ReadyMessage} message */
  #opened({ awaitingToken }) {
    clearTimeout(this.#silence);
    this.#ready = true;
    this.#standing = false;
    if (awaitingToken && this.#token) this.#post({ type: 'embed:set-token', v: 1, token: this.#token });
    this.#tell('onReady', { awaitingToken });
  }

  /** @param {unknown} reported */
  #grow(reported) {
    const height = this.#options.autoHeight === false ? undefined : this.#heights.take(reported);
    if (height === undefined) return;
    this.frame.style.height = `${height}px`;
    this.#tell('onHeight', { height });
  }

  /** @param {ParamsMessage} message */
  #filtered({ search, source }) {
    this.#standing = true;
    this.#search = search;
    // The host's own filters are confirmed. The user's changes are newer than pending filters.
    if (source !== 'default') this.#pending = undefined;
    if (source !== 'host') this.#tell('onFilters', { filters: read(search), search, source });
    this.#ask();
  }

  /** @param {LoadedMessage} message */
  #loaded({ durationMs, charts }) {
    this.#standing = true;
    if (this.#lost !== undefined) [this.#pending, this.#lost] = [this.#pending ?? this.#lost, undefined];
    this.#ask();
    this.#tell('onLoaded', { durationMs, charts });
  }

  /** @param {SessionMessage} message */
  #session({ state }) {
    if (state === 'expired') [this.#lost, this.#standing] = [this.#search, false];
    this.#tell('onSession', { state });
    this.#joined?.tokens.renew();
  }

  /** @param {ErrorMessage} message */
  #refused({ code, message }) {
    this.#error({ code, message });
    if (code === 'TOKEN_REFUSED') this.#joined?.tokens.renew();
  }

  /** @param {ErrorEvent} problem */
  #error(problem) {
    this.#tell('onError', problem);
  }

  /**
   * Calls one of the host's functions. Its errors do not affect the embed.
   * @param {'onReady' | 'onLoaded' | 'onFilters' | 'onSession' | 'onHeight' | 'onError'} name
   * @param {any} event
   */
  #tell(name, event) {
    try {
      this.#options[name]?.(event);
    } catch (error) {
      reportError(error);
    }
  }
}

/** @param {Element | string} element @param {Options} options @returns {Embed} */
export function mount(element, options) {
  const place = typeof element === 'string' ? document.querySelector(element) : element;
  if (!place) throw new TypeError(`Inlay: there is no element ${element}`);
  if (typeof options?.fetchToken !== 'function') throw new TypeError('Inlay: fetchToken must be a function');
  return new Frame(place, options);
}
