// One user's token on a page: fetched once for all embeds of that user, renewed in time, retried until it succeeds. Clock,
// timers and randomness are injected.

/** @import { FetchToken } from '../types/inlay.js' */

/** The share of a token's lifetime after which it is renewed. */
const RENEW_AT = 0.8;
/** The shortest time until a renewal, in milliseconds. */
const SOONEST = 30_000;
/** The timeout of an attempt, in milliseconds. */
const PATIENCE = 20_000;
/** The first and the longest wait between attempts, in milliseconds. Each wait is twice the one before. */
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 60_000;
/** The longest timer, in milliseconds. Timers stop while a machine sleeps; short ones notice soon that a renewal is late. */
const LONGEST_TIMER = 60_000;

/**
 * @typedef {object} World what the renewal needs from its environment
 * @property {() => number} steady milliseconds of a monotonic clock, which may stop while the machine sleeps
 * @property {() => number} wall milliseconds of the wall clock, which may be changed
 * @property {(run: () => void, wait: number) => unknown} setTimeout
 * @property {(timer: any) => void} clearTimeout
 * @property {() => number} random 0 to 1
 */

/**
 * @typedef {object} Member an embed
 * @property {(token: string) => void} give
 * @property {(problem: {error: unknown, retryInMs: number}) => void} fail
 * @property {() => void} end
 */

/**
 * A token's user and its lifetime in milliseconds, from its own claims, since a browser's clock may be wrong. Nothing is
 * verified here.
 * @param {unknown} token
 * @returns {{subject: string, lifetime: number} | undefined}
 */
export function claims(token) {
  try {
    const payload = String(token).split('.')[1].replace(/-/g, '+').replace(/_/g, '/');
    const { sub, iat, exp } = JSON.parse(atob(payload));
    return exp > iat ? { subject: String(sub), lifetime: (exp - iat) * 1000 } : undefined;
  } catch {
    return undefined;
  }
}

/** The result of `fetchToken`: a token, or null for "not signed in any more". @param {unknown} answer */
function tokenOf(answer) {
  if (answer === null) return null;
  const token = typeof answer === 'string' ? answer : /** @type {any} */ (answer)?.token;
  if (!claims(token)) throw new Error('Inlay: fetchToken returned no token');
  return /** @type {string} */ (token);
}

/** A token and the embeds that use it. */
export class Tokens {
  /** The function of the latest embed, since earlier ones may be gone. @type {FetchToken} */
  fetchToken;
  #world;
  /** @type {Set<Member>} */ #members = new Set();
  /** @type {string | undefined} */ #token;
  /** @type {AbortController | undefined} */ #running;
  #failures = 0;
  #ended = false;
  /** @type {unknown} */ #timer;
  /** When the current wait began, by both clocks, and its length. */
  #since = { steady: 0, wall: 0 };
  #wait = 0;

  /** @param {FetchToken} fetchToken @param {World} world */
  constructor(fetchToken, world) {
    this.fetchToken = fetchToken;
    this.#world = world;
  }

  /** Whether no embed uses it. */
  get empty() {
    return this.#members.size === 0;
  }

  /** Adds an embed, which gets the current token or the next one. @param {Member} member */
  join(member) {
    this.#members.add(member);
    if (this.#running) return;
    if (this.#token && !this.#due() && !this.#failures) member.give(this.#token);
    else void this.#fetch();
  }

  /** Removes an embed. After the last one, everything stops. @param {Member} member */
  leave(member) {
    this.#members.delete(member);
    if (this.empty) this.#stop();
  }

  /** A frame reports that its token expires. Ignored if a renewal has just succeeded or is in progress. */
  renew() {
    if (!this.#running && !this.#failures && this.#elapsed() >= SOONEST) void this.#fetch();
  }

  /** The page is visible or online again: runs what is due. */
  wake() {
    if (!this.empty && !this.#running && !this.#ended && (this.#failures || this.#due())) void this.#fetch();
  }

  #elapsed() {
    const { steady, wall } = this.#since;
    return Math.max(this.#world.steady() - steady, this.#world.wall() - wall);
  }

  #due() {
    return this.#elapsed() >= this.#wait;
  }

  #stop() {
    this.#world.clearTimeout(this.#timer);
    this.#running?.abort();
    this.#running = undefined;
  }

  async #fetch() {
    this.#stop();
    this.#ended = false;
    const running = new AbortController();
    this.#running = running;
    const { signal } = running;
    const timeout = this.#world.setTimeout(() => running.abort(), PATIENCE);
    try {
      const late = new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('Inlay: fetchToken timed out')));
      });
      const token = tokenOf(await Promise.race([late, (async () => this.fetchToken({ signal }))()]));
      if (running === this.#running) this.#arrived(token);
    } catch (error) {
      if (running === this.#running) this.#failed(error);
    } finally {
      this.#world.clearTimeout(timeout);
    }
  }

  /** @param {string | null} token */
  #arrived(token) {
    this.#running = undefined;
    this.#failures = 0;
    this.#token = token ?? undefined;
    this.#ended = token === null;
    if (token !== null) this.#plan(Math.max((claims(token)?.lifetime ?? 0) * RENEW_AT, SOONEST));
    for (const member of [...this.#members]) token === null ? member.end() : member.give(token);
  }

  /** @param {unknown} error */
  #failed(error) {
    this.#running = undefined;
    this.#failures += 1;
    const longest = Math.min(FIRST_WAIT * 2 ** (this.#failures - 1), LONGEST_WAIT);
    // Half of the wait is random, so that pages do not all return at once after a host's downtime.
    const retryInMs = Math.round(longest * (0.5 + this.#world.random() / 2));
    this.#plan(retryInMs);
    for (const member of [...this.#members]) member.fail({ error, retryInMs });
  }

  /** Fetches a token after a wait. @param {number} wait */
  #plan(wait) {
    this.#since = { steady: this.#world.steady(), wall: this.#world.wall() };
    this.#wait = wait;
    this.#arm();
  }

  #arm() {
    const left = Math.min(Math.max(this.#wait - this.#elapsed(), 0), LONGEST_TIMER);
    this.#timer = this.#world.setTimeout(() => (this.#due() ? this.#fetch() : this.#arm()), left);
  }
}
