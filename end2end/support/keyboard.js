// Somebody without a pointer: they reach everything by the Tab key, and see at each stop where they are.
import { expect } from '@playwright/test';

/** More stops than any page has. */
const MOST = 400;

/**
 * What an element is, where it stands, whether anything covers it, and how it, its labels and what stands around it are drawn: wherever a
 * ring may show that it is focused. With the element that the reader comes from, where that stands now, whether its ring is gone, and which
 * of the two comes first.
 */
function stop(element, { from, rings } = {}) {
  const labelsOf = (one) => [...(one.labels ?? [])];
  const drawn = (one) => [one, ...labelsOf(one), one.parentElement, one.nextElementSibling].filter(Boolean).map((around) => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(around);
    const shown = (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) || boxShadow !== 'none';
    return { ring: `${outlineStyle} ${outlineWidth} ${outlineColor} ${boxShadow}`, shown };
  });
  const labels = labelsOf(element);
  // What is for screen readers alone is seen as its label.
  const seen = element.matches('.unseen') ? labels[0] ?? element : element;
  const box = seen.getBoundingClientRect();
  const [left, top] = [Math.max(box.left, 0), Math.max(box.top, 0)];
  const [right, bottom] = [Math.min(box.right, innerWidth), Math.min(box.bottom, innerHeight)];
  const shown = right > left && bottom > top;
  const above = shown ? document.elementFromPoint((left + right) / 2, (top + bottom) / 2) : null;
  const own = above && (seen.contains(above) || above.contains(seen) || labels.some((label) => label.contains(above)));
  const name = element.getAttribute('aria-label') ?? labels[0]?.textContent ?? element.textContent;
  const edges = (one) => ({ top: one.getBoundingClientRect().top + scrollY, bottom: one.getBoundingClientRect().bottom + scrollY });
  const before = from && {
    ...edges(from),
    unmarked: drawn(from).some(({ ring }, at) => ring !== rings[at]?.ring),
    order: from.compareDocumentPosition(element),
  };
  return {
    told: `${element.tagName.toLowerCase()} "${name.trim().replace(/\s+/g, ' ').slice(0, 60)}"`,
    hidden: !shown || !own,
    box: `${Math.round(box.left)},${Math.round(box.top)} ${Math.round(box.width)}×${Math.round(box.height)} under ${above?.outerHTML.slice(0, 80)}`,
    isMain: Boolean(element.closest('main')),
    isTop: window === window.top,
    rings: drawn(element),
    before,
    ...edges(element),
  };
}

/** A reader's keyboard. */
export class Keyboard {
  #page;
  #last;

  constructor(page) {
    this.#page = page;
  }

  /** The focused element, in whatever frame; none where the page itself has the focus. */
  async #focused() {
    let frame = this.#page.mainFrame();
    for (;;) {
      const handle = await frame.evaluateHandle(() => document.activeElement);
      const element = handle.asElement();
      if (!element) return undefined;
      const inner = await element.contentFrame();
      if (!inner) return await element.evaluate((one) => one === document.body) ? undefined : element;
      const entered = await inner.evaluate(() => document.activeElement && document.activeElement !== document.body).catch(() => false);
      if (!entered) return element;
      frame = inner;
    }
  }

  /** Where the reader comes from: what they were on, unless other keys or the page itself have moved them since. */
  async #from() {
    const stays = await this.#last?.element.evaluate((one) => one.isConnected && document.activeElement === one).catch(() => false);
    return stays ? this.#last : undefined;
  }

  /**
   * One press of Tab, or of Shift+Tab. The stop must be in sight and show that it has the focus, in another way than when it has lost
   * it, and follow the one before on the page.
   */
  async tab(back = false) {
    const last = await this.#from();
    await this.#page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
    const element = await this.#focused();
    this.#last = undefined;
    if (!element) return undefined;
    const together = last && await element.ownerFrame() === await last.element.ownerFrame();
    // A field for a date has parts, each a stop.
    if (together && await element.evaluate((one, other) => one === other, last.element)) {
      this.#last = last;
      return last;
    }
    const here = await element.evaluate(stop, together ? { from: last.element, rings: last.rings } : undefined);
    if (here.told.startsWith('iframe')) return here;
    expect(here.rings.some(({ shown }) => shown), `a ring stands around ${here.told}`).toBe(true);
    if (together) expect(here.before.unmarked, `the focus shows on ${last.told}`).toBe(true);
    if (here.isTop) expect(here.hidden, `${here.told} is in sight: ${here.box}`).toBe(false);
    if (together && here.isTop && here.isMain && last.isMain) {
      const [bit, order] = back ? [2, here.top < here.before.bottom] : [4, here.bottom > here.before.top];
      expect(Boolean(here.before.order & bit) && order, `${here.told} follows ${last.told}`).toBe(true);
    }
    this.#last = { element, ...here };
    return this.#last;
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
    await this.#page.keyboard.type(beginning);
    await expect(target.locator('option:checked')).toHaveText(new RegExp(`^${beginning}`));
  }

  /** Goes through the whole page once; the stops on the way. */
  async through() {
    const met = [];
    this.#last = undefined;
    for (let press = 0; press < MOST; press += 1) {
      const here = await this.tab();
      if (!here && met.length > 0) return met;
      if (here && here !== met.at(-1)) met.push(here);
      if (met.length > 1 && here?.told === met[0].told && here.top === met[0].top) return met.slice(0, -1);
    }
    throw new Error(`the page lets nobody out: ${met.slice(-20).map(({ told }) => told).join(', ')}`);
  }
}
