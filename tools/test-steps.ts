import { spawn, type ChildProcess } from 'node:child_process';
import { listSlowest, type FileTime } from './slowest-files.ts';
import { onStopSignal, root, stopChild } from './child-process.ts';

export type Tally = { passed: number; failed: number; note?: string; files?: FileTime[] };

export type Step = {
  name: string;
  /** Arguments for this Node.js: script first. */
  command: string[];
  env?: NodeJS.ProcessEnv;
  /** Reads the counts after the command has ended; without it the step itself counts as one. */
  count?: () => Tally;
  /** Follows this one, and waits for no other. */
  next?: Step;
};

const running = new Set<ChildProcess>();
const total = { passed: 0, failed: 0 };
const fileTimes: FileTime[] = [];
const startedAt = Date.now();

onStopSignal(() => {
  void Promise.all([...running].map((child) => stopChild(child, 10_000))).then(() => process.exit(130));
});

/** Runs steps side by side, one line each; the output of a failed one follows its line. */
export async function runSteps(steps: Step[], atOnce = 1): Promise<void> {
  const waiting = [...steps];
  const worker = async () => {
    for (let first = waiting.shift(); first; first = waiting.shift())
      for (let step: Step | undefined = first; step; step = step.next) await runStep(step);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Runs preparation that is no test; its failure is counted, and tells the caller to leave out what needs it. */
export async function prepare(
  name: string,
  work: () => Promise<string | void> | string | void,
): Promise<boolean> {
  const started = Date.now();
  try {
    report(true, name, started, (await work()) ?? '');
    return true;
  } catch (error) {
    total.failed += 1;
    report(false, name, started, '', (error as Error).message);
    return false;
  }
}

/** Ends the run with the line that scripts read. */
export function finish(): never {
  console.log('The slowest files:');
  for (const line of listSlowest(fileTimes)) console.log(line);
  console.log(`Took ${seconds(startedAt)}.`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exit(total.failed === 0 ? 0 : 1);
}

async function runStep({ name, command, env, count }: Step): Promise<void> {
  const started = Date.now();
  const { code, output } = await runCommand(command, env);
  const tally = readCount(count, code);
  // A command that fails without a failed test (a file that does not load, say) is a failure all the same.
  if (code !== 0 && tally.failed === 0) tally.failed = 1;
  total.passed += tally.passed;
  total.failed += tally.failed;
  fileTimes.push(...(tally.files ?? []));
  const figures = count ? `${tally.passed} passed${tally.failed ? `, ${tally.failed} failed` : ''}` : '';
  report(tally.failed === 0, name, started, [figures, tally.note].filter(Boolean).join(', '), output);
}

function readCount(count: Step['count'], code: number): Tally {
  if (!count) return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  try {
    return count();
  } catch (error) {
    return { passed: 0, failed: 1, note: `no result: ${(error as Error).message}` };
  }
}

function runCommand(command: string[], env?: NodeJS.ProcessEnv): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: { ...process.env, FORCE_COLOR: '0', NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => {
    child.on('error', (error) => (output += error.message));
    child.on('close', (code) => {
      running.delete(child);
      resolve({ code: code ?? 1, output });
    });
  });
}

function report(ok: boolean, name: string, started: number, detail: string, output = ''): void {
  console.log(`${ok ? '✓' : '✗'} ${name} (${seconds(started)})${detail ? `: ${detail}` : ''}`);
  if (!ok && output.trim()) console.log(output.trimEnd().replace(/^/gm, '    '));
}

function seconds(since: number): string {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}
