// Starts Chromium for the tests. Run as a program, its exit code says whether that works on this machine.

import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';

// A sandbox needs rights that root and most containers lack. Without its flag for fonts, a browser without windows rounds the widths of
// letters to whole pixels. Edges of letters in colours depend on the system's settings. The other flags prevent background requests
// during a test.
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Options for `launch`: Playwright's own browser, or the one in INLAY_CHROMIUM. */
export const launchOptions = {
  executablePath: process.env.INLAY_CHROMIUM || undefined,
  args: QUIET,
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const browser = await chromium.launch({ ...launchOptions, timeout: 30_000 });
  await browser.close();
}
