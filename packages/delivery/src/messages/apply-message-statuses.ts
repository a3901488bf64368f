import { recountConversations } from '@app/database/conversations/note-messages';
import { readCause, type Cause } from '@app/domain/events/fact-cause';
import type { RejectionAction } from '@app/domain/messaging/rejection';
import { parseMessageTag } from '@app/domain/conversations/message-tag';
import { isFree } from '@app/domain/settings/budget';
import { chargeOfMessage, returnCharges, takeChargesAgain } from '../pace/budget.ts';
import type { StatusReport } from '../core/aggregate-statuses.ts';
import { stopChannel } from '../run-controls.ts';
import type { SqlClient } from '../sql-client.ts';

export type ReportedMessage = {
  id: string;
  workspaceId: string;
  contactId: string | null;
  conversationId: string | null;
  /** Nobody knew before that it failed. */
  failedNow: string | null;
  /** Its first sign: the report came before the answer to the call, or instead of it. Nobody else emits that it was sent. */
  isSentNow: boolean;
  /** What led to the message. */
  cause: Cause | null;
};

type Fold = {
  /** Of one message and one signer. */
  key: string;
  workspace_id: string;
  /** The signer, where it is known. */
  kind: string | null;
  channel_id: string | null;
  no: number;
  message_id: string;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  failed_at: Date | null;
  /** Of which try the failure is. */
  failed_attempt: number;
  code: string | null;
  detail: string | null;
};
type Folded = {
  row: Fold;
  action: RejectionAction | null;
  /** Tries that cost nothing, as the platform says, those that failed, and those that somebody got. */
  freeAttempts: number[];
  failedAttempts: number[];
  arrivedAttempts: number[];
};

export function isOfMessage({ tag }: { tag: string | null }): boolean {
  return tag !== null && parseMessageTag(tag) !== null;
}

/**
 * Stores what the platform reports of single messages, all in the caller's transaction (system scope). Doubled and reordered reports change
 * nothing twice: each time is the earliest. A report proves that the platform has the message, whatever was known before; that an earlier try
 * failed says nothing of one that followed. What a failure says of the number holds for all that it sends. Answers with the messages that changed,
 * the runs that were paused, and the places of reports whose message is not there.
 */
