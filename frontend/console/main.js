// Enhances the console. Every form also works without scripts.

import { addresses } from './addresses.js';
import { colours } from './colours.js';
import { columns } from './columns.js';
import { checking, revealing } from './fields.js';
import { following } from './following.js';
import { forms } from './forms.js';
import { editing, viewing } from './frames.js';
import { dialogs, keys, menus } from './keys.js';
import { checks, looks, outdating, previews } from './live.js';
import { palette } from './palette.js';
import { playground } from './playground.js';
import { copying, narrowing, remembering, scrolling, times } from './reading.js';
import { several } from './several.js';
import { templates } from './templates.js';

/** Prepares a page, or a part that was inserted. */
export function ready(root) {
  for (const part of [
    times,
    remembering,
    copying,
    narrowing,
    scrolling,
    revealing,
    dialogs,
    menus,
    addresses,
    checks,
    columns,
    several,
    previews,
    templates,
    looks,
    outdating,
    colours,
    viewing,
    editing,
    playground,
    following,
  ]) {
    // What fails on a page does not stop the others.
    try {
      part(root);
    } catch (problem) {
      reportError(problem);
    }
  }
}

ready(document);
checking(document);
forms(document, ready);
keys(document);
palette(document);
document.documentElement.dataset.hydrated = 'true';
