// The chart runtime of the server: `inlayCharts.svg(json, width, height)` in QuickJS, which has neither a page nor timers.

import './quickjs.js';
import { getMap, init, registerMap, setPlatformAPI } from './core.js';
import { text } from './format.js';
import { settle } from './land.js';
import { textWidth } from './measure.js';
import './mark.js';
import './more.js';
import { prepare } from './prepare.js';

setPlatformAPI({ measureText: (line, font) => ({ width: textWidth(line, font) }) });

/** The picture of an option, given as JSON, at a size in CSS pixels. */
function svg(json, width, height) {
  const spec = JSON.parse(json);
  const option = prepare(spec, width, height);
  if (spec.$land) settle({ getMap, registerMap }, option, spec, width);
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption(option);
    // `renderToSVGString` would add a style sheet for hovering.
    return chart.getZr().painter.renderToString({ useViewBox: true, cssAnimation: false, cssEmphasis: false });
  } finally {
    chart.dispose();
  }
}

/** Formats a value, with all arguments as JSON. The tests compare the result with the server's own. */
const formatted = (json) => {
  const { value, format, locale } = JSON.parse(json);
  return text(value, format, locale);
};

globalThis.inlayCharts = { svg, formatted };
