import {
  aimSla,
  beginSla,
  nextNews,
  openDueTargets,
  turnSla,
  type SlaRules,
  type ConversationSla,
} from '@app/domain/conversations/teamwork/conversation-sla';
import type { ConversationPriority, ConversationStatus } from '@app/domain/conversations/conversation-status';
import { readInboxSettings, targetsFor } from '@app/domain/conversations/inbox-settings';
import type { SqlQueries } from '../sql-queries.ts';
import { storeSlaRounds } from './store-sla-rounds.ts';

export type SlaRow = {
  id: string;
  begun_at: Date | null;
  first_answer_due_at: Date | null;
  first_answer_soon_at: Date | null;
  first_answered_at: Date | null;
  resolution_due_at: Date | null;
  resolution_soon_at: Date | null;
  resolution_minutes: number | null;
  resolution_left_ms: number | null;
  resolved_at: Date | null;
};

/** The columns of a clock; of a conversation that is called `c`. */
export const SLA_COLUMNS = `c.begun_at, c.first_answer_due_at, c.first_answer_soon_at, c.first_answered_at, c.resolution_due_at,
  c.resolution_soon_at, c.resolution_minutes, c.resolution_left_ms::float8 AS resolution_left_ms, c.resolved_at`;

export function readSla(row: Omit<SlaRow, 'id'>): ConversationSla {
  const at = (time: Date | null) => time?.getTime() ?? null;
  return {
    begunAt: at(row.begun_at),
    firstAnswerDueAt: at(row.first_answer_due_at),
    firstAnswerSoonAt: at(row.first_answer_soon_at),
    firstAnsweredAt: at(row.first_answered_at),
    resolutionDueAt: at(row.resolution_due_at),
    resolutionSoonAt: at(row.resolution_soon_at),
    resolutionMinutes: row.resolution_minutes,
    resolutionLeftMs: row.resolution_left_ms,
    resolvedAt: at(row.resolved_at),
  };
}

type Row = SlaRow & {
  status: ConversationStatus;
  priority: ConversationPriority;
  team_id: string | null;
  settings: Record<string, unknown> | null;
};

/**
 * Keeps current by when conversations are to be answered and resolved, after their status changed and in its transaction, which has locked
 * them. `begun` are those whose clock begins with a message that has just arrived; `aims` says that team or priority changed, `by` who did it.
 */
export async function settleSla(
  client: SqlQueries,
  {
    conversationIds,
    begun,
    aims = false,
    by = null,
    now,
  }: {
    conversationIds: readonly string[];
    begun: ReadonlySet<string>;
    aims?: boolean;
    by?: string | null;
    now: Date;
  },
): Promise<void> {
  if (conversationIds.length === 0) return;
  const { rows } = await client.query<Row>({
    name: 'conversations_read_clocks',
    text: `SELECT c.id, c.status, c.priority, c.team_id, s.settings, ${SLA_COLUMNS} FROM conversations c
      LEFT JOIN inbox_settings s ON s.workspace_id = c.workspace_id
     WHERE c.id = ANY ($1::uuid[]) AND c.begun_at IS NOT NULL`,
    values: [conversationIds],
  });
  await writeSla(
    client,
    rows.flatMap((row) => settle(row, { isNew: begun.has(row.id), aims, now })),
  );
  const settled = rows.filter((row) => !begun.has(row.id)).map(({ id }) => id);
  await storeSlaRounds(client, settled, by);
}

/** Nothing where nothing is another than it was: most workspaces have no targets. */
function settle(row: Row, { isNew, aims, now }: { isNew: boolean; aims: boolean; now: Date }): Settled[] {
  const settings = readInboxSettings(row.settings);
  const rules: SlaRules = {
    targets: targetsFor(settings, { teamId: row.team_id, priority: row.priority }),
    businessHours: settings.businessHours,
  };
  const before = readSla(row);
  const turn = { rules, isPaused: row.status !== 'open', now: now.getTime() };
  const clock =
    isNew && before.begunAt !== null
      ? { ...beginSla(before.begunAt, rules), firstAnsweredAt: before.firstAnsweredAt }
      : turnSla(aims ? aimSla(before, turn) : before, row.status, turn);
  if (openDueTargets(clock).length === 0 && JSON.stringify(clock) === JSON.stringify(before)) return [];
  // What a message that was long on its way missed is told at once.
  return [{ id: row.id, clock, toldUntil: isNew ? (before.begunAt ?? 0) : now.getTime() }];
}

