// Replaces parts of ECharts that Inlay's options never use, but that the library always bundles. Page and server use the same
// replacements; the tests of `inlay-render` draw every type of chart with them.

const nothing = 'export default () => undefined;';

/** Module of ECharts or zrender → its replacement. The comments say why it is not needed. */
export const spare = {
  // Decal patterns: no theme has them. They would bundle the canvas renderer.
  'echarts/lib/util/decal.js': 'export const createOrUpdatePatternFromDecal = () => undefined;',
  // Inlay has its own themes and month names.
  'echarts/lib/theme/dark.js': 'export default {};',
  'echarts/lib/i18n/langZH.js': 'export default {};',
  // Options of versions 2 to 4.
  'echarts/lib/preprocessor/backwardCompat.js': nothing,
  // The page shows its own loading state.
  'echarts/lib/loading/default.js': nothing,
  // Tooltips drawn in the picture, or made of markup.
  'echarts/lib/component/tooltip/TooltipRichContent.js': 'export default class {};',
  // Style sheets in pictures.
  'zrender/lib/svg/cssAnimation.js':
    'export const EASING_MAP = {}, ANIMATE_STYLE_MAP = {}; export const createCSSAnimation = () => undefined;',
  'zrender/lib/svg/cssEmphasis.js': 'export const createCSSEmphasis = () => undefined;',
  // Data sets that are computed from others.
  'echarts/lib/data/helper/transform.js':
    'export class ExternalSource {}; export const registerExternalTransform = () => undefined; export const applyDataTransform = () => [];',
  // Rendering of 100,000 points on a canvas.
  'echarts/lib/chart/helper/LargeSymbolDraw.js': 'export default class {};',
  // Labels with leader lines around a pie: the legend shows the names.
  'echarts/lib/chart/pie/labelLayout.js': nothing,
  'echarts/lib/label/labelGuideHelper.js':
    'export const setLabelLineStyle = (mark) => mark.removeTextGuideLine(), getLabelLineStatesModels = () => undefined;',
  // Listeners of single marks: the page listens to all of them.
  'echarts/lib/util/ECEventProcessor.js': 'export class ECEventProcessor {}',
  // A stable sort, which all engines have now.
  'zrender/lib/core/timsort.js': 'export default (list, compare) => { list.sort(compare); };',
  // The default content of tooltips: all tooltips have a formatter. Its padding is still read.
  'echarts/lib/component/tooltip/tooltipMarkup.js': `
    export const createTooltipMarkup = (type, option) => Object.assign(option, { type });
    export const buildTooltipMarkup = () => "";
    export const retrieveVisualColorForTooltipMarker = () => undefined;
    export const getPaddingFromTooltipModel = (model) => model.get("padding") ?? 10;
    export class TooltipMarkupStyleCreator { makeTooltipMarker() { return ""; } }`,
  'echarts/lib/component/tooltip/seriesFormatTooltip.js': 'export const defaultSeriesFormatTooltip = () => undefined;',
  // Logarithmic axes, stripes between ticks, labels of polar sectors.
  'echarts/lib/scale/Log.js': 'export default class {};',
  'echarts/lib/component/axis/axisSplitHelper.js':
    'export const rectCoordAxisBuildSplitArea = () => undefined; export const rectCoordAxisHandleRemove = () => undefined;',
  'echarts/lib/label/sectorLabel.js':
    'export const createSectorCalculateTextPosition = () => undefined; export const setSectorTextRotation = () => undefined;',
  // Selecting, dragging and pinching marks.
  'echarts/lib/legacy/dataSelectAction.js':
    'export const createLegacyDataSelectAction = () => undefined; export const handleLegacySelectEvents = () => undefined;',
  'zrender/lib/mixin/Draggable.js': 'export default class {};',
  'zrender/lib/core/GestureMgr.js': 'export class GestureMgr { recognize() {} clear() { return this; } };',
  // Progressive rendering on a canvas.
  'zrender/lib/graphic/IncrementalDisplayable.js': 'export default class {};',
  // Easing functions: only one is used.
  'zrender/lib/animation/easing.js': 'export default { linear: (part) => part, cubicOut: (part) => 1 + (part - 1) ** 3 };',
  // Names for screen readers and tools that are not used. Names of months and weekdays come with the option.
  'echarts/lib/i18n/langEN.js':
    'export default { time: { month: [], monthAbbr: [], dayOfWeek: [], dayOfWeekAbbr: [] }, legend: { selector: {} }, toolbox: {}, series: { typeNames: {} }, aria: {} };',
};
