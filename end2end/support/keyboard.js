// Somebody without a pointer: they reach everything by the Tab key, and see at each stop where they are.
import { expect } from '@playwright/test';

/** More stops than any page has. */
const MOST = 400;

/**
 * In a frame: what is focused there, where it stands, whether anything covers it, and how it, its labels and what stands around it are
 * drawn: wherever a ring may show that it is focused. Where the reader comes from another stop of the frame (`on`), also whether the ring
 * there is gone and which of the two comes first.
 */
function arrived(on) {
  const element = document.activeElement;
  if (!element || element === document.body) return undefined;
  const labelsOf = (one) => [...(one.labels ?? [])];
  const name = element.getAttribute('aria-label') ?? labelsOf(element)[0]?.textContent ?? element.textContent;
  const told = `${element.tagName.toLowerCase()} "${name.trim().replace(/\s+/g, ' ').slice(0, 60)}"`;
  if (element.tagName === 'IFRAME') return { told, isFrame: true };
  const last = on ? window.keyboardStop : undefined;
  // A field for a date has parts, each a stop.
  if (last?.element === element) return last.here;
  const drawn = (one) =>
    [one, ...labelsOf(one), one.parentElement, one.nextElementSibling].filter(Boolean).map((around) => {
      const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(around);
      const shown = (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) || boxShadow !== 'none';
      return { ring: `${outlineStyle} ${outlineWidth} ${outlineColor} ${boxShadow}`, shown };
    });
  const edges = (one) => ({ top: one.getBoundingClientRect().top + scrollY, bottom: one.getBoundingClientRect().bottom + scrollY });
  // What is for screen readers alone is seen as its label.
  const seen = element.matches('.unseen') ? (labelsOf(element)[0] ?? element) : element;
  const box = seen.getBoundingClientRect();
  const [left, top] = [Math.max(box.left, 0), Math.max(box.top, 0)];
  const [right, bottom] = [Math.min(box.right, innerWidth), Math.min(box.bottom, innerHeight)];
  const shown = right > left && bottom > top;
  const above = shown ? document.elementFromPoint((left + right) / 2, (top + bottom) / 2) : null;
  const own = above && (seen.contains(above) || above.contains(seen) || labelsOf(element).some((label) => label.contains(above)));
  const rings = drawn(element);
  const here = {
    told,
    isMain: Boolean(element.closest('main')),
    isTop: window === window.top,
    marked: rings.some((ring) => ring.shown),
    hidden: !shown || !own,
    box: `${Math.round(box.left)},${Math.round(box.top)} ${Math.round(box.width)}×${Math.round(box.height)} under ${above?.outerHTML.slice(0, 80)}`,
    ...edges(element),
  };
  const before = last && {
    told: last.here.told,
    isMain: last.here.isMain,
    unmarked: drawn(last.element).some(({ ring }, at) => ring !== last.rings[at]?.ring),
    order: last.element.compareDocumentPosition(element),
    ...edges(last.element),
  };
  window.keyboardStop = { element, rings, here };
  return { ...here, before };
}

/** A reader's keyboard. */
export class Keyboard {
  #page;
  /** The frame of the last stop. */
  #frame;

  constructor(page) {
    this.#page = page;
  }

  /** Whether the reader is still on the last stop: other keys, and the page itself, may have moved them since. */
  async #stays() {
    const still = () => Boolean(window.keyboardStop?.element.isConnected) && window.keyboardStop.element === document.activeElement;
    return Boolean(await this.#frame?.evaluate(still).catch(() => false));
  }

  /** What is focused, in whatever frame. */
  async #here(stays) {
    let frame = this.#page.mainFrame();
    for (;;) {
      const here = await frame.evaluate(arrived, stays && frame === this.#frame);
      if (!here?.isFrame) {
        this.#frame = frame;
        return here;
      }
      const element = await frame.evaluateHandle(() => document.activeElement);
      const inner = await element.asElement()?.contentFrame();
      const entered = await inner
        ?.evaluate(() => Boolean(document.activeElement) && document.activeElement !== document.body)
        .catch(() => false);
      if (!entered) return here;
      frame = inner;
    }
  }

  /**
   * One press of Tab, or of Shift+Tab. The stop must be in sight and show that it has the focus, in another way than when it has lost
   * it, and follow the one before on the page.
   */
  async tab(back = false) {
    const stays = await this.#stays();
    await this.#page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
    const here = await this.#here(stays);
    if (!here || here.isFrame) return here;
    expect(here.marked, `a ring stands around ${here.told}`).toBe(true);
    if (here.isTop) expect(here.hidden, `${here.told} is in sight: ${here.box}`).toBe(false);
    const { before } = here;
    if (!before) return here;
    expect(before.unmarked, `the focus shows on ${before.told}`).toBe(true);
    if (here.isTop && here.isMain && before.isMain) {
      const [bit, order] = back ? [2, here.top < before.bottom] : [4, here.bottom > before.top];
      expect(Boolean(before.order & bit) && order, `${here.told} follows ${before.told}`).toBe(true);
    }
    return here;
  }

  /** Presses Tab until one of these is focused. */
  async to(target, { back = false } = {}) {
    await expect(target.first()).toBeAttached();
    const met = [];
    for (let press = 0; press < MOST; press += 1) {
      const here = await this.tab(back);
      met.push(here?.told ?? 'the page');
      if (await target.evaluateAll((all) => all.includes(document.activeElement))) return;
    }
    throw new Error(`${target} was not reached by ${back ? 'Shift+Tab' : 'Tab'}: ${met.slice(0, 80).join(', ')}`);
  }

  async press(...keys) {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  /** Goes to something and presses Enter. */
  async open(target, way) {
    await this.to(target, way);
    await this.press('Enter');
  }

  /** Goes to a field and writes into it, over what it holds. */
  async write(target, text) {
    await this.to(target);
    await this.press('ControlOrMeta+A');
    await this.#page.keyboard.insertText(text);
  }

  /** Goes to a list and chooses what begins so. */
  async choose(target, beginning) {
    await this.to(target);
    // A list forgets the letters of somebody who takes more than a second for the next.
    await expect(async () => {
      await this.#page.keyboard.type(beginning);
      await expect(target.locator('option:checked')).toHaveText(new RegExp(`^${beginning}`), { timeout: 1_000 });
    }).toPass();
  }

  /** Goes through the whole page once; the stops on the way. */
  async through() {
    const met = [];
    this.#frame = undefined;
    for (let press = 0; press < MOST; press += 1) {
      const here = await this.tab();
      if (!here && met.length > 0) return met;
      if (here && !(here.told === met.at(-1)?.told && here.top === met.at(-1).top && here.box === met.at(-1).box)) met.push(here);
      if (met.length > 1 && here?.told === met[0].told && here.top === met[0].top) return met.slice(0, -1);
    }
    throw new Error(
      `the page lets nobody out: ${met
        .slice(-20)
        .map(({ told }) => told)
        .join(', ')}`,
    );
  }
}
