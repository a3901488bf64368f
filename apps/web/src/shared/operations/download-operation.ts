import { notify } from '../../ui/toast.ts';
import { orpc } from '../api.ts';
import { download } from '../actions/download.ts';
import { textOfCode } from '../error-message.ts';
import { queryClient } from '../query-client.ts';
import { followOperation } from './follow-operation.ts';
import { isOperationOver, type Operation } from './operations.ts';
import { dismissOperation } from './dismiss-operation.ts';
import { inWorkspace } from '../workspaces/tab-workspace.ts';

/** Saves the file that came of an act, and says why when it cannot be had. */
export async function downloadActFile(operationId: string, name: string): Promise<void> {
  const error = await download(inWorkspace(`/api/operations/${operationId}/file`), name);
  if (error !== null) notify.error(textOfCode(error));
}

/**
 * Saves the file of an export as soon as it is written, wherever the person is by then. What is ready at once leaves no line in the
 * banner. Answers with how it ended; null when nobody knows.
 */
export async function downloadWhenReady(begun: Operation): Promise<Operation | null> {
  const wasReady = isOperationOver(begun);
  if (!wasReady) void queryClient.invalidateQueries({ queryKey: orpc.operations.key() });
  const operation = wasReady ? begun : await followOperation(begun.id);
  if (!operation?.file) return operation;
  await downloadActFile(operation.id, operation.file.name);
  await (wasReady
    ? dismissOperation(operation.id)
    : queryClient.invalidateQueries({ queryKey: orpc.operations.key() }));
  return operation;
}