export async function applyMessageStatuses(
  client: SqlClient,
  reports: readonly StatusReport[],
  now: number,
): Promise<{ changed: ReportedMessage[]; pausedRuns: number[]; unmatched: number[] }> {
  if (reports.length === 0) return { changed: [], pausedRuns: [], unmatched: [] };
  const folds = new Map<string, Folded>();
  const keys = reports.map((report) => addTo(folds, report, now));
  // Messages are locked in one order by all who report of several.
  const { rows } = await client.query<{
    key: string;
    workspace_id: string;
    id: string;
    channel_id: string;
    contact_id: string | null;
    conversation_id: string | null;
    is_changed: boolean;
    is_failed_now: boolean;
    is_sent_now: boolean;
    is_delivered: boolean;
    was_unsent: boolean;
    may_owe: boolean;
    code: string | null;
    cause: unknown;
  }>(
    `WITH told AS (
       SELECT * FROM jsonb_to_recordset($1::jsonb) AS r (key text, workspace_id uuid, kind text, channel_id uuid, no bigint, message_id text, sent_at timestamptz,
         delivered_at timestamptz, read_at timestamptz, failed_at timestamptz,
         failed_attempt integer, code text, detail text)
     ), known AS MATERIALIZED (
       SELECT m.id, m.channel_id, m.state, m.purpose, m.attempt, m.cause, m.sent_at, m.delivered_at, m.read_at, m.failed_at, r.*,
              CASE WHEN r.failed_attempt >= m.attempt THEN r.reported_failed END AS now_failed
         FROM (SELECT key, workspace_id AS of_workspace, kind AS of_kind, channel_id AS of_channel, no, message_id, sent_at AS now_sent, delivered_at AS now_delivered, read_at AS now_read,
                      failed_at AS reported_failed, failed_attempt, code, detail FROM told) AS r
         JOIN messages m ON m.send_no = r.no AND m.workspace_id = r.of_workspace AND (r.of_channel IS NULL OR m.channel_id = r.of_channel)
          AND (r.of_kind IS NULL OR EXISTS (SELECT FROM channels ch WHERE ch.id = m.channel_id AND ch.kind = r.of_kind))
        ORDER BY m.id FOR UPDATE OF m
     ), changed AS (
       UPDATE messages m SET state = 'accepted', accepted_at = coalesce(m.accepted_at, now()), owner = NULL, lease_until = NULL,
              provider_message_id = coalesce(m.provider_message_id, CASE WHEN NOT EXISTS (SELECT FROM messages o
                WHERE o.workspace_id = m.workspace_id AND o.provider_message_id = k.message_id) THEN k.message_id END),
              sent_at = least(m.sent_at, k.now_sent), delivered_at = least(m.delivered_at, k.now_delivered),
              read_at = least(m.read_at, k.now_read),
              failed_at = CASE WHEN k.state = 'accepted' THEN least(m.failed_at, k.now_failed) ELSE k.now_failed END,
              error_code = CASE WHEN k.now_failed IS NOT NULL AND (k.state <> 'accepted' OR m.failed_at IS NULL OR k.now_failed < m.failed_at)
                                THEN k.code WHEN k.state = 'accepted' THEN m.error_code END,
              error_detail = CASE WHEN k.now_failed IS NOT NULL AND (k.state <> 'accepted' OR m.failed_at IS NULL OR k.now_failed < m.failed_at)
                                  THEN k.detail WHEN k.state = 'accepted' THEN m.error_detail END
         FROM known k WHERE m.id = k.id AND coalesce(k.now_sent, k.now_delivered, k.now_read, k.now_failed) IS NOT NULL
          AND (k.state <> 'accepted'
           OR (least(k.sent_at, k.now_sent), least(k.delivered_at, k.now_delivered), least(k.read_at, k.now_read), least(k.failed_at, k.now_failed))
              IS DISTINCT FROM (k.sent_at, k.delivered_at, k.read_at, k.failed_at))
       RETURNING m.id, m.contact_id, m.channel_id
     )
     SELECT k.key, k.of_workspace AS workspace_id, k.id, k.channel_id, c.contact_id, v.id AS conversation_id, c.id IS NOT NULL AS is_changed,
            c.id IS NOT NULL AND k.now_failed IS NOT NULL AND (k.state <> 'accepted' OR k.failed_at IS NULL) AS is_failed_now,
            c.id IS NOT NULL AND k.now_failed IS NULL AND k.state <> 'accepted' AND k.purpose <> 'test' AS is_sent_now,
            k.state IN ('refused', 'cancelled') AS was_unsent, k.code, k.cause,
            k.failed_at IS NOT NULL OR k.state <> 'accepted' OR k.attempt > 1 AS may_owe,
            coalesce(k.delivered_at, k.read_at, k.now_delivered, k.now_read) IS NOT NULL AS is_delivered
       FROM known k LEFT JOIN changed c ON c.id = k.id
       LEFT JOIN conversations v ON v.contact_id = c.contact_id AND v.channel_id = c.channel_id`,
    [JSON.stringify([...folds.values()].map(({ row }) => row))],
  );
  const found = new Set(rows.map(({ key }) => key));
  const changed = rows
    .filter(({ is_changed: isChanged }) => isChanged)
    .map((row) => ({
      ...{ id: row.id, workspaceId: row.workspace_id, contactId: row.contact_id },
      conversationId: row.conversation_id,
      failedNow: row.is_failed_now ? (row.code ?? 'unknown') : null,
      isSentNow: row.is_sent_now,
      cause: readCause(row.cause),
    }));
  // What was taken for unsent had left: nobody waits for an answer any more.
  const unsent = rows.filter((row) => row.is_changed && row.was_unsent && row.contact_id !== null);
  // In one order of workspaces, as within each of contacts.
  const byWorkspace = Map.groupBy(
    unsent.toSorted((one, other) => (one.workspace_id < other.workspace_id ? -1 : 1)),
    (row) => row.workspace_id,
  );
  for (const [workspaceId, messages] of byWorkspace)
    await recountConversations(
      client,
      workspaceId,
      messages.flatMap(({ contact_id: contactId }) => contactId ?? []),
    );
  for (const [workspaceId, reported] of Map.groupBy(rows, (row) => row.workspace_id)) {
    const chargesOf = (which: (row: (typeof rows)[number], folded: Folded) => number[]): string[] =>
      reported.flatMap((row) => {
        const folded = folds.get(row.key);
        return folded ? which(row, folded).map((attempt) => chargeOfMessage(row.id, attempt)) : [];
      });
    const free = chargesOf((_, { freeAttempts }) => freeAttempts);
    const failed = chargesOf((row, { failedAttempts }) => (row.is_delivered ? [] : failedAttempts));
    const owed = chargesOf((row, { arrivedAttempts }) => (row.may_owe ? arrivedAttempts : []));
    await returnCharges(client, workspaceId, free, 'free');
    await returnCharges(client, workspaceId, failed);
    await takeChargesAgain(client, workspaceId, owed);
  }
  const pausedRuns = [];
  for (const row of rows) {
    const { row: fold, action } = folds.get(row.key) ?? {};
    if (!row.is_failed_now || !fold || action?.kind !== 'stop_channel') continue;
    const stop = { code: fold.code ?? 'unknown', detail: fold.detail ?? '', blocks: action.blocks };
    // As the platform says, but never after now: a clock that is ahead would outlast what a person does next.
    const at = new Date(Math.min(fold.failed_at?.getTime() ?? now, now));
    pausedRuns.push(...(await stopChannel(client, row.channel_id, { ...stop, at })));
  }
  return { changed, pausedRuns, unmatched: keys.flatMap((key, place) => (found.has(key) ? [] : place)) };
}

