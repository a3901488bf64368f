import { recipientState } from '@app/domain/delivery/recipient-state';
import type { Fence } from './claim-recipients.ts';
import { rememberKnownAs } from '@app/database/contact-merges/contact-aliases';
import type { Settlement } from '../core/settle-decision.ts';
import { type ArrayItem, writeArray } from '../sql-array.ts';
import type { SqlClient } from '../sql-client.ts';

export type SettledRecipient = {
  seq: number;
  attempt: number;
  /** It came from `claimRetries`. */
  isRetry: boolean;
  /** Milliseconds since 1970. */
  at: number;
  settlement: Settlement | { to: 'cancelled'; code: string };
  /** The day (UTC) whose allowance it had taken and gives back, because it did not leave. */
  giveBack: string | null;
};

/**
 * Writes what became of recipients of one run, with the counters, in one statement. A recipient that is not in flight
 * with this attempt any more (a status report was quicker, another sender took over) stays as it is. What certainly did not leave gives
 * back what it had taken of the budget. Repeating it is harmless.
 */
export async function settleRecipients(
  client: SqlClient,
  runNo: number,
  fence: Fence,
  settled: readonly SettledRecipient[],
): Promise<void> {
  const sorted = [...settled].sort((a, b) => a.seq - b.seq);
  const column = (pick: (recipient: SettledRecipient) => ArrayItem): string => writeArray(sorted.map(pick));
  await client.query({
    name: 'delivery_settle',
    text: `SELECT settle_charged_recipients($1, $2, $3, $4::integer[], $5::smallint[], $6::smallint[], $7::boolean[], $8::double precision[],
      $9::text[], $10::text[], $11::text[], $12::double precision[], $13::integer[], $14::date[])`,
    values: [
      runNo,
      fence.owner,
      fence.epoch,
      column((r) => r.seq),
      column((r) => r.attempt),
      column((r) => stateOf[r.settlement.to]),
      column((r) => r.settlement.to === 'released'),
      column((r) => r.at),
      column((r) => (r.settlement.to === 'accepted' ? r.settlement.providerMessageId : null)),
      column((r) => ('code' in r.settlement ? r.settlement.code : null)),
      column((r) => ('detail' in r.settlement ? r.settlement.detail : null)),
      column((r) => ('notBefore' in r.settlement ? r.settlement.notBefore : null)),
      writeArray(sorted.filter((r) => r.isRetry).map((r) => r.seq)),
      sorted.some((r) => r.giveBack !== null) ? column((r) => r.giveBack) : null,
    ],
  });
  const known = sorted.flatMap(({ seq, settlement }) =>
    settlement.to === 'accepted' && settlement.knownAs !== undefined
      ? [{ seq, knownAs: settlement.knownAs }]
      : [],
  );
  if (known.length === 0) return;
  const { rows } = await client.query<{ workspaceId: string; contactId: string; seq: number }>(
    `SELECT workspace_id AS "workspaceId", contact_id AS "contactId", seq FROM delivery_recipients WHERE run_no = $1 AND seq = ANY ($2::integer[])`,
    [runNo, known.map(({ seq }) => seq)],
  );
  const knownAs = new Map(known.map((one) => [one.seq, one.knownAs]));
  await rememberKnownAs(
    client,
    rows.map(({ seq, ...contact }) => ({ ...contact, knownAs: knownAs.get(seq)! })), // of those that were asked for
  );
}

const stateOf = { ...recipientState, released: recipientState.waiting } as const;
