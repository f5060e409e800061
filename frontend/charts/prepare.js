// From the option as it came to one that ECharts can draw at a size.

import { layout } from './layout.js';
import { revive } from './markers.js';

/** `tooltip` is left out on the server. */
export function prepare(spec, width, height, tooltip) {
  const option = layout(revive(spec, tooltip), spec, width, height);
  if (!tooltip) delete option.tooltip;
  return option;
}
