import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findQuickPlace } from '../packages/database/src/testing/quick-place.ts';
import { features } from '../packages/domain/src/features.ts';
import { browserCommand, hasJourneysAlone } from './browser-command.ts';
import { runChecks, runFeatureChecks } from './checks.ts';
import { root } from './child-process.ts';
import { ensureChromium } from './chromium.ts';
import { findFeatureTests } from './feature-tests.ts';
import { timeSuites, type BrowserSuite } from './slowest-files.ts';
import { finish, prepare, type Step, type Tally } from './test-steps.ts';
import { buildWebIfStale } from './web-build.ts';

const REPORT = join(root, '.cache/test-results/browser.json');

let chromium = '';
const feature = process.argv[2];
if (feature) await testFeature(feature);
else await runChecks((await prepareBrowser()) ? [browserTests()] : []);
finish();

/** `npm test -- contacts`: what belongs to one feature, in every layer. */
async function testFeature(name: string): Promise<void> {
  const tests = findFeatureTests(name);
  if (Object.values(tests).every((files) => files.length === 0)) {
    console.error(`No test belongs to "${name}". Features: ${features.join(', ')}.`);
    process.exit(1);
  }
  const hasJourneys = tests.journeys.length > 0 && (await prepareBrowser());
  const isWhole = hasJourneysAlone(tests);
  await runFeatureChecks(tests, hasJourneys ? [browserTests(tests.journeys, isWhole)] : []);
}

async function prepareBrowser(): Promise<boolean> {
  return (
    (await prepare('Chromium', async () => (chromium = await ensureChromium()))) &&
    (await prepare('Web app', () => buildWebIfStale(() => {})))
  );
}

function browserTests(files: string[] = [], isWhole = false): Step {
  mkdirSync(dirname(REPORT), { recursive: true });
  rmSync(REPORT, { force: true });
  return {
    name: 'Browser tests',
    command: browserCommand(files),
    // Its workers are told about colours once more, and Node.js warns of two words for one thing.
    env: {
      CHROMIUM_PATH: chromium,
      ...(isWhole && { E2E_JOURNEYS: 'whole' }),
      PLAYWRIGHT_JSON_OUTPUT_FILE: REPORT,
      E2E_PICTURES: process.env.E2E_PICTURES ?? '0',
      // Products of journeys do not outlive them: where there is room they live in memory, and wait for no disk.
      E2E_QUICK_PLACE: findQuickPlace(),
      NO_COLOR: undefined,
    },
    count: readReport,
  };
}

function readReport(): Tally {
  const { stats, errors, suites } = JSON.parse(readFileSync(REPORT, 'utf8')) as {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number };
    errors: unknown[];
    suites: BrowserSuite[];
  };
  const notes = [
    stats.flaky && `${stats.flaky} only at a second try`,
    stats.skipped && `${stats.skipped} skipped`,
  ];
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + (stats.unexpected === 0 ? errors.length : 0),
    note: notes.filter(Boolean).join(', '),
    files: timeSuites(suites),
  };
}
