// Parts of ECharts that our options never reach but that the library always brings along. The build puts these few lines in their place,
// for page and server alike; the tests of `inlay-render` draw every type of chart with them.

const nothing = 'export default () => undefined;';

/** Module of ECharts or zrender → what stands in its place, and why it can. */
export const spare = {
  // Patterns on marks: none of our themes has them. They bring the canvas renderer.
  'echarts/lib/util/decal.js': 'export const createOrUpdatePatternFromDecal = () => undefined;',
  // Our themes are our own, and so are the names of months.
  'echarts/lib/theme/dark.js': 'export default {};',
  'echarts/lib/i18n/langZH.js': 'export default {};',
  // Options written for versions 2 to 4.
  'echarts/lib/preprocessor/backwardCompat.js': nothing,
  // The page shows its own state while rows are on their way.
  'echarts/lib/loading/default.js': nothing,
  // Tooltips drawn inside the picture, or made of markup.
  'echarts/lib/component/tooltip/TooltipRichContent.js': 'export default class {};',
  // Style sheets inside pictures.
  'zrender/lib/svg/cssAnimation.js':
    'export const EASING_MAP = {}, ANIMATE_STYLE_MAP = {}; export const createCSSAnimation = () => undefined;',
  'zrender/lib/svg/cssEmphasis.js': 'export const createCSSEmphasis = () => undefined;',
  // Data sets that compute others.
  'echarts/lib/data/helper/transform.js':
    'export class ExternalSource {}; export const registerExternalTransform = () => undefined; export const applyDataTransform = () => [];',
  // A hundred thousand points on a canvas.
  'echarts/lib/chart/helper/LargeSymbolDraw.js': 'export default class {};',
  // Labels with lines round a pie: its names stand in the legend.
  'echarts/lib/chart/pie/labelLayout.js': nothing,
  // A stable sort, which every engine has by now.
  'zrender/lib/core/timsort.js': 'export default (list, compare) => { list.sort(compare); };',
  // What a tooltip says without a formatter: each of ours has one. Its padding is asked for all the same.
  'echarts/lib/component/tooltip/tooltipMarkup.js': `
    export const createTooltipMarkup = (type, option) => Object.assign(option, { type });
    export const buildTooltipMarkup = () => "";
    export const retrieveVisualColorForTooltipMarker = () => undefined;
    export const getPaddingFromTooltipModel = (model) => model.get("padding") ?? 10;
    export class TooltipMarkupStyleCreator { makeTooltipMarker() { return ""; } }`,
  'echarts/lib/component/tooltip/seriesFormatTooltip.js': 'export const defaultSeriesFormatTooltip = () => undefined;',
  // Logarithmic axes, stripes between ticks, names of sectors of a polar grid.
  'echarts/lib/scale/Log.js': 'export default class {};',
  'echarts/lib/component/axis/axisSplitHelper.js':
    'export const rectCoordAxisBuildSplitArea = () => undefined; export const rectCoordAxisHandleRemove = () => undefined;',
  'echarts/lib/label/sectorLabel.js':
    'export const createSectorCalculateTextPosition = () => undefined; export const setSectorTextRotation = () => undefined;',
  // Marks that are selected, dragged or pinched.
  'echarts/lib/legacy/dataSelectAction.js':
    'export const createLegacyDataSelectAction = () => undefined; export const handleLegacySelectEvents = () => undefined;',
  'zrender/lib/mixin/Draggable.js': 'export default class {};',
  'zrender/lib/core/GestureMgr.js': 'export class GestureMgr { recognize() {} clear() { return this; } };',
  // Drawn bit by bit on a canvas.
  'zrender/lib/graphic/IncrementalDisplayable.js': 'export default class {};',
  // The ways of moving: ours is one.
  'zrender/lib/animation/easing.js': 'export default { linear: (part) => part, cubicOut: (part) => 1 + (part - 1) ** 3 };',
  // Names for screen readers and tools that are not there; months and weekdays come with the option.
  'echarts/lib/i18n/langEN.js':
    'export default { time: { month: [], monthAbbr: [], dayOfWeek: [], dayOfWeekAbbr: [] }, legend: { selector: {} }, toolbox: {}, series: { typeNames: {} }, aria: {} };',
};
