import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FaultOptions, FaultReport } from '../fault-report.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The seeded scripts of packages/delivery: crashes, lost statements and an unreliable platform in accelerated time. */
export async function simulateEngine({ seeds = 5 }: FaultOptions): Promise<FaultReport> {
  let failed = 0;
  for (let round = 0; round < seeds; round += 1) if ((await runScripts()) !== 0) failed += 1;
  return { isPassed: failed === 0, figures: { rounds: seeds, 'failed rounds': failed } };
}

function runScripts(): Promise<number> {
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'simulation'],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}
