import type { WorkspaceScope } from '../platform/workspace-scope.ts';

/** What somebody has in hand who goes: their unfinished conversations go on to the heir, or to nobody. Resolved ones keep who resolved them. */
export async function handOverConversations(
  scope: WorkspaceScope,
  from: string,
  heirId: string | null,
): Promise<number> {
  const { rowCount } = await scope.query(
    // In the order in which everybody locks conversations.
    `WITH theirs AS (
       SELECT id FROM conversations WHERE workspace_id = $1 AND assignee_id = $2 AND status <> 'resolved'
        ORDER BY contact_id, channel_id FOR NO KEY UPDATE)
     UPDATE conversations c SET assignee_id = $3, awaits_assignee = $3::uuid IS NULL AND c.status = 'open', version = c.version + 1 FROM theirs WHERE c.id = theirs.id`,
    [scope.workspaceId, from, heirId],
  );
  const conversations = rowCount ?? 0;
  if (conversations > 0)
    await scope.emit({
      type: 'conversations.handed_over',
      subject: null,
      values: { from, to: heirId, conversations },
    });
  return conversations;
}
