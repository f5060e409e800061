// Goal lines. The browser loads this when a chart has one.

import 'echarts/lib/component/markLine';
