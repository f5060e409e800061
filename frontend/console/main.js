// What makes the console livelier. Every form works without it.
import { dialogs, searching } from './keys.js';
import { copying, narrowing, times } from './reading.js';
import { forms } from './forms.js';
import { checks, previews, looks } from './live.js';
import { editing, playground, viewing } from './frames.js';

/** Readies a page, or the part of one that has just come. */
export function ready(root) {
  for (const part of [times, copying, narrowing, dialogs, checks, previews, looks, viewing, editing, playground]) part(root);
}

ready(document);
forms(document, ready);
searching(document);
document.documentElement.dataset.hydrated = 'true';
