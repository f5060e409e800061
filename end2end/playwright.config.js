import { defineConfig } from '@playwright/test';
import { launchOptions } from './support/chromium.js';

export default defineConfig({
  testDir: 'tests',
  outputDir: '../test-results',
  fullyParallel: true,
  // Each worker runs its own server and Chromium.
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // Timeouts for busy machines. `make bench` measures how fast pages are.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  // To record every test takes as long as the tests. One that fails runs again, recorded, and has failed even if it passes then.
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
