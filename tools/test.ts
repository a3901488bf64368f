import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runChecks } from './checks.ts';
import { root } from './child-process.ts';
import { ensureChromium } from './chromium.ts';
import { timeSuites, type BrowserSuite } from './slowest-files.ts';
import { finish, prepare, type Step, type Tally } from './test-steps.ts';
import { buildWebIfStale } from './web-build.ts';

const REPORT = join(root, '.cache/test-results/browser.json');

let chromium = '';
const ready =
  (await prepare('Chromium', async () => (chromium = await ensureChromium()))) &&
  (await prepare('Web app', () => buildWebIfStale(() => {})));
await runChecks(ready ? [browserTests()] : []);
finish();

function browserTests(): Step {
  mkdirSync(dirname(REPORT), { recursive: true });
  rmSync(REPORT, { force: true });
  return {
    name: 'Browser tests',
    command: ['node_modules/@playwright/test/cli.js', 'test', '--config=e2e', '--reporter=list,json'],
    // Its workers are told about colours once more, and Node.js warns of two words for one thing.
    env: {
      CHROMIUM_PATH: chromium,
      PLAYWRIGHT_JSON_OUTPUT_FILE: REPORT,
      E2E_PICTURES: process.env.E2E_PICTURES ?? '0',
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
