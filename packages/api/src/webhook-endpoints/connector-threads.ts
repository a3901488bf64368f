import type { WorkspaceScope } from '../platform/workspace-scope.ts';

/** What follows from an attempt of a line, beyond what follows for every endpoint. */
export type LineResult = {
  /** This event alone is not taken, or may have arrived and must not arrive twice. */
  isOver: boolean;
  /** The service unsubscribed the address: the line is deleted. */
  isGone: boolean;
  needsPerson: boolean;
  thread: ToldThread | null;
};
export type ToldThread = { conversationId: string; target: string; thread: string; toldUntil: string };

/** In the transaction of the attempt: replies from the thread find the conversation, and nothing is told twice. */
export async function storeThread(
  scope: WorkspaceScope,
  endpointId: string,
  { conversationId, target, thread, toldUntil }: ToldThread,
): Promise<void> {
  await scope.query(
    `INSERT INTO connector_threads (workspace_id, endpoint_id, conversation_id, target, thread, told_until, created_at)
     SELECT $1, $2, id, $4, $5, $6, $7 FROM conversations WHERE workspace_id = $1 AND id = $3
     ON CONFLICT (workspace_id, endpoint_id, conversation_id) DO UPDATE
       SET target = excluded.target, thread = excluded.thread, told_until = greatest(connector_threads.told_until, excluded.told_until)`,
    [scope.workspaceId, endpointId, conversationId, target, thread, toldUntil, scope.clock()],
  );
}
