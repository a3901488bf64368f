import type { Environment } from '../config.ts';
import { explainFailure } from './explain-failure.ts';

export type CommandCall = {
  /** The first of what it was started with that has no dash in front. */
  path: string | undefined;
  args: readonly string[];
  env: Environment;
  write(text: string): void;
};

/** Calls a command as it was started, for its exit code; a failure is said in a sentence. */
export async function callCommand(
  run: (call: CommandCall) => Promise<void>,
  call: Omit<CommandCall, 'path'> & { writeFailure(text: string): void },
): Promise<number> {
  const path = call.args.find((arg) => !arg.startsWith('-'));
  try {
    await run({ ...call, path });
    return 0;
  } catch (error) {
    call.writeFailure(`${explainFailure(error, path ?? 'The file')}\n`);
    return 1;
  }
}

/** The same for what this process was started with. */
export async function runCommand(run: (call: CommandCall) => Promise<void>): Promise<void> {
  const [, , ...args] = process.argv;
  process.exitCode = await callCommand(run, {
    ...{ args, env: process.env },
    write: (text) => void process.stdout.write(text),
    writeFailure: (text) => void process.stderr.write(text),
  });
}
