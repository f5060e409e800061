// The parts of ECharts that only some dashboards use. The browser loads them when a chart needs one.

import 'echarts/lib/chart/boxplot';
import 'echarts/lib/chart/gauge';
import 'echarts/lib/chart/heatmap';
import 'echarts/lib/chart/map';
import 'echarts/lib/chart/radar';
import 'echarts/lib/chart/sankey';
import 'echarts/lib/chart/sunburst';
import 'echarts/lib/chart/treemap';
import 'echarts/lib/component/calendar';
import 'echarts/lib/component/geo';
import 'echarts/lib/component/radar';
import 'echarts/lib/component/visualMapContinuous';