function addTo(folds: Map<string, Folded>, report: StatusReport, now: number): string {
  const { no, attempt } = parseMessageTag(report.tag ?? '') ?? { no: 0, attempt: 0 };
  const { kind = null, channelId = null } = report.provenBy ?? {};
  const key = [report.workspaceId, no, kind, channelId].join(' ');
  const folded = folds.get(key) ?? {
    row: {
      ...{ key, workspace_id: report.workspaceId, kind, channel_id: channelId },
      ...{ no, message_id: report.messageId, failed_attempt: 0 },
      ...{ sent_at: null, delivered_at: null, read_at: null, failed_at: null, code: null, detail: null },
    },
    action: null,
    ...{ freeAttempts: [], failedAttempts: [], arrivedAttempts: [] },
  };
  folds.set(key, folded);
  if (isFree(report.pricing)) folded.freeAttempts.push(attempt);
  else if (report.status === 'failed') folded.failedAttempts.push(attempt);
  else if (report.status !== 'sent') folded.arrivedAttempts.push(attempt);
  const { row: fold } = folded;
  const at = new Date(report.occurredAt || now);
  switch (report.status) {
    case 'sent':
      fold.sent_at = earlier(fold.sent_at, at);
      break;
    case 'delivered':
      fold.delivered_at = earlier(fold.delivered_at, at);
      break;
    // Playing a voice note implies having opened it.
    case 'read':
    case 'played':
      fold.read_at = earlier(fold.read_at, at);
      break;
    case 'failed':
      if (fold.failed_at !== null && fold.failed_attempt >= attempt) {
        if (fold.failed_attempt > attempt || fold.failed_at <= at) break;
      }
      fold.failed_at = at;
      fold.failed_attempt = attempt;
      folded.action = report.action;
      fold.code = report.error?.code ?? 'unknown';
      fold.detail = (report.error?.details ?? report.error?.title ?? null)?.slice(0, 500) ?? null;
  }
  return key;
}

function earlier(known: Date | null, at: Date): Date {
  return known === null || at < known ? at : known;
}
