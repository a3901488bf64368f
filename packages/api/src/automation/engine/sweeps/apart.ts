import { databaseTrouble } from '@app/database/query-error';
import type { WorkspaceScope } from '../../../platform/workspace-scope.ts';
import type { FlowHost } from '@app/flows/flow-host';

/**
 * Does what the clock begins in one flow. An error is logged and answered with undefined: the work is tried again the next time, and no other flow waits.
 * A trouble of the database that passes is thrown.
 */
export async function apart<Result>(
  { logger }: Pick<FlowHost<WorkspaceScope>, 'logger'>,
  of: Readonly<Record<string, string>>,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (databaseTrouble(error) !== undefined) throw error;
    logger.error({ err: error, ...of }, 'what the clock begins in a flow failed');
    return undefined;
  }
}
