// The width of text, the same on server and browser.

import { regular, semibold } from './inter.js';

const table = (runs) => {
  const widths = new Map();
  for (const [first, run] of runs) {
    for (const [at, width] of run.entries()) if (width) widths.set(first + at, width);
  }
  return widths;
};
const REGULAR = table(regular);
const SEMIBOLD = table(semibold);

function advance(code, widths) {
  const width = widths.get(code) ?? REGULAR.get(code);
  if (width !== undefined) return width;
  // Characters without a width: joiners, directions, accents.
  if ((code >= 0x200b && code <= 0x200f) || (code >= 0x300 && code < 0x370)) return 0;
  if (code === 0x202f) return 200;
  // From Hangul on, characters are square.
  return code >= 0x1100 ? 1000 : 600;
}

/** The width of a line in CSS pixels. `font` is a CSS font shorthand; its size and weight are used. */
export function textWidth(text, font) {
  const size = Number.parseFloat(/([\d.]+)px/.exec(font ?? '')?.[1] ?? '12');
  const widths = /\b(bold|[6-9]00)\b/.test(font ?? '') ? SEMIBOLD : REGULAR;
  let sum = 0;
  for (const letter of String(text ?? '')) sum += advance(letter.codePointAt(0), widths);
  return (sum * size) / 1000;
}

/** Whether the table applies to a font: Inter must be the first family. */
export const isInter = (font) => /px\s+["']?Inter\b/.test(font ?? '');
