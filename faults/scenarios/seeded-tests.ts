import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesAtOnce } from '../../tools/files-at-once.ts';
import { listFilesOfBoth } from '../../tools/second-server.ts';
import type { FaultOptions, FaultReport } from '../fault-report.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The seeded scripts of packages/delivery: crashes, lost statements and an unreliable platform in accelerated time. */
export async function simulateEngine({ seeds = 40, random }: FaultOptions): Promise<FaultReport> {
  const first = 1 + Math.floor(random() * 1_000_000);
  const code = await playTests(['packages/delivery/test/simulation.test.ts'], {
    SIMULATION_FIRST: String(first),
    SIMULATION_SCRIPTS: String(seeds),
  });
  return { isPassed: code === 0, figures: { scripts: seeds, 'first script': first } };
}

/** What every route answers to hostile text, of which the tests try a little of one seed. */
export async function hostileInput({ seeds = 40, random }: FaultOptions): Promise<FaultReport> {
  const seed = 1 + Math.floor(random() * 1_000_000);
  const code = await playTests(['packages/api/test/http-edge/route-input.test.ts'], {
    INPUT_SEED: String(seed),
    INPUT_ROUNDS: String(seeds),
    THOROUGH: '1',
  });
  return { isPassed: code === 0, figures: { 'inputs of each route': seeds, seed } };
}

/** Every test on a database, also those that take too long for `npm test`. */
export async function playLongTests(): Promise<FaultReport> {
  const code = await playTests([], { LONG_TESTS: '1' });
  return { isPassed: code === 0, figures: {} };
}

/** Everything that stands on what a database keeps, on the second PostgreSQL, of which the tests play what it keeps itself. */
export async function playOnSecondServer(): Promise<FaultReport> {
  const files = listFilesOfBoth(true);
  const code = await playTests(files, { TEST_DATABASE_SERVER: 'system', LONG_TESTS: '1' });
  return { isPassed: code === 0, figures: { files: files.length } };
}

export function playTests(files: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--project=database',
      `--maxWorkers=${filesAtOnce}`,
      ...files,
    ],
    {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}
