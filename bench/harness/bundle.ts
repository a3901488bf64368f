import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './processes.ts';

/** One file of plain JavaScript, as a deployment would run it: loading TypeScript alone takes more memory than sending. */
export function bundle(file: string): string {
  const output = `.cache/bench/${file.replaceAll('/', '-').replace(/\.ts$/, '.mjs')}`;
  const packages = ['pg', 'undici', 'drizzle-orm'].flatMap((name) => ['--external', name]);
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/rolldown/bin/cli.mjs'),
      file,
      '--platform',
      'node',
      '--format',
      'esm',
      ...packages,
      '-o',
      output,
    ],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`${file} could not be bundled: ${stderr}`);
  return output;
}
