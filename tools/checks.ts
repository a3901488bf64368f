import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findInstalledServer } from '../packages/database/src/testing/test-cluster.ts';
import { root } from './child-process.ts';
import { filesAtOnce } from './files-at-once.ts';
import { listFilesOfBoth } from './second-server.ts';
import { runSteps, type Step, type Tally } from './test-steps.ts';

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

/** Everything that needs no browser: format, lint, types, then the tests on each PostgreSQL there is. */
export async function runChecks(): Promise<void> {
  mkdirSync(RESULTS, { recursive: true });
  const given = process.env.TEST_DATABASE_URL;
  const installed = given ? undefined : findInstalledServer();
  const second = given ? 'the server of TEST_DATABASE_URL' : installed && `PostgreSQL ${installed.version}`;
  console.log(`Databases: embedded PostgreSQL${second ? `, then ${second}` : ''}.`);

  await runSteps(
    [
      {
        name: 'Format',
        command: ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'],
      },
      { name: 'Lint', command: ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings'] },
      ...findProjects().map((project) => ({
        name: `Types of ${project}`,
        command: ['node_modules/typescript/bin/tsc', '-p', project],
      })),
      vitest('Unit tests, import rules, guards', { projects: ['unit'] }),
      vitest('Building blocks of the web app', { projects: ['dom'] }),
      vitest('Clients of others against the sandbox', { projects: ['clients'] }),
    ],
    2,
  );
  const onEmbedded = vitest('Database, API and server tests on the embedded database', {
    projects: ['database', 'server'],
    env: {
      TEST_DATABASE_URL: '',
      TEST_DATABASE_SERVER: 'embedded',
      ...(second && { STATEMENTS_FOLDER: STATEMENTS }),
    },
    atOnce: filesAtOnce,
  });
  const onSecond = vitest(`What a database keeps, on ${second}`, {
    projects: ['database'],
    env: { TEST_DATABASE_URL: given ?? '', TEST_DATABASE_SERVER: 'system' },
    files: listFilesOfBoth(),
    atOnce: filesAtOnce - 1,
  });
  rmSync(STATEMENTS, { recursive: true, force: true });
  await runSteps(second ? [onEmbedded, onSecond] : [onEmbedded], 2);
  if (second)
    await runSteps([
      {
        name: `Every statement of the tests, understood by ${second}`,
        command: ['tools/compare-servers.ts'],
        env: { TEST_DATABASE_URL: given ?? '', STATEMENTS_FOLDER: STATEMENTS },
      },
    ]);
}

/** Every folder with a tsconfig.json is type-checked. */
function findProjects(): string[] {
  const nested = ['apps', 'packages'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  );
  return [...nested, 'e2e', 'bench', 'faults', 'clients', 'tools'].filter((folder) =>
    existsSync(join(root, folder, 'tsconfig.json')),
  );
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
