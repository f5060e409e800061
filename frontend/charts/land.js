// The land under maps: countries (Natural Earth) and states of the USA (Census Bureau), both public domain, from the packages world-atlas
// and us-atlas (ISC). The build puts them here as GeoJSON with few digits (`scripts/build-charts`).

import us from "virtual:land/us";
import world from "virtual:land/world";

const radians = Math.PI / 180;

/** Albers' equal-area cone, as maps of the USA use it. */
const cone = (() => {
  const [south, north, middle, origin] = [29.5 * radians, 45.5 * radians, -96, 37.5 * radians];
  const n = (Math.sin(south) + Math.sin(north)) / 2;
  const c = Math.cos(south) ** 2 + 2 * n * Math.sin(south);
  const start = Math.sqrt(c - 2 * n * Math.sin(origin)) / n;
  return {
    project([east, north_]) {
      // The Aleutians reach over the date line.
      const lambda = n * ((((east - middle + 540) % 360) - 180) * radians);
      const rho = Math.sqrt(Math.max(c - 2 * n * Math.sin(north_ * radians), 0)) / n;
      return [rho * Math.sin(lambda), rho * Math.cos(lambda) - start];
    },
    unproject([x, y]) {
      const down = start + y;
      const rho = Math.hypot(x, down);
      const sine = (c - (rho * n) ** 2) / (2 * n);
      return [Math.atan2(x, down) / n / radians + middle, Math.asin(Math.max(-1, Math.min(1, sine))) / radians];
    },
  };
})();

/** Miller's cylinder: the whole world without Mercator's giant north. */
const cylinder = {
  project: ([east, north]) => [east * radians, -1.25 * Math.log(Math.tan(Math.PI / 4 + 0.4 * north * radians))],
  unproject: ([x, y]) => [x / radians, (2.5 * Math.atan(Math.exp(-0.8 * y)) - 0.625 * Math.PI) / radians],
};

const LANDS = {
  us: { map: us, projection: cone, bounds: [[-125, 50], [-66.5, 24]] },
  world: { map: world, projection: cylinder, bounds: [[-170, 78], [180, -56]] },
};

const key = (name) => String(name).trim().toLowerCase();
const index = (map) => {
  const names = new Map();
  for (const { properties } of map.features) {
    for (const name of [properties.name, properties.code, ...(properties.also ?? [])]) if (name) names.set(key(name), properties.name);
  }
  return names;
};

/** `echarts` gives `getMap` and `registerMap`. Registers a map's land and fits the option to it. Regions are found by name or code (`GA`, `DE`), whatever their case. */
export function settle(echarts, option, spec) {
  let name = spec.$land;
  if (name === "auto") {
    const known = (land) => option.series[0].data.filter((one) => index(LANDS[land].map).has(key(one.name))).length;
    name = known("us") >= known("world") && known("us") > 0 ? "us" : "world";
  }
  const land = LANDS[name];
  if (!echarts.getMap(name)) echarts.registerMap(name, { geoJSON: land.map });
  const view = { map: name, projection: land.projection };
  if (option.geo) {
    const beyond = name === "us" && option.series[0].data.some(({ value: [east, north] }) => east < -125 || north > 50 || north < 24);
    Object.assign(option.geo, view, beyond ? {} : { boundingCoords: land.bounds });
  } else {
    const names = index(land.map);
    const [series] = option.series;
    const beyond = name === "us" && series.data.some(({ name: one }) => ["alaska", "hawaii"].includes(key(names.get(key(one)))));
    Object.assign(series, view, beyond ? {} : { boundingCoords: land.bounds });
    series.data = series.data.map((one) => ({ ...one, name: names.get(key(one.name)) ?? one.name }));
  }
  return option;
}
