// The geometry of maps: countries (Natural Earth) and states of the USA (Census Bureau), both public domain, from the packages
// world-atlas and us-atlas (ISC); countries' codes and further names from i18n-iso-countries (MIT). The build adds them as
// GeoJSON with few digits (`scripts/build-charts`).

import us from 'virtual:land/us';
import world from 'virtual:land/world';

const radians = Math.PI / 180;

/** The Albers equal-area conic projection. */
function cone(south, north, middle, origin) {
  const [low, high, base] = [south, north, origin].map((degrees) => degrees * radians);
  const n = (Math.sin(low) + Math.sin(high)) / 2;
  const c = Math.cos(low) ** 2 + 2 * n * Math.sin(low);
  const start = Math.sqrt(c - 2 * n * Math.sin(base)) / n;
  return ([east, up]) => {
    const lambda = n * ((((east - middle + 540) % 360) - 180) * radians);
    const rho = Math.sqrt(Math.max(c - 2 * n * Math.sin(up * radians), 0)) / n;
    return [rho * Math.sin(lambda), rho * Math.cos(lambda) - start];
  };
}

/** The usual map of the USA, with Alaska reduced and Hawaii moved to the south-west, and Puerto Rico below Florida. */
const states = (() => {
  const main = cone(29.5, 45.5, -96, 37.5);
  const alaska = cone(55, 65, -154, 58.5);
  const hawaii = cone(8, 18, -157, 20.5);
  const put = (project, scale, x, y) => (point) => project(point).map((value, at) => value * scale + (at ? y : x));
  const insets = [
    [(east, north) => north > 50 && (east < -129 || east > 170), put(alaska, 0.35, -0.31, 0.21)],
    [(east, north) => north < 24 && east < -150, put(hawaii, 1, -0.15, 0.24)],
    [(east, north) => north < 20 && east > -69, put(main, 1, -0.17, -0.07)],
  ];
  return {
    project: (point) => (insets.find(([holds]) => holds(...point))?.[1] ?? main)(point),
    // The map has no roaming, so the inverse is not needed.
    unproject: (point) => point,
  };
})();

/** The Miller cylindrical projection: the whole world, with less distortion in the north than Mercator. */
const cylinder = {
  project: ([east, north]) => [east * radians, -1.25 * Math.log(Math.tan(Math.PI / 4 + 0.4 * north * radians))],
  unproject: ([x, y]) => [x / radians, (2.5 * Math.atan(Math.exp(-0.8 * y)) - 0.625 * Math.PI) / radians],
};

const LANDS = {
  us: { map: us, projection: states },
  world: { map: world, projection: cylinder },
};

const key = (name) => String(name).trim().toLowerCase();
const index = (map) => {
  const names = new Map();
  // A region's own name takes precedence over another region's alias: `Congo`.
  const entries = map.features.map(({ properties }) => properties);
  for (const { name, also } of entries) for (const other of also ?? []) names.set(key(other), name);
  for (const { name, code } of entries) for (const own of [name, code]) if (own) names.set(key(own), name);
  return names;
};

/** The most names that the note lists. The others are counted. */
const LISTED = 4;

/** Lists names that are not regions, below the map. */
function note(option, lost, width) {
  const more = lost.length > LISTED ? ` +${lost.length - LISTED}` : '';
  Object.assign(option.title, { show: true, text: `Not on the map: ${lost.slice(0, LISTED).join(', ')}${more}` });
  Object.assign(option.title.textStyle, { width, overflow: 'truncate' });
  option.series[0].bottom += 20;
}

/**
 * `echarts` provides `getMap` and `registerMap`. Registers a map's geometry and fits the option to it, at a width in CSS
 * pixels. Regions are found by name or code (`GA`, `DE`), ignoring case. Unknown names are listed below the map.
 */
export function settle(echarts, option, spec, width) {
  let name = spec.$land;
  if (name === 'auto') {
    const known = (land) => option.series[0].data.filter((one) => index(LANDS[land].map).has(key(one.name))).length;
    name = known('us') >= known('world') && known('us') > 0 ? 'us' : 'world';
  }
  const land = LANDS[name];
  if (!echarts.getMap(name)) echarts.registerMap(name, { geoJSON: land.map });
  const view = { map: name, projection: land.projection };
  if (option.geo) Object.assign(option.geo, view);
  else {
    const names = index(land.map);
    const [series] = option.series;
    Object.assign(series, view);
    const lost = series.data.filter((one) => !names.has(key(one.name))).map((one) => one.name);
    series.data = series.data.map((one) => ({ ...one, name: names.get(key(one.name)) ?? one.name }));
    if (lost.length > 0 && option.title) note(option, lost, width);
  }
  return option;
}
