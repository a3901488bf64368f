import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from './child-process.ts';

/** The one without windows and menus first: it opens pages for two thirds of the work. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

/** Path of a Chromium, installed first when the machine has none: Debian's as root, else Playwright's own. */
export async function ensureChromium(): Promise<string> {
  const found = await findChromium();
  if (found) return found;
  const attempts: string[] = [];
  if (process.getuid?.() === 0 && isOnPath('apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    attempts.push(run('apt-get', ['update'], env));
    for (const name of ['chromium-headless-shell', 'chromium'])
      if (!(await findChromium()))
        attempts.push(run('apt-get', ['install', '-y', '--no-install-recommends', name], env));
  }
  if (!(await findChromium()))
    attempts.push(
      run(process.execPath, [join(root, 'node_modules/playwright/cli.js'), 'install', 'chromium']),
    );
  const installed = await findChromium();
  if (!installed)
    throw new Error(
      `No Chromium could be installed: install one, or set CHROMIUM_PATH.\n${attempts.filter(Boolean).join('\n')}`,
    );
  return installed;
}

async function findChromium(): Promise<string | undefined> {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (existsSync(given)) return given;
    throw new Error(`CHROMIUM_PATH names ${given}, which does not exist.`);
  }
  const onMachine = NAMES.map(isOnPath).find(Boolean);
  if (onMachine) return onMachine;
  const { chromium } = await import('@playwright/test');
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined;
}

function isOnPath(name: string): string | undefined {
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/bin',
    '/usr/local/bin',
    '/opt/google/chrome',
  ];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Runs quietly; gives the end of its output when it failed. */
function run(command: string, args: string[], env = process.env): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (status === 0) return '';
  const lines = `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`.trim().split('\n');
  return `${command} ${args.join(' ')}: ${lines.slice(-4).join(' · ')}`;
}
