import { changeConsent } from '@app/database/contacts/change-consent';
import type { ImportedConsent } from '@app/domain/contact-imports/import-consent';
import { actorOf } from '@app/domain/auth/caller';
import { readConsentTime } from '@app/domain/messaging/event-time';
import { touchContacts } from '../contacts/imported-contacts.ts';
import type { HeldConnection } from '../platform/request-scopes.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import type { ImportRun } from './import-run.ts';

/** Whom an opt-out of a row that failed is about, by their number or one that was merged into them; $1 is the workspace. */
export const concernedByLostOptOuts = `
  SELECT c.id AS contact_id, o.said_on, o.words, o.row_number FROM lost_opt_outs o JOIN contacts c ON c.workspace_id = $1 AND c.phone = o.phone
   WHERE NOT EXISTS (SELECT FROM import_rows r WHERE r.phone = o.phone AND NOT r.is_double)
  UNION ALL
  SELECT a.contact_id, o.said_on, o.words, o.row_number FROM lost_opt_outs o
    JOIN contact_aliases a ON a.workspace_id = $1 AND a.identifier IN (o.phone, other_spelling(o.phone)) AND a.until IS NULL
   WHERE NOT EXISTS (SELECT FROM contacts c WHERE c.workspace_id = $1 AND c.phone = o.phone)`;

type FailedRow = { row: number; phone?: string; optOut?: ImportedConsent };

/** Keeps what rows that failed say against marketing: no other fault of a row may lose that. */
export async function stageOptOuts(held: HeldConnection, failed: readonly FailedRow[]): Promise<void> {
  const said = failed.flatMap(({ row, phone, optOut }) =>
    phone !== undefined && optOut ? [{ row, phone, optOut }] : [],
  );
  if (said.length === 0) return;
  await held.query(
    `INSERT INTO lost_opt_outs (row_number, phone, said_on, words)
     SELECT * FROM unnest($1::int[], $2::text[], $3::timestamptz[], $4::text[])`,
    [
      said.map(({ row }) => row),
      said.map(({ phone }) => phone),
      said.map(({ optOut }) => optOut.saidOn),
      said.map(({ optOut }) => optOut.words),
    ],
  );
}

/**
 * Records them of people who are here and of whom no other row of the file was imported. Such a contact counts as changed by the
 * import, so that its undo takes the words back. Answers with how many they were.
 */
export async function recordLostOptOuts(
  scope: WorkspaceScope,
  { importId, fileName, at }: Pick<ImportRun, 'importId' | 'fileName' | 'at'>,
): Promise<number> {
  const { workspaceId } = scope;
  const { rows } = await scope.query<{
    contact_id: string;
    said_on: Date | null;
    words: string;
    is_kept: boolean;
  }>(
    `WITH said AS (
       SELECT DISTINCT ON (contact_id) contact_id, said_on, words FROM (${concernedByLostOptOuts}) AS concerned
        ORDER BY contact_id, said_on DESC NULLS FIRST, row_number),
     kept AS (
       INSERT INTO contact_import_changes (import_id, workspace_id, contact_id, name, email, language, tags, status, custom_values, version)
       SELECT $2, $1, c.id, c.name, c.email, c.language, c.tags, c.status, c.custom_values, c.version + 1
         FROM contacts c JOIN said ON said.contact_id = c.id
       ON CONFLICT (import_id, contact_id) DO UPDATE SET is_same = false WHERE contact_import_changes.is_same RETURNING contact_id)
     SELECT contact_id, said_on, words, contact_id IN (SELECT contact_id FROM kept) AS is_kept FROM said`,
    [workspaceId, importId],
  );
  await touchContacts(
    scope,
    rows.filter((row) => row.is_kept).map((row) => row.contact_id),
    at,
  );
  const recordedBy = actorOf(scope.caller).name;
  const words = rows.map(({ contact_id: contactId, said_on: saidOn, words: cell }) => ({
    ...{ workspaceId, contactId, kind: 'opt_out' as const, recordedBy, source: 'staff' as const },
    text: [fileName, cell].filter(Boolean).join(': '),
    at: new Date(readConsentTime('opt_out', saidOn?.getTime() ?? 0, at.getTime()).at),
  }));
  await changeConsent(scope, words, { importId, isFresh: true });
  return rows.length;
}

/** What a try tells of them. */
export async function countLostOptOuts(scope: ReadScope): Promise<number> {
  const { rows } = await scope.query<{ count: number }>(
    `SELECT count(DISTINCT contact_id)::int AS count FROM (${concernedByLostOptOuts}) AS concerned`,
    [scope.workspaceId],
  );
  return rows[0]?.count ?? 0;
}
