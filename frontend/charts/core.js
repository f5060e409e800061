// The parts of ECharts that most dashboards use. They are always loaded. Each module registers itself; importing them one by
// one instead of the library's lists keeps the others out of this bundle.

import 'echarts/lib/chart/bar';
import 'echarts/lib/chart/line';
import 'echarts/lib/chart/pie';
import 'echarts/lib/chart/scatter';
import 'echarts/lib/component/gridSimple';
import 'echarts/lib/component/legend';
import 'echarts/lib/component/title';
import 'echarts/lib/component/tooltip';
import { getMap, init, registerMap } from 'echarts/lib/core/echarts.js';
import { use } from 'echarts/lib/extension.js';
import { install as svg } from 'echarts/lib/renderer/installSVGRenderer.js';
import { setPlatformAPI } from 'zrender/lib/core/platform.js';

use(svg);

export { getMap, init, registerMap, setPlatformAPI };
