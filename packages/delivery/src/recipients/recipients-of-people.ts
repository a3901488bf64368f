import { assignRecipients } from '@app/domain/contact-merges/merge-rules';
import type { SqlClient } from '../sql-client.ts';
import { lockRecipients } from './lock-recipients.ts';

/** A recipient that was given another contact. */
export type MovedRecipient = [runNo: string, seq: number, before: string, after: string];

type Merged = { workspaceId: string; survivorId: string; otherIds: readonly string[] };

/**
 * Gives the recipients of merged contacts to the one that stays; of those of one run that still wait only one goes on. Row by row,
 * because each run and number names its partition; a person has few.
 */
export async function moveRecipients(
  client: SqlClient,
  { workspaceId, survivorId, otherIds }: Merged,
): Promise<MovedRecipient[]> {
  const recipients = await lockRecipients(client, workspaceId, [survivorId, ...otherIds]);
  const before = new Map(recipients.map(({ runNo, seq, contactId }) => [`${runNo} ${seq}`, contactId]));
  const changes = assignRecipients(recipients, survivorId, otherIds[0]!); // a merge has others
  for (const { runNo, seq, contactId } of changes)
    await client.query('UPDATE delivery_recipients SET contact_id = $3 WHERE run_no = $1 AND seq = $2', [
      runNo,
      seq,
      contactId,
    ]);
  return changes.map(({ runNo, seq, contactId }) => [runNo, seq, before.get(`${runNo} ${seq}`)!, contactId]);
}

/** The way back. A recipient that was given to somebody else since, or erased, stays where it is. */
export async function giveBackRecipients(client: SqlClient, moved: readonly MovedRecipient[]): Promise<void> {
  const inOrder = moved.toSorted(
    ([run, seq], [otherRun, otherSeq]) => Number(run) - Number(otherRun) || seq - otherSeq,
  );
  for (const [runNo, seq, before, after] of inOrder)
    await client.query(
      'UPDATE delivery_recipients SET contact_id = $3 WHERE run_no = $1 AND seq = $2 AND contact_id = $4',
      [runNo, seq, before, after],
    );
}

/** Ids of contacts that are gone and had one of these numbers when something was sent to it. */
export async function findEarlierContacts(
  client: SqlClient,
  { workspaceId, phones }: { workspaceId: string; phones: readonly string[] },
): Promise<string[]> {
  const { rows } = await client.query<{ contact_id: string }>(
    `SELECT DISTINCT contact_id FROM delivery_recipients r
      WHERE workspace_id = $1 AND address = ANY ($2::text[]) AND contact_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM contacts c WHERE c.id = r.contact_id)`,
    [workspaceId, phones],
  );
  return rows.map(({ contact_id: contactId }) => contactId);
}

type Erased = { workspaceId: string; contactIds: readonly string[]; phones: readonly string[] };

/**
 * The rows stay for the counters, under a contact that does not exist: a sender that finds one still waiting leaves it
 * out as deleted. The platform's message id holds the number in disguise; a later status must not bring it back. What was sent to
 * one of the numbers when somebody else had it stays that contact's, without the number.
 */
export async function eraseRecipients(
  client: SqlClient,
  { workspaceId, contactIds, phones }: Erased,
): Promise<void> {
  const { rows } = await client.query<{ run_no: string; seq: number }>(
    `SELECT run_no, seq FROM delivery_recipients WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])
     UNION SELECT run_no, seq FROM delivery_recipients WHERE workspace_id = $1 AND address = ANY ($3::text[]) ORDER BY 1, 2`,
    [workspaceId, contactIds, phones],
  );
  for (const { run_no: runNo, seq } of rows)
    await client.query(
      `UPDATE delivery_recipients SET address = '', error_detail = NULL,
              language = CASE WHEN contact_id = ANY ($3::uuid[]) THEN NULL ELSE language END,
              contact_id = CASE WHEN contact_id = ANY ($3::uuid[]) THEN gen_random_uuid() ELSE contact_id END,
              provider_message_id = CASE WHEN provider_message_id IS NOT NULL THEN 'erased' END
        WHERE run_no = $1 AND seq = $2`,
      [runNo, seq, contactIds],
    );
}
