import type { WorkspaceScope } from '../platform/workspace-scope.ts';

/** What somebody has in hand who goes: their unfinished conversations go on to the heir, or to nobody. Resolved ones keep who resolved them. */
export async function handOverConversations(
  scope: WorkspaceScope,
  from: string,
  heirId: string | null,
): Promise<number> {
  const { rowCount } = await scope.query(
    `UPDATE conversations SET assignee_id = $3, version = version + 1
      WHERE workspace_id = $1 AND assignee_id = $2 AND status <> 'resolved'`,
    [scope.workspaceId, from, heirId],
  );
  const conversations = rowCount ?? 0;
  if (conversations > 0)
    await scope.tell({
      type: 'conversations.handed_over',
      subject: null,
      values: { from, to: heirId, conversations },
    });
  return conversations;
}
