import { holdContacts } from '@app/database/contacts/hold-contacts';
import { recordConsents } from '@app/database/contacts/record-consents';
import { foldStatuses, type RecipientReport, type StatusReport } from './core/fold-statuses.ts';
import { pauseRunFor, stopChannel } from './run-controls.ts';
import type { SqlClient } from './sql-client.ts';

export type AppliedStatuses = {
  /** Reports that found their recipient, doubles included. */
  matched: number;
  /** Places in the batch of reports that belong to no recipient: replies, bots, other programs, deleted runs. */
  unmatched: number[];
};

/**
 * Stores a batch of status reports, derives each recipient's status and moves the counters, all in the caller's transaction
 * (system scope). Doubled and reordered reports change nothing twice. A report proves that the platform accepted the
 * message, whatever was known before.
 */
export async function applyStatuses(
  client: SqlClient,
  reports: readonly StatusReport[],
): Promise<AppliedStatuses> {
  const { recipients, foreign } = foldStatuses(reports, Date.now());
  if (recipients.length === 0) return { matched: 0, unmatched: foreign };
  const unmatched = [...foreign];
  const acting: RecipientReport[] = [];
  for (const group of groupByRun(recipients)) {
    const missing = await applyToRun(client, group);
    for (const recipient of group) {
      if (missing.has(recipient.seq)) unmatched.push(...recipient.indexes);
      else if (recipient.action) acting.push(recipient);
    }
  }
  // Actions lock contacts, and everybody locks recipients before contacts.
  for (const recipient of acting) await applyFailureAction(client, recipient);
  return { matched: reports.length - unmatched.length, unmatched };
}

/** In the order of runs, in which every writer locks them. */
function groupByRun(recipients: readonly RecipientReport[]): RecipientReport[][] {
  const groups = new Map<string, RecipientReport[]>();
  for (const recipient of recipients) {
    const key = `${recipient.runNo} ${recipient.workspaceId}`;
    const group = groups.get(key);
    if (group) group.push(recipient);
    else groups.set(key, [recipient]);
  }
  return [...groups.values()];
}

/** Returns the recipients that this run of this workspace does not have. */
async function applyToRun(client: SqlClient, group: readonly RecipientReport[]): Promise<Set<number>> {
  const column = (pick: (recipient: RecipientReport) => unknown): unknown[] => group.map(pick);
  const { rows } = await client.query<{ missing: number[] | null }>({
    name: 'delivery_apply_statuses',
    text: `SELECT apply_status_reports($1, $2, $3::integer[], $4::text[], $5::double precision[], $6::double precision[],
      $7::double precision[], $8::double precision[], $9::text[], $10::text[]) AS missing`,
    values: [
      group[0]?.runNo,
      group[0]?.workspaceId,
      column((r) => r.seq),
      column((r) => r.messageId),
      column((r) => r.sentAt),
      column((r) => r.deliveredAt),
      column((r) => r.readAt),
      column((r) => r.failedAt),
      column((r) => r.error?.code ?? null),
      column((r) => r.error?.details ?? r.error?.title ?? null),
    ],
  });
  return new Set(rows[0]?.missing ?? []);
}

async function applyFailureAction(client: SqlClient, recipient: RecipientReport): Promise<void> {
  const { action, error, runNo, seq, failedAt } = recipient;
  const code = error?.code ?? 'unknown';
  const detail = error?.details ?? error?.title ?? '';
  if (action?.kind === 'opt_out') await recordOptOut(client, runNo, seq, new Date(failedAt ?? Date.now()));
  if (action?.kind === 'hold_recipient') await holdRecipient(client, runNo, seq, action.hours);
  if (action?.kind === 'stop_campaign')
    await pauseRunFor(client, runNo, { reason: 'campaign_stopped', code, detail });
  if (action?.kind === 'stop_channel') {
    const { rows } = await client.query<{ channel_id: string }>(
      'SELECT channel_id FROM delivery_runs WHERE run_no = $1',
      [runNo],
    );
    if (rows[0]) await stopChannel(client, rows[0].channel_id, { code, detail });
  }
}

/** The person stopped marketing on the platform's side; `at` is when the platform said so. */
export async function recordOptOut(
  client: SqlClient,
  runNo: number,
  seq: number,
  at = new Date(),
): Promise<void> {
  const recipient = await findRecipient(client, runNo, seq);
  if (recipient)
    await recordConsents(client, [
      { ...recipient, kind: 'opt_out', source: 'person', sender: recipient.address, at },
    ]);
}

/** No marketing to this person for some hours; earlier tries would extend the platform's block. */
export async function holdRecipient(
  client: SqlClient,
  runNo: number,
  seq: number,
  hours: number,
): Promise<void> {
  const recipient = await findRecipient(client, runNo, seq);
  if (recipient) await holdContacts(client, [{ ...recipient, hours }]);
}

type Recipient = { workspaceId: string; contactId: string; address: string };

async function findRecipient(client: SqlClient, runNo: number, seq: number): Promise<Recipient | undefined> {
  const { rows } = await client.query<Recipient>(
    `SELECT workspace_id AS "workspaceId", contact_id AS "contactId", address FROM delivery_recipients
      WHERE run_no = $1 AND seq = $2 AND contact_id IS NOT NULL`,
    [runNo, seq],
  );
  return rows[0];
}
