import type { draft } from '@app/contracts/drafts/drafts-contract';
import { personOf } from '@app/domain/auth/caller';
import type { DraftFile, DraftKind } from '@app/domain/drafts/draft';
import type { z } from 'zod';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

export type Draft = z.infer<typeof draft>;

type Row = {
  writing_id: string;
  body: string;
  reply_to: string | null;
  files: DraftFile[];
  buttons: string[];
  ended_at: Date | null;
  version: number;
  saved_at: Date;
};

type Saved = {
  conversationId: string;
  kind: DraftKind;
  writingId: string;
  seen: number;
  text: string;
  replyTo: string | null;
  files: DraftFile[];
  buttons: string[];
};

/** `changed`: another device saved meanwhile. `ended`: it was sent or given up. */
type Outcome = { outcome: 'saved'; version: number } | { outcome: 'changed' | 'ended' };

/** Drafts of the person who asks in one conversation. */
export async function readDrafts(
  scope: ReadScope,
  conversationId: string,
): Promise<Record<DraftKind, Draft | null> | 'conversation_not_found'> {
  const { rows } = await scope.query<Row & { kind: DraftKind | null }>(
    `SELECT d.* FROM conversations c LEFT JOIN conversation_drafts d ON d.workspace_id = $1 AND d.user_id = $2
        AND d.contact_id = c.contact_id AND d.channel_id = c.channel_id AND d.ended_at IS NULL
      WHERE c.workspace_id = $1 AND c.id = $3`,
    [scope.workspaceId, personOf(scope.caller), conversationId],
  );
  if (rows.length === 0) return 'conversation_not_found';
  const of = (kind: DraftKind) => {
    const row = rows.find((one) => one.kind === kind);
    return row ? present(row) : null;
  };
  return { reply: of('reply'), note: of('note') };
}

/**
 * Keeps what was typed. A writing that was sent or given up stays ended, however late one of its savings arrives; and what another
 * device saved meanwhile is not written over unseen.
 */
export async function saveDraft(
  scope: WorkspaceScope,
  { conversationId, kind, writingId, seen, text, replyTo, files, buttons }: Saved,
): Promise<Outcome | 'conversation_not_found'> {
  const of = await findPlace(scope, conversationId);
  if (!of) return 'conversation_not_found';
  const key = [scope.workspaceId, personOf(scope.caller), of.contact_id, of.channel_id, kind];
  const now = scope.clock();
  const isOver = text.trim() === '' && replyTo === null && files.length === 0 && buttons.length === 0;
  const [filesText, buttonsText] = [JSON.stringify(files), JSON.stringify(buttons)];
  const { rowCount: isNew } = await scope.query(
    `INSERT INTO conversation_drafts (workspace_id, user_id, contact_id, channel_id, kind, writing_id, body, reply_to, ended_at, saved_at, files, buttons)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT DO NOTHING`,
    [...key, writingId, isOver ? '' : text, replyTo, isOver ? now : null, now, filesText, buttonsText],
  );
  const savedAs = (version: number): Outcome => ({ outcome: 'saved', version });
  if (isNew) return savedAs(1);
  const { rows } = await scope.query<Row>(`SELECT * FROM conversation_drafts WHERE ${WHERE} FOR UPDATE`, key);
  const before = rows[0]!; // it is there, or it would have been made
  if (before.ended_at !== null && before.writing_id === writingId)
    return isOver ? savedAs(before.version) : { outcome: 'ended' };
  // Its answer was lost.
  if (before.writing_id === writingId && isSame(before, { text, replyTo, files, buttons }))
    return savedAs(before.version);
  // What ended was seen by whoever ended it; a new writing follows it.
  if (before.ended_at === null && before.version !== seen) return { outcome: 'changed' };
  const { rows: saved } = await scope.query<{ version: number }>(
    `UPDATE conversation_drafts SET writing_id = $6, body = $7, reply_to = $8, ended_at = $9, saved_at = $10, files = $11, buttons = $12, version = version + 1
      WHERE ${WHERE} RETURNING version`,
    [...key, writingId, isOver ? '' : text, replyTo, isOver ? now : null, now, filesText, buttonsText],
  );
  return savedAs(saved[0]!.version); // its row is locked
}

/** In the act that sends what was written: no saving that is still under way brings it back. */
export async function endDraft(
  scope: WorkspaceScope,
  { conversationId, kind, writingId }: { conversationId: string; kind: DraftKind; writingId: string },
): Promise<void> {
  const userId = personOf(scope.caller);
  const of = userId === null ? null : await findPlace(scope, conversationId);
  if (!of) return;
  await scope.query(
    `INSERT INTO conversation_drafts AS d (workspace_id, user_id, contact_id, channel_id, kind, writing_id, body, ended_at, saved_at)
     VALUES ($1, $2, $3, $4, $5, $6, '', $7, $7)
     ON CONFLICT (workspace_id, user_id, contact_id, channel_id, kind) DO UPDATE
        SET writing_id = excluded.writing_id, body = '', reply_to = NULL, files = '[]', buttons = '[]', ended_at = excluded.ended_at, saved_at = excluded.saved_at, version = d.version + 1
      WHERE d.writing_id = excluded.writing_id OR d.ended_at IS NOT NULL`,
    [scope.workspaceId, userId, of.contact_id, of.channel_id, kind, writingId, scope.clock()],
  );
}

const WHERE = 'workspace_id = $1 AND user_id = $2 AND contact_id = $3 AND channel_id = $4 AND kind = $5';

async function findPlace(scope: ReadScope, conversationId: string) {
  const { rows } = await scope.query<{ contact_id: string; channel_id: string }>(
    'SELECT contact_id, channel_id FROM conversations WHERE workspace_id = $1 AND id = $2',
    [scope.workspaceId, conversationId],
  );
  return rows[0] ?? null;
}

/** The order of the parts of a file is the database's own. */
function isSame(
  before: Row,
  { text, replyTo, files, buttons }: Pick<Saved, 'text' | 'replyTo' | 'files' | 'buttons'>,
): boolean {
  const partsOf = (file: DraftFile) => [file.fileId, file.name, file.kind, file.size, file.caption];
  return (
    before.body === text &&
    before.reply_to === replyTo &&
    JSON.stringify(before.buttons) === JSON.stringify(buttons) &&
    JSON.stringify(before.files.map(partsOf)) === JSON.stringify(files.map(partsOf))
  );
}

function present(row: Row): Draft {
  return {
    writingId: row.writing_id,
    text: row.body,
    replyTo: row.reply_to,
    files: row.files,
    buttons: row.buttons,
    savedAt: row.saved_at.toISOString(),
    version: row.version,
  };
}
