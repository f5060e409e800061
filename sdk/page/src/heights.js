// Decides which reported heights the element takes. Pure.

/** Smaller changes are rounding errors, in CSS pixels. */
const ECHO = 1;
/** If a height returns within this time, in milliseconds, it oscillates: people are slower. */
const CIRCLE = 400;

/**
 * Follows the height of a frame's content. If the host page's scrollbar depends on the frame's height, content and frame can
 * oscillate between two heights. The larger one then stays until a third one is reported.
 */
export class Heights {
  #now;
  #current = -ECHO;
  #before = -ECHO;
  #changed = Number.NEGATIVE_INFINITY;
  #held = -ECHO;

  /** @param {() => number} now milliseconds */
  constructor(now) {
    this.#now = now;
  }

  /** The height to take now, or undefined if the frame keeps its height. @param {unknown} reported @returns {number | undefined} */
  take(reported) {
    if (typeof reported !== 'number' || !Number.isFinite(reported) || reported < 0) return undefined;
    const height = Math.ceil(reported);
    const near = (/** @type {number} */ other) => Math.abs(height - other) <= ECHO;
    if (near(this.#current) || near(this.#held)) return undefined;
    const now = this.#now();
    const circles = near(this.#before) && now - this.#changed < CIRCLE && height > this.#current;
    this.#held = circles ? this.#current : -ECHO;
    [this.#before, this.#current, this.#changed] = [this.#current, height, now];
    return height;
  }
}
