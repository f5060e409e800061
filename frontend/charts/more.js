// The parts of ECharts that only some dashboards use; the browser fetches them when a chart needs one.

import {
  BoxplotChart, FunnelChart, GaugeChart, HeatmapChart, MapChart, RadarChart, SankeyChart, SunburstChart, TreemapChart,
} from "echarts/charts";
import { CalendarComponent, GeoComponent, RadarComponent, VisualMapContinuousComponent } from "echarts/components";
import { use } from "echarts/core";

use([
  BoxplotChart, FunnelChart, GaugeChart, HeatmapChart, MapChart, RadarChart, SankeyChart, SunburstChart, TreemapChart,
  CalendarComponent, GeoComponent, RadarComponent, VisualMapContinuousComponent,
]);
