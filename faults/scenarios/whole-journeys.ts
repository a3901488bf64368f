import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureChromium } from '../../tools/chromium.ts';
import { buildWebIfStale } from '../../tools/web-build.ts';
import type { FaultReport } from '../fault-report.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** All journeys with all of their parts, of which the tests play what stands for them. */
export async function playWholeJourneys(): Promise<FaultReport> {
  const chromium = await ensureChromium();
  buildWebIfStale();
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/@playwright/test/cli.js'), 'test', '--config=e2e'],
    {
      cwd: root,
      env: { E2E_PICTURES: '0', ...process.env, CHROMIUM_PATH: chromium, E2E_JOURNEYS: 'whole' },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  const code = await new Promise<number>((resolve) => child.once('exit', (exit) => resolve(exit ?? 1)));
  return { isPassed: code === 0, figures: {} };
}
