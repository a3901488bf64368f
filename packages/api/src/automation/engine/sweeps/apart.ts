import { databaseTrouble } from '@app/database/query-error';
import type { WorkspaceScope } from '../../../platform/workspace-scope.ts';
import type { FlowHost } from '@app/flows/flow-host';

/** What the clock begins in one flow: where it fails by itself it is tried again the next time, and keeps no other flow waiting. Undefined then. */
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
