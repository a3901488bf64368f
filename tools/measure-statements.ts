import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './child-process.ts';
import { filesAtOnce } from './files-at-once.ts';
import { isKeptByTheDatabase, ofTheirOwn, onOneServer } from './second-server.ts';
import { chooseFiles, findUncovered, type FileRecord } from './statement-cover.ts';

/**
 * Runs the database and API tests once on the embedded server, keeps which SQL statements the product sends in each file, and says
 * what of it `second-server.ts` leaves uncovered and what it could leave out. With `--again` the last run is read once more.
 */

const RESULTS = join(root, '.cache/statements');
const REPORT = join(RESULTS, 'report.json');
const FOLDER = join(RESULTS, 'files');
const SHOWN_OF_A_FORM = 200;

if (!process.argv.includes('--again')) run();
const failed = new Set<string>();
const records = readRecords();
const leftOut = new Set(onOneServer);
const { spare } = chooseFiles(records, (file) => failed.has(file) || isKeptByTheDatabase(file));
const uncovered = findUncovered(records, leftOut);

console.log(`${countForms()} statements in ${records.length} files (${addUp(records)} s).`);
console.log(`Left out of the second server: ${leftOut.size} files (${addUp(named(leftOut))} s).`);
console.log(`Could be left out: ${spare.length} files (${addUp(named(new Set(spare)))} s):`);
for (const file of spare.toSorted()) console.log(`  ${file}${leftOut.has(file) ? '' : ' (is not)'}`);
console.log(`Statements that the second server does not meet: ${uncovered.length}`);
for (const { form, file } of uncovered) console.log(`  ${file}: ${form.slice(0, SHOWN_OF_A_FORM)}`);

function run(): void {
  rmSync(RESULTS, { recursive: true, force: true });
  mkdirSync(RESULTS, { recursive: true });
  const { status } = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      ...[
        'run',
        '--project=database',
        `--maxWorkers=${filesAtOnce}`,
        '--reporter=dot',
        '--reporter=json',
        `--outputFile.json=${REPORT}`,
      ],
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, TEST_DATABASE_SERVER: 'embedded', STATEMENTS_FOLDER: FOLDER },
    },
  );
  if (status !== 0)
    console.log('A test failed: what it would have sent is not known, and its file belongs to both servers.');
}

function readRecords(): FileRecord[] {
  const { testResults } = JSON.parse(readFileSync(REPORT, 'utf8')) as {
    testResults: { name: string; status: string; startTime: number; endTime: number }[];
  };
  const times = new Map<string, number>();
  for (const { name, status, startTime, endTime } of testResults) {
    times.set(relative(root, name), (endTime - startTime) / 1000);
    if (status !== 'passed') failed.add(relative(root, name));
  }
  const all = readdirSync(FOLDER).map((name) => {
    const { file, statements } = JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as {
      file: string;
      statements: string[];
    };
    return { file, statements, seconds: times.get(file) ?? 0 };
  });
  return all.filter(({ file }) => !(file in ofTheirOwn));
}

function countForms(): number {
  return findUncovered(records, new Set(records.map(({ file }) => file))).length;
}

function named(files: ReadonlySet<string>): FileRecord[] {
  return records.filter(({ file }) => files.has(file));
}

function addUp(some: readonly FileRecord[]): number {
  return Math.round(some.reduce((sum, { seconds }) => sum + seconds, 0));
}
