// axe finds nothing serious on any page of the console, in light and dark colours, and no page is wider than a phone.
import { serious } from '../support/axe.js';
import { submit } from '../support/console.js';
import { follow, routeOf, routes } from '../support/console-pages.js';
import { ACME } from '../support/data.js';
import { expect, hydrated, test } from '../support/fixtures.js';

const SIGHTS = [
  { width: 1280, height: 900, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
];

/** Routes without a page of their own. */
const NO_PAGES = [/^\/(console)?$/, /\/sso\/\{provider\}/, /\/(export|download|people)$/];

// The browser's own lines about missing pages.
test.use({ allowedErrors: [/status of 404/] });

/** Waits until the new colours are drawn and no transition runs. */
async function settled() {
  await new Promise((drawn) => {
    requestAnimationFrame(() => requestAnimationFrame(drawn));
  });
  await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
}

/** The problems of the open page, on a desktop in light colours and on a phone in dark ones. */
async function faults(page, address) {
  const found = [];
  for (const { width, height, colorScheme } of SIGHTS) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(settled);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) found.push(`${address} is ${wide} px wider than ${width}`);
    found.push(...(await serious(page)).map((fault) => `${address}, ${colorScheme}: ${fault}`));
  }
  return found;
}

/** Opens the first confirmation of the page. */
async function asked(page, address) {
  const question = page.getByRole('main').locator('button[aria-haspopup="dialog"]').first();
  if ((await question.count()) === 0) return [];
  await question.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  const found = await faults(page, `${address}, asked`);
  await page.keyboard.press('Escape');
  return found;
}

test('every page of a project and of its organization, and what it asks', async ({ page, service }) => {
  test.setTimeout(400_000);
  await service.signIn(ACME);
  await service.operate(page);
  const found = [];
  const met = await follow(page, async (_route, address) => {
    found.push(...(await faults(page, address)), ...(await asked(page, address)));
  });
  expect(found).toEqual([]);
  const outside = (route) => /^\/console\/(setup|sign-in|forgotten|sso|invitation|reset|\{\*rest\})/.test(route);
  const missing = (await routes('get')).filter((route) => !met.has(route) && !outside(route) && !NO_PAGES.some((part) => part.test(route)));
  expect(missing, 'pages that no link leads to').toEqual([]);
});

test('every page of those who are not signed in', async ({ page, service }) => {
  test.setTimeout(120_000);
  await service.operate(page);
  await page.goto(`${service.url}/console/organizations/${service.organizationId}/members`);
  await submit(page, { 'Email address': 'invited@example.test' }, 'Create invitation');
  const invitation = new URL(await page.getByLabel('Link created.').innerText()).pathname;
  const all = await routes('get');
  const there = {
    '/console/invitation/{token}': invitation,
    '/console/reset/{token}': '/console/reset/nothing',
    '/console/{*rest}': '/console/nothing/here',
  };
  const paths = all
    .filter((route) => /^\/console\/[^{]*$/.test(route) && !/organizations|projects|account/.test(route))
    .map((route) => [route, route]);
  const found = [];
  await page.context().clearCookies();
  for (const [route, path] of [...paths, ...Object.entries(there)]) {
    expect(routeOf(all, path)).toBe(route);
    await page.goto(service.url + path);
    await hydrated(page);
    found.push(...(await faults(page, path)));
  }
  expect(found).toEqual([]);
});

test('whoever wants less motion gets no transition, not even a short one', async ({ page, service }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${service.url}/console/sign-in`);
  await hydrated(page);
  const running = await page.evaluate(() => {
    const { body } = document;
    const before = getComputedStyle(body).color;
    body.style.color = 'rgb(1, 2, 3)';
    return [before !== getComputedStyle(body).color, document.getAnimations().length];
  });
  expect(running).toEqual([true, 0]);
});
