import { readdirSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

const DISABLED_FEATURES = [
  // Every journey opens a window of its own; a renderer ahead of the next one costs a tenth and is never met again.
  'SpareRendererForSitePerProcess',
  // The last list that a browser is given counts: from here on, what Playwright itself leaves out and journeys can meet.
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'HttpsUpgrades',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
];
const CHROMIUM_FLAGS = [
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

// Playwright asks for a default export.
export default defineConfig({
  testDir: '.',
  globalSetup: './prepare.ts',
  // Workers are not shared between projects: each file starts with a product of its own, whatever ran before it.
  projects: listJourneys().map((file) => ({ name: file.replace('.e2e.ts', ''), testMatch: file })),
  outputDir: '../test-results',
  // A journey waits for half of its time: for the server, for a frame, for what comes by itself.
  workers: Math.min(6, availableParallelism() * 2),
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  // A time-out is for what hangs: machines that run this are shared, and slow at times.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    launchOptions: {
      args: CHROMIUM_FLAGS,
      ...(process.env['CHROMIUM_PATH'] && { executablePath: process.env['CHROMIUM_PATH'] }),
    },
    locale: 'en-US',
    timezoneId: 'UTC',
    viewport: { width: 1280, height: 860 },
    // Journeys that slow down or break a request must see each of them.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    // A trace of every test costs a fifth of the time.
    trace: process.env['E2E_TRACE'] ? 'retain-on-failure' : 'off',
  },
});

/** The longest first, so that no worker is left alone with it at the end. */
function listJourneys(): string[] {
  const sizeOf = (file: string) => statSync(join(import.meta.dirname, file)).size;
  return readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.e2e.ts'))
    .toSorted((one, other) => sizeOf(other) - sizeOf(one));
}
