// A user without a pointer: reaches everything with the Tab key and must see the focus at each stop.
import { expect } from '@playwright/test';

/** More stops than any page has. */
const MOST = 400;

/**
 * Evaluated in a frame: the focused element, its position, whether anything covers it, and the styles of the element, its
 * labels and the surrounding elements, where a focus ring may be drawn. After another stop of the frame (`on`), also whether
 * that ring is gone and which of the two comes first.
 */
function arrived(on) {
  const element = document.activeElement;
  if (!element || element === document.body) return undefined;
  const labelsOf = (one) => [...(one.labels ?? [])];
  const name = element.getAttribute('aria-label') ?? labelsOf(element)[0]?.textContent ?? element.textContent;
  const told = `${element.tagName.toLowerCase()} "${name.trim().replace(/\s+/g, ' ').slice(0, 60)}"`;
  if (element.tagName === 'IFRAME') return { told, isFrame: true };
  const last = on ? window.keyboardStop : undefined;
  // The parts of a date field are separate stops.
  if (last?.element === element) return last.here;
  const drawn = (one) =>
    [one, ...labelsOf(one), one.parentElement, one.nextElementSibling].filter(Boolean).map((around) => {
      const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(around);
      const shown = (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) || boxShadow !== 'none';
      return { ring: `${outlineStyle} ${outlineWidth} ${outlineColor} ${boxShadow}`, shown };
    });
  const edges = (one) => ({ top: one.getBoundingClientRect().top + scrollY, bottom: one.getBoundingClientRect().bottom + scrollY });
  // An element that only screen readers see is judged by its label.
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

/** A user's keyboard. */
export class Keyboard {
  #page;
  /** The frame of the last stop. */
  #frame;

  constructor(page) {
    this.#page = page;
  }

  /** Whether the focus is still on the last stop: other keys or the page may have moved it. */
  async #stays() {
    const still = () => Boolean(window.keyboardStop?.element.isConnected) && window.keyboardStop.element === document.activeElement;
    return Boolean(await this.#frame?.evaluate(still).catch(() => false));
  }

  /** The focused element, in any frame. */
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
   * Presses Tab or Shift+Tab once. The stop must be visible, show the focus by a changed style, and follow the previous one on
   * the page.
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

  /** Presses Tab until one of these has the focus. */
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

  /** Moves to an element and presses Enter. */
  async open(target, way) {
    await this.to(target, way);
    await this.press('Enter');
  }

  /** Moves to a field and replaces its value. */
  async write(target, text) {
    await this.to(target);
    await this.press('ControlOrMeta+A');
    await this.#page.keyboard.insertText(text);
  }

  /** Moves to a select and chooses the option that begins so. */
  async choose(target, beginning) {
    await this.to(target);
    // A select forgets typed letters after a second.
    await expect(async () => {
      await this.#page.keyboard.type(beginning);
      await expect(target.locator('option:checked')).toHaveText(new RegExp(`^${beginning}`), { timeout: 1_000 });
    }).toPass();
  }

  /** Tabs through the whole page. Returns the stops. */
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
