// How the tests start Chromium. Run by itself, this file tells by its exit code whether that works on this machine.

import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';

// A sandbox needs rights that root and most containers lack; the rest keeps the browser from calling home in a test.
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Options for `launch`: Playwright's own browser, or the one that INLAY_CHROMIUM names. */
export const launchOptions = {
  executablePath: process.env.INLAY_CHROMIUM || undefined,
  args: QUIET,
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const browser = await chromium.launch({ ...launchOptions, timeout: 30_000 });
  await browser.close();
}
