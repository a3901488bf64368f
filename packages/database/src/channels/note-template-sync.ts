import type { SqlQueries } from '../sql-queries.ts';

export type TemplateSync = {
  state: 'running' | 'done' | 'failed';
  /** What the platform refused: its code, and its sentence. */
  refusal: { code: string; reason: string } | null;
  at: Date;
};

/** How bringing the templates in line with the account of a number goes, or went. */
export async function noteTemplateSync(
  { query }: Pick<SqlQueries, 'query'>,
  { workspaceId, channelId }: { workspaceId: string; channelId: string },
  { state, refusal, at }: TemplateSync,
): Promise<void> {
  await query(
    `UPDATE channels SET templates_sync = $3, templates_sync_code = $4, templates_sync_reason = $5, templates_sync_at = $6
      WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, channelId, state, refusal?.code ?? null, refusal?.reason.slice(0, 500) ?? null, at],
  );
}