type Settled = { id: string; clock: ConversationSla; toldUntil: number };

/** Writes clocks as they are by now; all news of them until `toldUntil` was told. */
export async function writeSla(client: SqlQueries, settled: readonly Settled[]): Promise<void> {
  if (settled.length === 0) return;
  const time = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  const written = settled.map(({ id, clock, toldUntil }) => ({
    id,
    first_answer_due_at: time(clock.firstAnswerDueAt),
    first_answer_soon_at: time(clock.firstAnswerSoonAt),
    resolution_due_at: time(clock.resolutionDueAt),
    resolution_soon_at: time(clock.resolutionSoonAt),
    resolution_minutes: clock.resolutionMinutes,
    resolution_left_ms: clock.resolutionLeftMs === null ? null : Math.round(clock.resolutionLeftMs),
    resolved_at: time(clock.resolvedAt),
    next_due_at: time(openDueTargets(clock)[0]?.at ?? null),
    next_news_at: time(nextNews(clock, toldUntil)),
  }));
  await client.query(
    `UPDATE conversations c SET first_answer_due_at = n.first_answer_due_at, first_answer_soon_at = n.first_answer_soon_at,
            resolution_due_at = n.resolution_due_at, resolution_soon_at = n.resolution_soon_at,
            resolution_minutes = n.resolution_minutes, resolution_left_ms = n.resolution_left_ms, resolved_at = n.resolved_at, next_due_at = n.next_due_at,
            next_news_at = n.next_news_at
       FROM jsonb_to_recordset($1::jsonb) AS n (id uuid, first_answer_due_at timestamptz, first_answer_soon_at timestamptz,
            resolution_due_at timestamptz, resolution_soon_at timestamptz, resolution_minutes integer, resolution_left_ms bigint, resolved_at timestamptz,
            next_due_at timestamptz, next_news_at timestamptz)
      WHERE c.id = n.id`,
    [JSON.stringify(written)],
  );
}

/**
 * After messages moved between contacts or turned out not to have left: whether a person has answered is what the messages say, and what
 * is known since before those that are kept no more.
 */
export async function recountAnswers(
  client: SqlQueries,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<void> {
  const { rows } = await client.query<SlaRow & { answered_at: Date | null }>(
    `WITH counted AS (
       SELECT c.id, least(CASE WHEN c.first_answered_at < c.kept_since THEN c.first_answered_at END,
                (SELECT min(m.occurred_at) FROM messages m WHERE m.contact_id = c.contact_id AND m.channel_id = c.channel_id
                        AND m.direction = 'out' AND is_said(m) AND m.author IN ('person', 'app')
                        AND coalesce(m.state, '') NOT IN ('refused', 'cancelled', 'scheduled') AND m.occurred_at >= c.begun_at)) AS answered_at
         FROM conversations c WHERE c.workspace_id = $1 AND c.contact_id = ANY ($2::uuid[]) AND c.begun_at IS NOT NULL)
     UPDATE conversations c SET first_answered_at = n.answered_at FROM counted n
      WHERE c.id = n.id AND c.first_answered_at IS DISTINCT FROM n.answered_at
     RETURNING c.id, ${SLA_COLUMNS}`,
    [workspaceId, contactIds],
  );
  if (rows.length === 0) return;
  // What was due meanwhile is told now: nobody knew that it was.
  await writeSla(
    client,
    rows.map((row) => ({ id: row.id, clock: readSla(row), toldUntil: row.begun_at?.getTime() ?? 0 })),
  );
  await storeSlaRounds(
    client,
    rows.map(({ id }) => id),
    null,
  );
}
