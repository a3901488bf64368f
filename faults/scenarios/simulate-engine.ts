import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FaultOptions, FaultReport } from '../fault-report.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The seeded scripts of packages/delivery: crashes, lost statements and an unreliable platform in accelerated time. */
export async function simulateEngine({ seeds = 40, random }: FaultOptions): Promise<FaultReport> {
  const first = 1 + Math.floor(random() * 1_000_000);
  const code = await playScripts(first, seeds);
  return { isPassed: code === 0, figures: { scripts: seeds, 'first script': first } };
}

function playScripts(first: number, count: number): Promise<number> {
  const child = spawn(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--project=database',
      'packages/delivery/test/simulation.test.ts',
    ],
    {
      cwd: root,
      env: { ...process.env, SIMULATION_FIRST: String(first), SIMULATION_SCRIPTS: String(count) },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}
