// Converts a chart's option to one that ECharts can draw at a size.

import { layout } from './layout.js';
import { revive } from './markers.js';

/** The server passes no `tooltip`. */
export function prepare(spec, width, height, tooltip) {
  const option = layout(revive(spec, tooltip), spec, width, height);
  if (!tooltip) delete option.tooltip;
  return option;
}
