// Starts a page: loads its wasm and gives it functions that load further parts later. The server writes this script into every
// page, without its comments. The folder of the page's files, the bundle and the names that Leptos reads at hydration are
// attributes of the script element.
const { base, bundle, leptos = '' } = /** @type {HTMLElement} */ (document.getElementById('inlay-boot')).dataset;

const load = (name) => import(`${base}/${name}.js`);

const start = async (name) => {
  const page = await load(name);
  await page.default({ module_or_path: `${base}/${name}_bg.wasm` });
  return page;
};

for (const name of leptos.split(' ')) globalThis[name] = [];

globalThis.inlayLoadCharts = () => load('charts');
globalThis.inlayMountSql = async (...given) => (await load('sql')).mount(...given);
globalThis.inlayLoadEditor = async () => {
  const { succeed } = await start('inlay-editor');
  globalThis.inlaySucceed = succeed;
};

// What the server drew is shown first. Nothing is painted in a frame out of sight, which waits no longer than this.
const MOST = 250;
const painted = new Promise((done) => {
  setTimeout(done, MOST);
  if (!PerformanceObserver.supportedEntryTypes.includes('paint')) done(undefined);
  else new PerformanceObserver(done).observe({ type: 'paint', buffered: true });
});

const [page] = await Promise.all([start(bundle), painted]);
page.hydrate();
