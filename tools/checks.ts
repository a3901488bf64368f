import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findInstalledServer } from '../packages/database/src/testing/test-cluster.ts';
import { root } from './child-process.ts';
import type { FeatureTests } from './feature-tests.ts';
import { filesAtOnce, pagesAtOnce } from './files-at-once.ts';
import { listFilesOfBoth } from './second-server.ts';
import { runSteps, type Step, type Tally } from './test-steps.ts';
import { typeChecks } from './type-checks.ts';

const RESULTS = join(root, '.cache/test-results');
/** What the tests on the embedded server sent. */
const STATEMENTS = join(root, '.cache/statements');
const VITEST = 'node_modules/vitest/vitest.mjs';

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: {
    name: string;
    status: string;
    startTime: number;
    endTime: number;
    assertionResults: unknown[];
  }[];
};

/**
 * Everything that needs no browser: format, lint, types, then the tests on each PostgreSQL there is. What runs beside takes its turn
 * with them: each waits at times, and so nothing of the machine stands still.
 */
export async function runChecks(beside: Step[] = []): Promise<void> {
  mkdirSync(RESULTS, { recursive: true });
  const given = process.env.TEST_DATABASE_URL;
  const installed = given ? undefined : findInstalledServer();
  const second = given ? 'the server of TEST_DATABASE_URL' : installed && `PostgreSQL ${installed.version}`;
  console.log(`Databases: embedded PostgreSQL${second ? `, then ${second}` : ''}.`);

  const others: Step[] = [
    vitest('Building blocks of the web app', { projects: ['dom'], atOnce: pagesAtOnce }),
    vitest('Unit tests, import rules, guards', { projects: ['unit'] }),
    vitest('Clients of others against the sandbox', { projects: ['clients'] }),
  ];
  const still: Step[] = [
    { name: 'Format', command: ['node_modules/oxfmt/bin/oxfmt', '--check', '.'] },
    {
      name: 'Lint',
      // As for the types: a third of its time went into the collection of rubbish.
      env: { GOGC: '400' },
      command: ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
    },
    ...typeChecks(),
  ];
  const onEmbedded = vitest('Database, API and server tests on the embedded database', {
    projects: ['database'],
    env: {
      TEST_DATABASE_URL: '',
      TEST_DATABASE_SERVER: 'embedded',
      ...(second && { STATEMENTS_FOLDER: STATEMENTS }),
    },
    atOnce: filesAtOnce,
  });
  const onSecond = vitest(`What a database keeps, on ${second}`, {
    projects: ['database'],
    env: {
      ...{ TEST_DATABASE_URL: given ?? '', TEST_DATABASE_SERVER: 'system' },
      // The embedded server plays it too, and more of them.
      ...{ SIMULATION_FIRST: '2', SIMULATION_SCRIPTS: '1' },
    },
    files: listFilesOfBoth(),
    atOnce: filesAtOnce - 1,
  });
  const compared: Step = {
    name: `Every statement of the tests, understood by ${second}`,
    command: ['tools/compare-servers.ts'],
    env: { TEST_DATABASE_URL: given ?? '', STATEMENTS_FOLDER: STATEMENTS },
  };
  rmSync(STATEMENTS, { recursive: true, force: true });
  const databases = second ? [{ ...onEmbedded, next: compared }, onSecond] : [onEmbedded];
  // The longest first, and tests that wait beside others; lint and types, which use all processors by themselves, fill the end.
  await runSteps([...beside, ...databases, ...others, ...still], 2);
}

/** The tests of one feature that need no browser, beside what does; on the embedded database alone. */
export async function runFeatureChecks(
  { unit, dom, database }: FeatureTests,
  beside: Step[] = [],
): Promise<void> {
  mkdirSync(RESULTS, { recursive: true });
  const embedded = { TEST_DATABASE_URL: '', TEST_DATABASE_SERVER: 'embedded' };
  const steps: Step[] = [
    ...(unit.length > 0 ? [vitest('Rules', { projects: ['unit'], files: unit })] : []),
    ...(dom.length > 0 ? [vitest('Web', { projects: ['dom'], files: dom })] : []),
    ...(database.length > 0
      ? [
          vitest('API and tables', {
            projects: ['database'],
            files: database,
            env: embedded,
            atOnce: filesAtOnce,
          }),
        ]
      : []),
  ];
  await runSteps([...beside, ...steps], 2);
}

type Run = {
  projects: string[];
  env?: NodeJS.ProcessEnv;
  /** Paths from the root; all of the projects without them. */
  files?: string[];
  /** How many files at once. */
  atOnce?: number;
};

function vitest(name: string, { projects, env = {}, files = [], atOnce }: Run): Step {
  const file = join(RESULTS, `${name.toLowerCase().replaceAll(/\W+/g, '-')}.json`);
  rmSync(file, { force: true });
  return {
    name,
    env,
    command: [
      VITEST,
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      ...projects.map((project) => `--project=${project}`),
      ...(atOnce ? [`--maxWorkers=${atOnce}`] : []),
      ...files,
    ],
    count: () => readVitestReport(file),
  };
}

function readVitestReport(file: string): Tally {
  const report: VitestReport = JSON.parse(readFileSync(file, 'utf8'));
  const unloaded = report.testResults.filter(
    (it) => it.status === 'failed' && it.assertionResults.length === 0,
  ).length;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded,
    files: report.testResults.map(({ name, startTime, endTime }) => ({
      file: name,
      milliseconds: endTime - startTime,
    })),
    ...(report.numPendingTests > 0 && { note: `${report.numPendingTests} skipped` }),
  };
}
