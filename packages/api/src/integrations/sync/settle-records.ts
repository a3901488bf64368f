import type { RecordError } from '@app/domain/integrations/integration-rules';
import type { Contact } from '../../contacts/contacts-queries.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { fingerprintOf, isYes, readOurs, type Sync } from './open-sync.ts';
import { readValues, type OurValues } from './plan-record.ts';
import type { RecordRow } from './record-row.ts';

/** What is stored of a record that was applied. */
export type Settled = {
  id: string;
  contactId: string | null;
  /** The version of the contact that both sides agree on; null while something is yet to be sent. */
  version: number | null;
  base: Record<string, string> | null;
  saysOptOut: boolean;
  /** A field whose value could not be read: an error beside what was taken over. */
  unread: string | null;
};

/** Of a record that left, or whose contact did. */
export function settledWithout(row: RecordRow, action: 'removed' | 'skipped' | 'filtered'): Settled {
  const common = { id: row.id, contactId: row.contact_id, version: null, unread: null };
  return action === 'removed'
    ? { ...common, base: null, saysOptOut: false }
    : { ...common, base: row.base, saysOptOut: row.said_opt_out };
}

/** What both sides have is the base of the next sync; of a field that is yet to be sent, or that stays different, the base stays, so that it is known who changed it. */
export function settledOf(
  sync: Sync,
  row: RecordRow,
  contact: Contact,
  {
    send,
    kept,
    unread,
    sendOptOut,
  }: { send: OurValues; kept: readonly string[]; unread: string | null; sendOptOut: boolean },
): Settled {
  const base: Record<string, string> = {};
  const { values } = readValues(sync, row);
  for (const { ours, theirs } of sync.mapping) {
    if (ours === 'opt_out') continue;
    const isAgreed =
      !Object.hasOwn(send, ours) &&
      !kept.includes(ours) &&
      Object.hasOwn(row.remote_values, theirs) &&
      values[ours] !== undefined;
    const known = isAgreed ? fingerprintOf(sync, ours, readOurs(contact, ours)) : row.base?.[ours];
    if (known !== undefined) base[ours] = known;
  }
  const isSettled = Object.keys(send).length === 0 && !sendOptOut;
  return {
    ...{ id: row.id, contactId: contact.id, version: isSettled ? contact.version : null, base, unread },
    saysOptOut: sync.optOutField !== undefined && isYes(row.remote_values[sync.optOutField]),
  };
}

/** Stores what became of records. No copy of their values stays. `areNew`: their contacts were added in this transaction. */
export async function settleAll(
  scope: WorkspaceScope,
  records: readonly Settled[],
  { areNew = false } = {},
): Promise<void> {
  if (records.length === 0) return;
  const rows = JSON.stringify(records);
  // A contact that waited to be sent for the first time has a record of its own now.
  if (!areNew)
    await scope.query(
      `DELETE FROM integration_records r USING jsonb_to_recordset($2::jsonb) AS n (id uuid, "contactId" uuid), integration_records own
      WHERE own.workspace_id = $1 AND own.id = n.id AND r.workspace_id = $1 AND r.integration_id = own.integration_id
        AND r.contact_id = n."contactId" AND r.external_id IS NULL`,
      [scope.workspaceId, rows],
    );
  await scope.query(
    `UPDATE integration_records r SET is_pending = false, is_held = false, contact_id = n."contactId", contact_version = n.version, base = n.base,
            said_opt_out = n."saysOptOut", remote_values = NULL, error = CASE WHEN n.unread IS NOT NULL THEN 'value_invalid' END,
            error_detail = n.unread, error_side = CASE WHEN n.unread IS NOT NULL THEN 'in' END,
            error_at = CASE WHEN n.unread IS NOT NULL THEN $3::timestamptz END, tries = CASE WHEN n.unread IS NULL THEN 0 ELSE 1 END
       FROM jsonb_to_recordset($2::jsonb) AS n (id uuid, "contactId" uuid, version integer, base jsonb, "saysOptOut" boolean, unread text)
      WHERE r.workspace_id = $1 AND r.id = n.id`,
    [scope.workspaceId, rows, scope.clock()],
  );
}

/** A record that could not be applied. `saysOptOut`: its opt-out was recorded, and is no news any more. */
export type Failed = { id: string; error: RecordError; detail: string | null; saysOptOut: boolean };

/** Leaves records as they are, each with its reason. */
export async function failAll(scope: WorkspaceScope, records: readonly Failed[]): Promise<void> {
  if (records.length === 0) return;
  await scope.query(
    `UPDATE integration_records r SET is_pending = false, is_held = false, error = n.error, error_detail = left(n.detail, 300), error_side = 'in',
            error_at = $3, tries = r.tries + 1, said_opt_out = r.said_opt_out OR n."saysOptOut"
       FROM jsonb_to_recordset($2::jsonb) AS n (id uuid, error text, detail text, "saysOptOut" boolean)
      WHERE r.workspace_id = $1 AND r.id = n.id`,
    [scope.workspaceId, JSON.stringify(records), scope.clock()],
  );
}

/** These wait, as they are, until there is room for more contacts. */
export async function holdAll(
  scope: WorkspaceScope,
  records: readonly Pick<RecordRow, 'id'>[],
): Promise<void> {
  if (records.length === 0) return;
  await scope.query(
    `UPDATE integration_records SET is_held = true WHERE workspace_id = $1 AND id = ANY ($2::uuid[])`,
    [scope.workspaceId, records.map(({ id }) => id)],
  );
}
