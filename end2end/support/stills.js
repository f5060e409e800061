// Pictures of pages, compared with the references in end2end/pictures. Pages stand still for them: one time of day, no motion, and only
// the fonts that Inlay brings.
import { expect, inWorld } from './fixtures.js';
import { PICTURED } from './pictured.js';

/** The time that every page sees. */
const NOW = new Date('2024-07-01T09:30:00Z');
const FONT = 'Inter Variable';

/** A style sheet whose text waits for its font, and whose code and check marks are in that font too: others are the system's. */
const embedded = (sheet) =>
  sheet
    .replace(/font-display:\s*optional/g, 'font-display:block')
    .replace(/ui-monospace[^;}]*/g, `"${FONT}"`)
    .replace(/"(✓|\\2713)"/g, '"v"')
    .concat(`code,kbd,pre,samp{font-family:"${FONT}"}`);

/** Sizes of the window, low so that references are small. */
export const DESK = { width: 1280, height: 640 };
export const PHONE = { width: 390, height: 700 };

/** Fixtures for pictures, with a service of all their states for each call: what one file does there is in no picture of another. */
export const pictured = () =>
  inWorld(PICTURED).extend(
    /** @type {any} */ ({
      contextOptions: [{ reducedMotion: 'reduce' }, { option: true }],
      context: async ({ context }, use) => {
        await context.clock.setFixedTime(NOW);
        await context.route(/\.css(\?|$)/, async (route) => {
          const response = await route.fetch();
          await route.fulfill({ response, body: embedded(await response.text()) });
        });
        await use(context);
      },
    }),
  );

/** What differs from run to run, as the source of a pattern, and what stands in its place: ids, addresses and durations. */
const CHANGING = [
  ['[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', '01234567-89ab-7cde-8f01-23456789abcd'],
  ['(127\\.0\\.0\\.1|localhost):\\d+', 'inlay.example'],
  ['\\b\\d+(\\.\\d+)? ms\\b', '7 ms'],
];

/** Replaces what differs from run to run, in the page. */
function settle({ changing, time }) {
  for (const element of document.querySelectorAll('time')) element.textContent = time;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = /** @type {Text} */ (walker.nextNode()); node; node = /** @type {Text} */ (walker.nextNode())) {
    const text = changing.reduce((shown, [pattern, fixed]) => shown.replace(new RegExp(pattern, 'g'), fixed), node.data);
    if (text !== node.data) node.data = text;
  }
}

/** Marks the elements that hold text within a rectangle of the window, in the page. */
function mark({ x, y, width, height }) {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const box = node.parentElement.getBoundingClientRect();
    const inside = box.left < x + width && box.right > x && box.top < y + height && box.bottom > y;
    if (inside && node.textContent.trim() && node.parentElement.checkVisibility()) node.parentElement.dataset.pictured = '';
  }
}

/** The texts of a rectangle of the window that are in a font of the system, as Chromium tells for each element that holds text itself. */
async function systemFonts(page, rectangle) {
  await page.evaluate(mark, rectangle);
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument', { depth: 0 });
  const { nodeIds } = await session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: '[data-pictured]' });
  const foreign = async (nodeId) => {
    // A chart may be drawn again meanwhile.
    const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId }).catch(() => ({ fonts: [] }));
    const others = fonts.filter(({ isCustomFont }) => !isCustomFont).map(({ familyName }) => familyName);
    return others.length === 0 ? [] : [`${others}: ${(await session.send('DOM.getOuterHTML', { nodeId })).outerHTML.slice(0, 200)}`];
  };
  const found = await Promise.all(nodeIds.map(foreign));
  await session.detach();
  await page.evaluate(() => {
    for (const element of document.querySelectorAll('[data-pictured]')) element.removeAttribute('data-pictured');
  });
  return found.flat();
}

/** Waits until the browser has drawn every chart itself. Before that, the server's pictures are shown. */
export async function drawnByBrowser(page) {
  await page.locator('figure').evaluateAll((figures) => {
    for (const figure of figures) figure.dispatchEvent(new PointerEvent('pointerenter'));
  });
  await expect(page.locator('figure .plot > svg')).toHaveCount(0);
}

/** The rectangle around parts of a page, within the window, at most `height` high. */
async function around(page, parts, height) {
  const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
  const window = page.viewportSize();
  const x = Math.max(0, Math.floor(Math.min(...boxes.map((box) => box.x))));
  const y = Math.max(0, Math.floor(Math.min(...boxes.map((box) => box.y))));
  const right = Math.min(window.width, Math.ceil(Math.max(...boxes.map((box) => box.x + box.width))));
  const bottom = Math.min(window.height, Math.ceil(Math.max(...boxes.map((box) => box.y + box.height))));
  return { x, y, width: right - x, height: Math.min(bottom - y, height) };
}

/** Brings a page to rest. Returns the rectangle of its picture. */
async function rest(page, /** @type {Cut} */ { of, height = Number.POSITIVE_INFINITY }) {
  await page.evaluate(() => document.fonts.ready);
  await page.evaluate(settle, { changing: CHANGING, time: 'Jul 1, 2024, 09:30' });
  await of?.[0].evaluate((element) => {
    const box = element.getBoundingClientRect();
    if (box.top < 0 || box.bottom > innerHeight) element.scrollIntoView({ block: box.height > innerHeight ? 'start' : 'center' });
  });
  return around(page, of ?? [page.locator('html')], height);
}

/**
 * Compares the window, or the rectangle around parts of it, with its reference. What is lower than `height` stays out of the picture.
 * @typedef {{ of?: import('@playwright/test').Locator[], height?: number }} Cut
 * @param {import('@playwright/test').Page} page @param {string} name @param {Cut} [cut]
 */
export async function compare(page, name, cut = {}) {
  const clip = await rest(page, cut);
  expect.soft(await systemFonts(page, clip), `${name}: texts in fonts of the system`).toEqual([]);
  await expect.soft(page).toHaveScreenshot(`${name}.png`, { clip });
}

/**
 * Expects that a picture differs from its reference under a change of the page's style.
 * @param {import('@playwright/test').Page} page @param {string} name @param {string} style @param {Cut} cut
 */
export async function differs(page, name, style, cut) {
  const clip = await rest(page, cut);
  await page.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [sheet];
  }, style);
  await expect.soft(page, `${name} with ${style}`).not.toHaveScreenshot(`${name}.png`, { clip, timeout: 2_000 });
  await page.evaluate(() => {
    document.adoptedStyleSheets = [];
  });
}
