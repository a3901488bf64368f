import { newId } from '@app/database/new-id';
import { colourOf, MOST_LABELS, type LabelColour } from '@app/domain/conversations/conversation-label';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';
import { relabelViews } from '../views/conversation-views.ts';

export type Label = { id: string; name: string; colour: LabelColour; version: number };

export async function listLabels({ query, workspaceId }: ReadScope): Promise<Label[]> {
  const { rows } = await query<Label>(
    'SELECT id, name, colour, version FROM conversation_labels WHERE workspace_id = $1 ORDER BY lower(name), id',
    [workspaceId],
  );
  return rows;
}

/** Labels as the workspace writes them, and until this act is done; those that it does not have yet join its list. */
export async function keepLabels(
  scope: WorkspaceScope,
  names: readonly string[],
): Promise<string[] | 'conversation_labels_full'> {
  const kept: string[] = [];
  for (const name of names) {
    const found = await holdLabel(scope, name);
    const label = found ?? (await addLabel(scope, { name }));
    if (label === 'conversation_labels_full') return label;
    // Somebody else added it at the same moment.
    kept.push(
      label === 'conversation_label_taken' ? ((await holdLabel(scope, name))?.name ?? name) : label.name,
    );
  }
  return [...new Set(kept)];
}

export async function addLabel(
  scope: WorkspaceScope,
  { name, colour }: { name: string; colour?: LabelColour | undefined },
): Promise<Label | 'conversation_label_taken' | 'conversation_labels_full'> {
  const { workspaceId } = scope;
  const { rows } = await scope.query<{ labels: number }>(
    'SELECT count(*)::int AS labels FROM conversation_labels WHERE workspace_id = $1',
    [workspaceId],
  );
  const count = rows[0]?.labels ?? 0;
  if (await findLabel(scope, name)) return 'conversation_label_taken';
  if (count >= MOST_LABELS) return 'conversation_labels_full';
  const added = await scope.query<Label>(
    `INSERT INTO conversation_labels (id, workspace_id, name, colour, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (workspace_id, lower(name)) DO NOTHING RETURNING id, name, colour, version`,
    [newId(), workspaceId, name, colour ?? colourOf(count), scope.clock()],
  );
  const [label] = added.rows;
  if (!label) return 'conversation_label_taken';
  await scope.emit({ type: 'conversation_label.created', subject: workspaceId, values: { name } });
  return label;
}

type Change = {
  labelId: string;
  version: number;
  name?: string | undefined;
  colour?: LabelColour | undefined;
};

/** Conversations have labels by name: a new one is written to all of them, in the order in which everybody locks them. */
export async function changeLabel(
  scope: WorkspaceScope,
  { labelId, version, name, colour }: Change,
): Promise<
  Label | 'conversation_label_not_found' | 'conversation_label_taken' | 'conversation_label_changed'
> {
  const { workspaceId } = scope;
  const before = await lockLabel(scope, labelId);
  if (!before) return 'conversation_label_not_found';
  if (before.version !== version) return 'conversation_label_changed';
  const taken = name === undefined ? undefined : await findLabel(scope, name);
  if (taken && taken.id !== labelId) return 'conversation_label_taken';
  const { rows } = await scope.query<Label>(
    `UPDATE conversation_labels SET name = coalesce($3, name), colour = coalesce($4, colour), version = version + 1
      WHERE workspace_id = $1 AND id = $2 RETURNING id, name, colour, version`,
    [workspaceId, labelId, name ?? null, colour ?? null],
  );
  const label = rows[0]!; // locked above
  if (label.name !== before.name) {
    await relabel(scope, before.name, label.name);
    await relabelViews(scope, before.name, label.name);
  }
  const values = { name: label.name, before: before.name };
  await scope.emit({ type: 'conversation_label.updated', subject: workspaceId, values });
  return label;
}

/** Answers with how many conversations had it. */
export async function removeLabel(scope: WorkspaceScope, labelId: string): Promise<number | null> {
  const before = await lockLabel(scope, labelId);
  if (!before) return null;
  const conversations = await relabel(scope, before.name, null);
  await scope.query('DELETE FROM conversation_labels WHERE workspace_id = $1 AND id = $2', [
    scope.workspaceId,
    labelId,
  ]);
  await scope.emit({
    type: 'conversation_label.deleted',
    subject: scope.workspaceId,
    values: { name: before.name },
  });
  return conversations;
}

/** How many conversations have it; null where there is no such label. */
export async function countUse(scope: ReadScope, labelId: string): Promise<number | null> {
  const { rows } = await scope.query<{ conversations: number }>(
    `SELECT (SELECT count(*)::int FROM conversations c WHERE c.workspace_id = $1 AND c.labels <> '{}' AND c.labels @> ARRAY[l.name]) AS conversations
       FROM conversation_labels l WHERE l.workspace_id = $1 AND l.id = $2`,
    [scope.workspaceId, labelId],
  );
  return rows[0]?.conversations ?? null;
}

async function relabel(scope: WorkspaceScope, from: string, to: string | null): Promise<number> {
  const { rowCount } = await scope.query(
    `WITH theirs AS (
       SELECT id FROM conversations WHERE workspace_id = $1 AND labels <> '{}' AND labels @> ARRAY[$2::text]
        ORDER BY contact_id, channel_id FOR NO KEY UPDATE)
     UPDATE conversations c SET version = c.version + 1,
            labels = CASE WHEN $3::text IS NULL THEN array_remove(c.labels, $2) ELSE array_replace(c.labels, $2, $3) END
       FROM theirs WHERE c.id = theirs.id`,
    [scope.workspaceId, from, to],
  );
  return rowCount ?? 0;
}

const BY_NAME =
  'SELECT id, name, colour, version FROM conversation_labels WHERE workspace_id = $1 AND lower(name) = lower($2)';

async function findLabel(scope: ReadScope, name: string): Promise<Label | undefined> {
  const { rows } = await scope.query<Label>(BY_NAME, [scope.workspaceId, name]);
  return rows[0];
}

/** Whoever renames or deletes it finds the conversation that gets it here. */
async function holdLabel(scope: WorkspaceScope, name: string): Promise<Label | undefined> {
  const { rows } = await scope.query<Label>(`${BY_NAME} FOR SHARE`, [scope.workspaceId, name]);
  return rows[0];
}

async function lockLabel(scope: WorkspaceScope, labelId: string): Promise<Label | undefined> {
  const { rows } = await scope.query<Label>(
    'SELECT id, name, colour, version FROM conversation_labels WHERE workspace_id = $1 AND id = $2 FOR UPDATE',
    [scope.workspaceId, labelId],
  );
  return rows[0];
}
