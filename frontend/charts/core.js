// The parts of ECharts that dashboards use most: always there.

import { BarChart, LineChart, PieChart, ScatterChart } from "echarts/charts";
import { GridComponent, LegendComponent, MarkLineComponent, TitleComponent, TooltipComponent } from "echarts/components";
import * as echarts from "echarts/core";
import { LabelLayout } from "echarts/features";
import { SVGRenderer } from "echarts/renderers";

echarts.use([
  BarChart, LineChart, PieChart, ScatterChart,
  GridComponent, LegendComponent, MarkLineComponent, TitleComponent, TooltipComponent,
  LabelLayout, SVGRenderer,
]);

export { echarts };
