// Which of the heights that a frame reports its element takes. Pure.

/** Smaller changes are the echo of rounding, in CSS pixels. */
const ECHO = 1;
/** A height that comes back within so many milliseconds goes round in circles: people are slower. */
const CIRCLE = 400;

/**
 * Follows a frame's content. A host page whose scrollbar comes and goes with the frame's height can make content and frame chase
 * each other between two heights: the larger one then stays, until a third is reported.
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

  /** The height to take now, or none when the frame stays as it is. @param {unknown} reported @returns {number | undefined} */
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
