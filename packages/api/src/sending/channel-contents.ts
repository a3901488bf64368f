import { bindTo } from '@app/database/bind-value';
import { containsPattern } from '@app/database/contains-pattern';
import { pauseRunFor } from '@app/delivery/run-controls';
import type { ContentValue } from '@app/domain/channel-kinds/content-type';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

/** A content of a channel kind that is stored under a name. The feature of its kind writes it; a campaign reads it by its id. */
export type StoredContent = {
  id: string;
  kind: string;
  name: string;
  line: string;
  isActive: boolean;
  isMarketing: boolean;
  /** As it leaves; null while it is not complete. */
  content: { kind: string; contentType: string; value: ContentValue } | null;
  /** The language of `content`, for everybody who has none of the others. */
  language: string;
  /** The same in other languages, by their codes. */
  inLanguages: Readonly<Record<string, { contentType: string; value: ContentValue }>>;
  /** All files of the library that it shows are there. */
  hasFiles: boolean;
};

const SHOWN = 100;

/** One content in any state, or up to 100 that are active, newest first; `kind` and `search` narrow them. */
export async function findContents(
  { query, workspaceId }: ReadScope,
  {
    contentId,
    kind,
    search,
  }: { contentId?: string | undefined; kind?: string | undefined; search?: string | undefined },
): Promise<StoredContent[]> {
  const values: unknown[] = [workspaceId];
  const bind = bindTo(values);
  const conditions = ['c.workspace_id = $1'];
  conditions.push(contentId === undefined ? `c.status = 'active'` : `c.id = ${bind(contentId, 'uuid')}`);
  if (kind !== undefined) conditions.push(`c.kind = ${bind(kind, 'text')}`);
  const words = search?.trim().toLowerCase();
  if (words) conditions.push(`lower(c.name || ' ' || c.line) LIKE ${bind(containsPattern(words), 'text')}`);
  const { rows } = await query<
    Omit<StoredContent, 'content'> & { contentType: string | null; value: ContentValue | null }
  >(
    `SELECT c.id, c.kind, c.name, c.line, c.status = 'active' AS "isActive", c.is_marketing AS "isMarketing",
            c.content_type AS "contentType", c.value, c.language, c.in_languages AS "inLanguages",
            cardinality(c.media_ids) = (SELECT count(*) FROM media m WHERE m.workspace_id = c.workspace_id AND m.id = ANY (c.media_ids)) AS "hasFiles"
       FROM channel_contents c WHERE ${conditions.join(' AND ')} ORDER BY c.created_at DESC, c.id DESC LIMIT ${SHOWN}`,
    values,
  );
  return rows.map(({ contentType, value, ...row }) => ({
    ...row,
    content: contentType === null || value === null ? null : { kind: row.kind, contentType, value },
  }));
}

/**
 * Pauses every campaign that is being sent with a content, in the transaction that made it inactive, so that nothing leaves afterwards. A campaign
 * that is not started yet is refused at its start.
 */
export async function pauseCampaignsOf(scope: WorkspaceScope, contentId: string): Promise<void> {
  const { rows } = await scope.query<{ run_no: string }>(
    `SELECT run.run_no FROM campaigns c JOIN delivery_runs run USING (run_no)
      WHERE c.workspace_id = $1 AND (c.content_id = $2
         OR c.ab_test->'variants' @> jsonb_build_array(jsonb_build_object('message', jsonb_build_object('contentId', $2::text)))) AND run.state IN ('ready', 'running') ORDER BY run.run_no`,
    [scope.workspaceId, contentId],
  );
  for (const { run_no: runNo } of rows)
    await pauseRunFor(scope, Number(runNo), { reason: 'content_not_active' });
}
