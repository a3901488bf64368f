import type { knowledgeEntry } from '@app/contracts/chatbot/bot-knowledge-contract';
import { advisoryLocks } from '@app/database/advisory-locks';
import { bindTo } from '@app/database/bind-value';
import {
  knowledgeLimits,
  splitIntoParts,
  type KnowledgeKind,
  type KnowledgeProblem,
} from '@app/domain/chatbot/knowledge/knowledge-rules';
import { foldWords } from '@app/domain/chatbot/knowledge/search-words';
import type { z } from 'zod';
import { cutPage, readTimeCursor, timeKey } from '../../platform/keyset.ts';
import type { Jobs } from '../../platform/jobs/enqueue-job.ts';
import type { WorkspaceJobKind } from '../../platform/jobs/job-kind.ts';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';
import { botKnowledgeEmbed } from './embed-knowledge.ts';

export type KnowledgeEntry = z.infer<typeof knowledgeEntry>;

type Row = {
  id: string;
  kind: KnowledgeKind;
  title: string;
  answer: string | null;
  url: string | null;
  characters: number;
  problem: KnowledgeProblem | null;
  read_at: Date;
  updated_at: Date;
  version: number;
};
const COLUMNS = 'id, kind, title, answer, url, characters, problem, read_at, updated_at, version';

export async function listKnowledge(
  scope: ReadScope,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ items: KnowledgeEntry[]; nextCursor: string | null; total: number }> {
  const values: unknown[] = [scope.workspaceId];
  const bind = bindTo(values);
  const after = readTimeCursor(cursor);
  const condition = after
    ? `AND (updated_at, id) < (${bind(after.key, 'timestamptz')}, ${bind(after.id, 'uuid')})`
    : '';
  const { rows } = await scope.query<Row & { place: string }>(
    `SELECT ${COLUMNS}, ${timeKey('updated_at')} AS place FROM bot_knowledge WHERE workspace_id = $1 ${condition}
      ORDER BY updated_at DESC, id DESC LIMIT ${bind(limit + 1, 'integer')}`,
    values,
  );
  const found = cutPage(rows, limit, ({ place: key, id }) => ({ key, id }));
  const { rows: counted } = await scope.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM bot_knowledge WHERE workspace_id = $1',
    [scope.workspaceId],
  );
  return { items: found.items.map(present), nextCursor: found.nextCursor, total: counted[0]?.n ?? 0 };
}

export async function findKnowledge(scope: ReadScope, knowledgeId: string): Promise<KnowledgeEntry | null> {
  const { rows } = await scope.query<Row>(
    `SELECT ${COLUMNS} FROM bot_knowledge WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, knowledgeId],
  );
  return rows[0] ? present(rows[0]) : null;
}

export type NewKnowledge = {
  id: string;
  kind: KnowledgeKind;
  title: string;
  answer?: string;
  url?: string;
  text: string;
};

/**
 * Under an id that is there already nothing is added, and that one is answered: it is the same request again. Under an id that another
 * workspace has there is nothing.
 */
export async function addKnowledge(
  scope: WorkspaceScope,
  jobs: Jobs,
  { id, kind, title, answer, url, text }: NewKnowledge,
): Promise<KnowledgeEntry | 'bot_knowledge_limit' | null> {
  const known = await findKnowledge(scope, id);
  if (known) return known;
  const parts = splitIntoParts(text);
  // One at a time, so that two of them do not both find room.
  await scope.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, ${advisoryLocks.botKnowledge}))`, [
    scope.workspaceId,
  ]);
  const { rows } = await scope.query<{ entries: number; parts: number }>(
    `SELECT (SELECT count(*) FROM bot_knowledge WHERE workspace_id = $1)::int AS entries,
            (SELECT count(*) FROM bot_knowledge_parts WHERE workspace_id = $1)::int AS parts`,
    [scope.workspaceId],
  );
  const { entries = 0, parts: before = 0 } = rows[0] ?? {};
  if (entries >= knowledgeLimits.entries || before + parts.length > knowledgeLimits.parts)
    return 'bot_knowledge_limit';
  const { rowCount } = await scope.query(
    `INSERT INTO bot_knowledge (id, workspace_id, kind, title, answer, url, characters, read_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8) ON CONFLICT (id) DO NOTHING`,
    [id, scope.workspaceId, kind, title, answer ?? null, url ?? null, text.length, scope.clock()],
  );
  // Its twin was quicker, or it is somebody else's.
  if (!rowCount) return findKnowledge(scope, id);
  await writeParts(scope, jobs, { id, title, parts });
  await emitChange(scope, { title, what: 'added' });
  return (await findKnowledge(scope, id))!; // inserted above
}

