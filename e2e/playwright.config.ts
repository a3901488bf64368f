import { readdirSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

/**
 * Files that share a product and a browser, one after the other by name: starting both costs as much as several journeys. None leaves
 * what another of its row would mind, such as a password, a language, or more campaigns than the home shows. Every other file has its own.
 */
const TOGETHER = [
  ['activity', 'dashboard', 'landing', 'languages'],
  ['api-keys', 'offline', 'own-address'],
  ['auth', 'connection', 'settings'],
  ['bulk-message', 'contacts-bulk', 'data-management'],
  ['contacts', 'contacts-erase', 'focus', 'reads-once', 'segments'],
  ['by-keyboard', 'double-click', 'lost-answers', 'main-job'],
  ['inbox-chat', 'inbox-composer', 'inbox-contact', 'inbox-files'],
  ['inbox', 'inbox-list', 'inbox-send', 'inbox-team'],
  ['notifications', 'profile', 'users'],
  ['shell', 'templates'],
];
/** Rows and files that share a product as long as the whole set is not asked for: the few journeys that are left do not mind each other. */
const TOGETHER_IN_SHORT = [
  ['analytics', 'shell'],
  ['notifications', 'offline'],
  ['auth', 'chatbot'],
  ['automation', 'bulk-message', 'campaigns', 'rcs'],
  ['contacts', 'integrations'],
  ['inbox', 'inbox-composer'],
];
const isWhole = process.env['E2E_JOURNEYS'] === 'whole';
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
  // Pages of a window share what they have compiled.
  '--process-per-site',
  // No page lives long enough to be worth compiling a second time, or collecting its rubbish often.
  '--js-flags=--no-opt --no-maglev --min-semi-space-size=16',
  '--num-raster-threads=1',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

// Playwright asks for a default export.
export default defineConfig({
  testDir: '.',
  globalSetup: './prepare.ts',
  // Workers are not shared between projects, and each has one: what ran before a journey is the same in every run.
  projects: listRows().map((row) => ({
    name: row.join(', '),
    testMatch: row.map((name) => `${name}.e2e.ts`),
    workers: 1,
  })),
  outputDir: '../test-results',
  // A journey waits for half of its time: for the server, for a frame, for what comes by itself.
  workers: Math.min(6, availableParallelism() * 2),
  fullyParallel: false,
  // What stands for the whole set, unless that is asked for (`journey.ts`).
  ...(!isWhole && { grepInvert: /@whole/ }),
  forbidOnly: true,
  retries: 0,
  // A time-out is for what hangs: machines that run this are shared, and slow at times.
  timeout: 900_000,
  expect: { timeout: 180_000 },
  reporter: 'list',
  use: {
    actionTimeout: 180_000,
    browserName: 'chromium',
    launchOptions: {
      args: CHROMIUM_FLAGS,
      ...(process.env['CHROMIUM_PATH'] && { executablePath: process.env['CHROMIUM_PATH'] }),
    },
    locale: 'en-US',
    timezoneId: 'UTC',
    viewport: { width: 1280, height: 860 },
    // Frames that nobody looks at cost a twenty-fifth of the time.
    contextOptions: { reducedMotion: 'reduce' },
    // Journeys that slow down or break a request must see each of them.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    // A trace of every test costs a fifth of the time.
    trace: process.env['E2E_TRACE'] ? 'retain-on-failure' : 'off',
  },
});

/** The longest first, so that no worker is left alone with it at the end. */
function listRows(): string[][] {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.e2e.ts'));
  const names = files.map((file) => file.replace('.e2e.ts', ''));
  const placed = new Set(TOGETHER.flat());
  const rows = joinShort([...TOGETHER, ...names.filter((name) => !placed.has(name)).map((name) => [name])]);
  const sizeOf = (row: string[]) =>
    row.reduce((sum, name) => sum + statSync(join(import.meta.dirname, `${name}.e2e.ts`)).size, 0);
  return rows.toSorted((one, other) => sizeOf(other) - sizeOf(one));
}

function joinShort(rows: string[][]): string[][] {
  if (isWhole) return rows;
  return TOGETHER_IN_SHORT.reduce((joined, names) => {
    const isMeant = (row: string[]) => row.some((name) => names.includes(name));
    return [...joined.filter((row) => !isMeant(row)), joined.filter(isMeant).flat()];
  }, rows);
}
