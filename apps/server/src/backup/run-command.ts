import { explainFailure } from './explain-failure.ts';

/** Runs a command on what it was started with, of which the first without a dash is the file; a failure is said in a sentence. */
export async function runCommand(
  run: (path: string | undefined, args: readonly string[]) => Promise<void>,
): Promise<void> {
  const [, , ...args] = process.argv;
  const path = args.find((arg) => !arg.startsWith('-'));
  try {
    await run(path, args);
  } catch (error) {
    process.stderr.write(`${explainFailure(error, path ?? 'The file')}\n`);
    process.exitCode = 1;
  }
}