export async function changePair(
  scope: WorkspaceScope,
  jobs: Jobs,
  { id, question, answer, version }: { id: string; question: string; answer: string; version: number },
): Promise<KnowledgeEntry | 'bot_knowledge_not_found' | 'bot_knowledge_changed'> {
  const known = await findKnowledge(scope, id);
  if (known?.kind !== 'pair') return 'bot_knowledge_not_found';
  const text = textOfPair(question, answer);
  const { rowCount } = await scope.query(
    `UPDATE bot_knowledge SET title = $3, answer = $4, characters = $5, read_at = $6, updated_at = $6, version = version + 1
      WHERE workspace_id = $1 AND id = $2 AND version = $7`,
    [scope.workspaceId, id, question, answer, text.length, scope.clock(), version],
  );
  if (!rowCount) return 'bot_knowledge_changed';
  await writeParts(scope, jobs, { id, title: question, parts: splitIntoParts(text) });
  await emitChange(scope, { title: question, what: 'changed' });
  return (await findKnowledge(scope, id))!; // updated above
}

/** What a page says now, or why that is not known. */
export async function storeReading(
  scope: WorkspaceScope,
  jobs: Jobs,
  id: string,
  reading: { text: string; title: string } | { problem: KnowledgeProblem },
): Promise<KnowledgeEntry | 'bot_knowledge_not_found'> {
  if ('problem' in reading) {
    await scope.query(
      'UPDATE bot_knowledge SET problem = $3, version = version + 1 WHERE workspace_id = $1 AND id = $2',
      [scope.workspaceId, id, reading.problem],
    );
    return (await findKnowledge(scope, id)) ?? 'bot_knowledge_not_found';
  }
  const { text, title } = reading;
  const { rowCount } = await scope.query(
    `UPDATE bot_knowledge SET title = $3, characters = $4, problem = NULL, read_at = $5, updated_at = $5, version = version + 1
      WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, id, title, text.length, scope.clock()],
  );
  if (!rowCount) return 'bot_knowledge_not_found';
  await writeParts(scope, jobs, { id, title, parts: splitIntoParts(text) });
  await emitChange(scope, { title, what: 'changed' });
  return (await findKnowledge(scope, id))!; // updated above
}

export async function removeKnowledge(
  scope: WorkspaceScope,
  id: string,
): Promise<'bot_knowledge_not_found' | null> {
  const { rows } = await scope.query<{ title: string }>(
    'DELETE FROM bot_knowledge WHERE workspace_id = $1 AND id = $2 RETURNING title',
    [scope.workspaceId, id],
  );
  if (!rows[0]) return 'bot_knowledge_not_found';
  await emitChange(scope, { title: rows[0].title, what: 'removed' });
  return null;
}

export function textOfPair(question: string, answer: string): string {
  return `${question}\n${answer}`;
}

async function writeParts(
  scope: WorkspaceScope,
  jobs: Jobs,
  { id, title, parts }: { id: string; title: string; parts: readonly string[] },
): Promise<void> {
  const { workspaceId } = scope;
  await scope.query('DELETE FROM bot_knowledge_parts WHERE workspace_id = $1 AND knowledge_id = $2', [
    workspaceId,
    id,
  ]);
  await scope.query(
    `INSERT INTO bot_knowledge_parts (workspace_id, knowledge_id, place, text, words)
     SELECT $1, $2, p.place, p.text, p.words FROM jsonb_to_recordset($3::jsonb) AS p (place integer, text text, words text)`,
    [
      ...[workspaceId, id],
      JSON.stringify(parts.map((text, place) => ({ place, text, words: foldWords(`${title} ${text}`) }))),
    ],
  );
  const { rowCount } = await scope.query(
    'SELECT FROM ai_connections WHERE workspace_id = $1 AND embedding_model IS NOT NULL',
    [workspaceId],
  );
  if (rowCount) await jobs.enqueue(scope, botKnowledgeEmbed as WorkspaceJobKind<object>, workspaceId, {});
}

async function emitChange(
  scope: WorkspaceScope,
  values: { title: string; what: 'added' | 'changed' | 'removed' },
): Promise<void> {
  await scope.emit({ type: 'chatbot_knowledge.changed', subject: scope.workspaceId, values });
}

function present({ read_at, updated_at, ...row }: Row): KnowledgeEntry {
  return { ...row, readAt: read_at.toISOString(), updatedAt: updated_at.toISOString() };
}
