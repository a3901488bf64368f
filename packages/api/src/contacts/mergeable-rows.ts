import type { ContactStatus } from '@app/domain/contacts/contact';
import type { CustomValues } from '@app/domain/contacts/custom-field';
import type { MergeableContact, RunRecipient } from '@app/domain/contacts/merge-rules';
import { recipientState } from '@app/domain/delivery/recipient-state';
import type pg from 'pg';

/** A row of `contacts` as JSON, as it is kept for an undo. */
export type KeptRow = {
  id: string;
  name: string;
  phone: string | null;
  platform_user_id: string | null;
  email: string | null;
  tags: string[];
  status: ContactStatus;
  opted_out_at: string | null;
  last_message: string | null;
  last_message_at: string | null;
  window_expires_at: string | null;
  custom_values: CustomValues;
  version: number;
};

/** Locks the contacts until the transaction ends, in one order for everybody. */
export async function lockContacts(
  client: pg.PoolClient,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<KeptRow[]> {
  const { rows } = await client.query<{ row: KeptRow }>(
    `SELECT to_jsonb(c) - 'search_text' AS row FROM contacts c
      WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE`,
    [workspaceId, contactIds],
  );
  return rows.map(({ row }) => row);
}

/** Values of custom fields that were deleted meanwhile are left behind. */
export function toMergeable(row: KeptRow, fieldIds: ReadonlySet<string>): MergeableContact {
  return {
    id: row.id,
    name: row.name,
    phone: row.phone,
    platformUserId: row.platform_user_id,
    email: row.email,
    tags: row.tags,
    status: row.status,
    optedOutAt: timeOf(row.opted_out_at),
    lastMessage: row.last_message,
    lastMessageAt: timeOf(row.last_message_at),
    windowExpiresAt: timeOf(row.window_expires_at),
    customValues: Object.fromEntries(
      Object.entries(row.custom_values).filter(([fieldId]) => fieldIds.has(fieldId)),
    ),
  };
}

export function identifiersOf({ phone, platform_user_id: userId }: KeptRow): string[] {
  return [phone, userId].filter((identifier) => identifier !== null);
}

/**
 * The recipients of these contacts in all runs, locked in the order in which the engine locks them. They are locked before the
 * contacts, as by everybody who takes both.
 */
export async function lockRecipients(
  client: pg.PoolClient,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<RunRecipient[]> {
  const { rows } = await client.query<{
    run_no: string;
    seq: number;
    contact_id: string;
    progress: RunRecipient['progress'];
  }>(
    `SELECT r.run_no, r.seq, r.contact_id,
            CASE WHEN r.state IN (${recipientState.refused}, ${recipientState.cancelled}) THEN 'ended'
                 WHEN run.completed_at IS NULL AND run.state IN ('ready', 'running', 'paused')
                  AND (r.state = ${recipientState.waiting} OR (r.state = ${recipientState.pending} AND r.seq >= run.cursor)) THEN 'waiting'
                 ELSE 'handed' END AS progress
       FROM delivery_recipients r JOIN delivery_runs run USING (run_no)
      WHERE r.workspace_id = $1 AND r.contact_id = ANY ($2::uuid[]) ORDER BY r.run_no, r.seq FOR UPDATE OF r`,
    [workspaceId, contactIds],
  );
  return rows.map((row) => ({
    runNo: row.run_no,
    seq: row.seq,
    contactId: row.contact_id,
    progress: row.progress,
  }));
}

export function asDate(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}

function timeOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}
