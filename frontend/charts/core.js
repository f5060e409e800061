// The parts of ECharts that dashboards use most: always there. Each module registers itself; importing them one by one, rather than from
// the library's lists, keeps the rest out of this bundle.

import "echarts/lib/chart/bar";
import "echarts/lib/chart/line";
import "echarts/lib/chart/pie";
import "echarts/lib/chart/scatter";
import "echarts/lib/component/gridSimple";
import "echarts/lib/component/legend";
import "echarts/lib/component/title";
import "echarts/lib/component/tooltip";
import { getMap, init, registerMap, setPlatformAPI, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

use(SVGRenderer);

export { getMap, init, registerMap, setPlatformAPI };
