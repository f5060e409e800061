// Lines across a plot, for goals; the browser fetches them when a chart has one.

import 'echarts/lib/component/markLine';
