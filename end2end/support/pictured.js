// The project of the pictures: the tests' own, the gallery and the hard states in one, and an airline's dashboard. All data is fixed.
import { TABLES } from './data.js';
import { DRAWN, GALLERY } from './gallery.js';
import { HARD } from './hard.js';
import { project as shop } from './project.js';

const sample = (title) => `gallery.sample_${DRAWN.indexOf(title)}`;

const AIRLINE = {
  name: 'Punctuality of the network',
  default: true,
  filters: [
    { key: 'destination', label: 'Destination', column: `${sample('Punctuality')}.destination`, control: 'select' },
    { key: 'day', label: 'Day', column: `${sample('Flights per day')}.day`, control: 'date-range' },
  ],
  charts: [
    { chart: 'Flights', x: 0, y: 0, w: 3, h: 3 },
    { chart: 'Flights this month', x: 3, y: 0, w: 3, h: 3 },
    { chart: 'About', x: 6, y: 0, w: 6, h: 3 },
    { chart: 'Average delay by destination', x: 0, y: 3, w: 7, h: 7 },
    { chart: 'Punctuality', x: 7, y: 3, w: 5, h: 7 },
    { chart: 'Airlines', x: 0, y: 10, w: 7, h: 8 },
    { chart: 'Arrivals by state', x: 7, y: 10, w: 5, h: 8 },
  ],
};

/**
 * Entries of several project files, each name once.
 * @param {any[]} entries @param {(entry: any) => string} [nameOf]
 */
function once(entries, nameOf = ({ name }) => name) {
  const found = new Map();
  for (const entry of entries) if (!found.has(nameOf(entry))) found.set(nameOf(entry), entry);
  return [...found.values()];
}

function project(hostOrigin) {
  const files = [shop, GALLERY.project, HARD.project].map((file) => file(hostOrigin));
  const all = (part) => files.flatMap((file) => file[part] ?? []);
  const themes = {
    Airline: { primary: '#0b5fff', background: '#ffffff' },
    'Airline at night': { primary: '#7aa2ff', background: '#0b1020' },
  };
  return {
    ...files[0],
    project: { name: 'Pictures', allowedOrigins: ['https://portal.example'] },
    connections: once(all('connections')),
    tables: once(all('tables'), ({ connection, table }) => `${connection}.${table}`),
    roles: once(all('roles')),
    charts: once(all('charts')),
    applications: [...all('applications'), ...Object.entries(themes).map(([name, theme]) => ({ name, theme, dashboards: [AIRLINE] }))],
  };
}

/** The project and its databases, for `Service.start`. */
export const PICTURED = { project, databases: { 'warehouse.db': TABLES, 'fragile.db': TABLES, ...GALLERY.databases, ...HARD.databases } };
