// A fake clock with timers, which only a test moves.

/** Lets promises that are settled run their course. */
export const settle = () =>
  new Promise((done) => {
    setImmediate(done);
  });

/** A token in the service's format, without a valid signature. */
export function token(seconds, { subject = 'user', at = 1_000_000 } = {}) {
  const payload = Buffer.from(JSON.stringify({ sub: subject, iat: at, exp: at + seconds, name: 'ü' })).toString('base64url');
  return `e30.${payload}.x`;
}

export class World {
  #now = 0;
  #slept = 0;
  #timers = new Map();
  #next = 1;
  chance = 1;

  steady = () => this.#now;
  wall = () => this.#now + this.#slept;
  random = () => this.chance;
  setTimeout = (run, wait) => {
    this.#timers.set(this.#next, { run, at: this.#now + wait });
    return this.#next++;
  };
  clearTimeout = (timer) => {
    this.#timers.delete(timer);
  };

  get timers() {
    return this.#timers.size;
  }

  /** The machine sleeps: the wall clock continues, the monotonic clock and the timers stop. */
  sleep(milliseconds) {
    this.#slept += milliseconds;
  }

  /** Lets time pass. Timers that are due fire in order. */
  async pass(milliseconds) {
    const end = this.#now + milliseconds;
    for (;;) {
      await settle();
      const due = [...this.#timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
      if (!due) break;
      this.#timers.delete(due[0]);
      this.#now = Math.max(this.#now, due[1].at);
      due[1].run();
    }
    this.#now = end;
  }
}
