// Reduces the outlines of countries and states for maps: fewer digits, no tiny islands, and the codes that data may use.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { feature } from 'topojson-client';

const packages = join(import.meta.dirname, '../../node_modules');
const read = (path) => JSON.parse(readFileSync(join(packages, path), 'utf8'));

/** Postal codes of the states, by census number. */
const STATES =
  '01AL 02AK 04AZ 05AR 06CA 08CO 09CT 10DE 11DC 12FL 13GA 15HI 16ID 17IL 18IN 19IA 20KS 21KY 22LA 23ME 24MD 25MA 26MI 27MN 28MS 29MO 30MT 31NE 32NV 33NH 34NJ 35NM 36NY 37NC 38ND 39OH 40OK 41OR 42PA 44RI 45SC 46SD 47TN 48TX 49UT 50VT 51VA 53WA 54WV 55WI 56WY 72PR';
const postal = new Map(STATES.split(' ').map((entry) => [entry.slice(0, 2), entry.slice(2)]));

/** Other names of a country, by ISO 3166 number: its codes and its English names. */
function countryNames() {
  const names = read('i18n-iso-countries/langs/en.json').countries;
  const countries = new Map(
    read('i18n-iso-countries/codes.json').map(([code, long, number]) => [number, { code, also: [long, names[code] ?? []].flat() }]),
  );
  // Natural Earth has areas without a number.
  const unnumbered = { Kosovo: { code: 'XK', also: ['XKX'] }, 'N. Cyprus': { also: ['Northern Cyprus'] } };
  return (id, name) => countries.get(id) ?? unnumbered[name] ?? { also: [] };
}

const area = (ring) =>
  Math.abs(ring.reduce((sum, [x, y], at) => sum + x * ring[(at + 1) % ring.length][1] - ring[(at + 1) % ring.length][0] * y, 0)) / 2;

/** Rings with fewer digits. Rings that are too small to see are dropped, except a feature's largest. */
function simplified(geometry, digits, smallest) {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  const round = (value) => Number(value.toFixed(digits));
  const rings = (polygon) =>
    polygon.map((ring) =>
      ring.map(([x, y]) => [round(x), round(y)]).filter(([x, y], at, all) => at === 0 || x !== all[at - 1][0] || y !== all[at - 1][1]),
    );
  const sized = polygons.map((polygon) => ({ polygon, size: area(polygon[0]) })).sort((one, two) => two.size - one.size);
  const kept = sized.filter(({ size }, at) => at === 0 || size >= smallest).map(({ polygon }) => rings(polygon));
  return { type: 'MultiPolygon', coordinates: kept.filter((polygon) => polygon[0].length > 3) };
}

function us() {
  const atlas = read('us-atlas/states-10m.json');
  const states = feature(atlas, atlas.objects.states).features.filter(({ id }) => postal.has(id) && id !== '72');
  return states.map(({ id, properties, geometry }) => ({
    type: 'Feature',
    properties: { name: properties.name, code: postal.get(id) },
    geometry: simplified(thinned(geometry, 0.13), 2, 0.05),
  }));
}

/** Drops points that are too close to the one before. The 1:10m outline is far too detailed for a card. */
function thinned(geometry, distance) {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  const ring = (points) => {
    const kept = [points[0]];
    for (const point of points.slice(1, -1)) {
      const [x, y] = kept.at(-1);
      if (Math.hypot(point[0] - x, point[1] - y) >= distance) kept.push(point);
    }
    return [...kept, points.at(-1)];
  };
  return { type: 'MultiPolygon', coordinates: polygons.map((polygon) => polygon.map(ring)) };
}

/** Moves the parts of Russia and Fiji beyond the date line, so that they do not span the whole map. */
function unbroken(geometry) {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  const ring = (points) => {
    const crosses = points.some(([x], at) => at > 0 && Math.abs(x - points[at - 1][0]) > 180);
    return crosses ? points.map(([x, y]) => [x < 0 ? x + 360 : x, y]) : points;
  };
  return { type: 'MultiPolygon', coordinates: polygons.map((polygon) => polygon.map(ring)) };
}

function world() {
  const atlas = read('world-atlas/countries-110m.json');
  const named = countryNames();
  const countries = feature(atlas, atlas.objects.countries).features.filter(({ properties }) => properties.name !== 'Antarctica');
  return countries.map(({ id, properties: { name }, geometry }) => {
    const { code, also } = named(id, name);
    return {
      type: 'Feature',
      properties: { name, code, also: also.filter((other) => other !== name && other !== code) },
      geometry: simplified(thinned(unbroken(geometry), 0.6), 1, 0.5),
    };
  });
}

/** A map as GeoJSON: `us` or `world`. */
export const land = (name) => ({ type: 'FeatureCollection', features: name === 'us' ? us() : world() });
