import { eachApart } from '@app/database/each-apart';
import type { ApiDependencies } from '../request-context.ts';

/**
 * Does the work of a schedule for each of the rows that it found, of any workspace. One that fails is named in the log, keeps no other waiting and is
 * found again the next time. The first error is thrown at the end, so that the job counts as failed.
 */
export async function sweepEach<Row extends { workspace_id: string; id?: string }>(
  { logger }: Pick<ApiDependencies, 'logger'>,
  rows: Iterable<Row>,
  work: (row: Row) => Promise<unknown>,
): Promise<void> {
  let first: { error: unknown } | undefined;
  await eachApart(rows, work, (error, { workspace_id: workspaceId, id }) => {
    logger.warn({ err: error, workspaceId, id }, 'one of those that a schedule found could not be done');
    first ??= { error };
  });
  if (first) throw first.error;
}
