import { saveWorkspaceSettings } from '@app/database/auth/write-settings';
import type { WorkspaceSettings } from '@app/database/workspaces/workspaces-tables';
import { keptSinceOfAll, type RetentionSettings } from '@app/domain/data-management/retention';
import { readRetention } from '../platform/retention/read-retention.ts';
import { FILE_IS_OVER, MESSAGE_IS_OVER, TOLD_IS_OVER } from '../platform/retention/what-goes.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

export type StoredRetention = RetentionSettings & { version: number };
export type RetentionPreview = {
  messages: number;
  files: number;
  fileBytes: number;
  audit: number;
  logs: number;
};

/** How long the workspace keeps what; version 0 where nobody changed anything. */
export async function findRetention({ query, workspaceId }: ReadScope): Promise<StoredRetention> {
  const { rows } = await query<{ settings: WorkspaceSettings }>(
    'SELECT settings FROM workspaces WHERE id = $1',
    [workspaceId],
  );
  const settings = rows[0]?.settings ?? {};
  return {
    ...readRetention(settings),
    version: settings.versions?.retention ?? 0,
  };
}

/** What is older than that by now, as the prunings of each part find it. Bytes that a newer file shares stay. */
export async function previewRetention(
  { query, workspaceId }: ReadScope,
  chosen: RetentionSettings,
  now: Date,
): Promise<RetentionPreview> {
  const since = keptSinceOfAll(chosen, now);
  const { rows } = await query<Record<keyof RetentionPreview, string>>(
    `WITH files AS (
       SELECT f.content, f.size, coalesce(${FILE_IS_OVER} AND (f.created_at < $3
                OR EXISTS (SELECT FROM messages o WHERE o.id = f.message_id AND o.occurred_at < $2)), false) AS goes
         FROM message_files f WHERE f.workspace_id = $1 AND ($2::timestamptz IS NOT NULL OR $3::timestamptz IS NOT NULL))
     SELECT (SELECT count(*) FROM messages m WHERE workspace_id = $1 AND occurred_at < $2 AND ${MESSAGE_IS_OVER}) AS messages,
            (SELECT count(*) FROM files WHERE goes) AS files,
            (SELECT coalesce(sum(size), 0) FROM (SELECT max(size) AS size FROM files WHERE content IS NOT NULL
               GROUP BY content HAVING bool_and(goes)) AS gone) AS "fileBytes",
            (SELECT count(*) FROM activities WHERE workspace_id = $1 AND occurred_at < $4) AS audit,
            (SELECT count(*) FROM platform_events p WHERE workspace_id = $1 AND received_at < $5 AND ${TOLD_IS_OVER})
              + (SELECT count(*) FROM webhook_calls WHERE workspace_id = $1 AND at < $5) AS logs`,
    [workspaceId, since.messages, since.files, since.audit, since.logs],
  );
  const [{ messages, files, fileBytes, audit, logs } = NOTHING] = rows;
  return {
    ...{
      messages: Number(messages),
      files: Number(files),
      fileBytes: Number(fileBytes),
    },
    ...{ audit: Number(audit), logs: Number(logs) },
  };
}

const NOTHING = { messages: 0, files: 0, fileBytes: 0, audit: 0, logs: 0 };

/** `data_name_different` when something goes and the name was not typed; what is gone does not come back by a longer time. */
export async function changeRetention(
  scope: WorkspaceScope,
  { version, name, ...chosen }: StoredRetention & { name?: string | undefined },
  businessName: string,
): Promise<StoredRetention | 'settings_changed' | 'data_name_different'> {
  const preview = await previewRetention(scope, chosen, scope.clock());
  const isDeleting = Object.values(preview).some((count) => count > 0);
  if (isDeleting && name?.trim() !== businessName) return 'data_name_different';
  const isSaved = await saveWorkspaceSettings(scope, scope.workspaceId, {
    ...{ part: 'retention', version, settings: { retention: chosen } },
  });
  if (!isSaved) return 'settings_changed';
  await scope.emit({
    type: 'settings.updated',
    subject: scope.workspaceId,
    values: { part: 'retention' },
  });
  return findRetention(scope);
}
