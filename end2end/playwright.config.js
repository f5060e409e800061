import { defineConfig } from '@playwright/test';
import { launchOptions } from './support/chromium.js';

export default defineConfig({
  testDir: 'tests',
  outputDir: '../test-results',
  // The references of pictures, one for all systems: pages bring their fonts.
  snapshotPathTemplate: 'pictures/{arg}{ext}',
  fullyParallel: true,
  // Each worker runs its own server and Chromium.
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // Timeouts for busy machines. `make bench` measures how fast pages are.
  timeout: 180_000,
  expect: { timeout: 30_000, toHaveScreenshot: { maxDiffPixels: 60, threshold: 0.05 } },
  // Recording every test adds 40 % to their time. A failed test runs again with a recording, and counts as failed even if it then passes.
  retries: 1,
  failOnFlakyTests: true,
  reporter: [['list'], ['./support/totals.js']],
  use: {
    browserName: 'chromium',
    launchOptions,
    viewport: { width: 1280, height: 900 },
    timezoneId: 'UTC',
    locale: 'en-US',
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
  },
});
