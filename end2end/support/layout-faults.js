// What is wrong with the layout of a page, measured in the browser.

/**
 * The faults of the page as sentences, to be evaluated in the page: it scrolls sideways, a text is cut off without an ellipsis
 * and cannot be scrolled to, a part of a tile lies outside of it, parts of a head lie on each other, a number is not whole
 * or on several lines, a low drawing has texts, a chart failed or still loads.
 */
export function layoutFaults() {
  const faults = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) faults.push(`the page scrolls sideways: ${root.scrollWidth} > ${root.clientWidth}`);
  const short = (text) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
  const named = (element) => `${element.tagName.toLowerCase()}.${element.classList[0] ?? ''} “${short(element.textContent.trim())}”`;
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('.unseen');
  const scrolls = (style) => /auto|scroll/.test(`${style.overflowX} ${style.overflowY}`);
  const hides = (style) => /hidden|clip/.test(`${style.overflowX} ${style.overflowY}`);
  const overlap = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const exceeds = (box, edge, room = 1) =>
    box.left < edge.left - room || box.right > edge.right + room || box.top < edge.top - room || box.bottom > edge.bottom + room;

  /** The boxes of the lines of text of an element or a text. */
  const lines = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
  };

  /** Whether what exceeds the element ends with an ellipsis. */
  const hasEllipsis = (style) => style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';

  // Texts that an element cuts off. SVG texts are not HTML elements.
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = new Set();
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (node.textContent.trim() && node.parentElement instanceof HTMLElement) texts.add(node.parentElement);
  for (const element of texts) {
    if (!isShown(element) || element.closest('script, style, noscript')) continue;
    for (let around = element; around && around !== document.body; around = around.parentElement) {
      const style = getComputedStyle(around);
      if (scrolls(style) || hasEllipsis(style)) break;
      if (!hides(style)) continue;
      const edge = around.getBoundingClientRect();
      // Glyphs are lower than their line.
      if (lines(element).some((line) => exceeds(line, edge, 3))) faults.push(`cut off: ${named(element)}`);
    }
  }

  // Parts of tiles, except what is scrolled to and what a drawing consists of.
  for (const figure of document.querySelectorAll('figure')) {
    const tile = figure.getBoundingClientRect();
    if (!isShown(figure)) continue;
    if (!['ready', 'empty'].includes(figure.dataset.state ?? ''))
      faults.push(`${figure.dataset.state}: ${figure.getAttribute('aria-label')}`);
    for (const part of figure.querySelectorAll('*')) {
      const box = part.getBoundingClientRect();
      if (!isShown(part) || box.width === 0 || box.height === 0 || part.closest('.menu-list') || part.matches('svg *')) continue;
      if (part.parentElement.closest('.table-scroll, .tile-body:has(> .prose), .plot[tabindex]')) continue;
      if (exceeds(box, tile)) faults.push(`outside of “${short(figure.getAttribute('aria-label') ?? '')}”: ${named(part)}`);
    }
    const title = figure.querySelector('.tile-title');
    const value = figure.querySelector('.number-value');
    const menu = figure.querySelector('.tile-head > .menu');
    if (title && value && overlap(title.getBoundingClientRect(), value.getBoundingClientRect()))
      faults.push(`title on value: ${named(value)}`);
    // The menu of a number lies above its title on hover.
    if (title && menu && !value && overlap(title.getBoundingClientRect(), menu.getBoundingClientRect()))
      faults.push(`title on menu: ${named(title)}`);
    for (const part of value?.childNodes ?? [])
      if (part.nodeType === Node.TEXT_NODE && new Set(lines(part).map(({ top }) => Math.round(top))).size > 1)
        faults.push(`broken number: ${named(value)}`);
    if (value && (value.scrollWidth > value.clientWidth || value.scrollHeight > value.clientHeight + 1))
      faults.push(`not whole: ${named(value)}`);
    // A drawing without room for texts has none, except a gauge's number.
    const plot = figure.querySelector('.plot');
    const written = plot && plot.clientHeight < 64 ? plot.querySelectorAll('svg text').length : 0;
    if (written > 1) faults.push(`${written} texts in a drawing of ${plot.clientHeight} px: ${named(figure)}`);
    const delta = figure.querySelector('.number-delta');
    if (value && delta && overlap(value.getBoundingClientRect(), delta.getBoundingClientRect()))
      faults.push(`value on change: ${named(value)}`);
  }

  // The heads of the page: siblings that must not lie on each other.
  for (const head of document.querySelectorAll('.header, .header-tools, .filters, .filter, .tabs, .dashboard, .grid')) {
    const parts = [...head.children].filter((part) => isShown(part) && part.getBoundingClientRect().height > 0);
    parts.forEach((part, at) => {
      if (part.matches('.select-pop')) return;
      const box = part.getBoundingClientRect();
      const later = parts.slice(at + 1).find((other) => !other.matches('.select-pop') && overlap(box, other.getBoundingClientRect()));
      if (later) faults.push(`${named(part)} lies on ${named(later)}`);
    });
  }
  return [...new Set(faults)];
}
