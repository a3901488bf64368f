import { databaseCode } from '@app/database/query-error';

/** Trying again would not help: the job has failed for good, for a reason that this code says. */
export class JobGivenUp extends Error {
  override name = 'JobGivenUp';
  readonly code: string;

  constructor(code: string) {
    super(`The job was given up: ${code}`);
    this.code = code;
  }
}

const LONGEST_CODE = 60;

/** What is kept and logged of a failure: a code, because messages repeat what was sent or read. */
export function readFailureCode(error: unknown): string {
  const code = databaseCode(error) ?? readCode(error) ?? (error instanceof Error ? error.name : 'unknown');
  return code.slice(0, LONGEST_CODE);
}

function readCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' || typeof error.code === 'number' ? String(error.code) : undefined;
}
