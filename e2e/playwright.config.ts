import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';

const CHROMIUM_FLAGS = [
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
  projects: readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.e2e.ts'))
    .map((file) => ({ name: file.replace('.e2e.ts', ''), testMatch: file })),
  outputDir: '../test-results',
  // A journey waits for a third of its time.
  workers: Math.min(6, Math.ceil(availableParallelism() * 1.5)),
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  // A time-out is for what hangs: machines that run this are shared, and slow at times.
  timeout: 180_000,
  expect: { timeout: 15_000 },
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
