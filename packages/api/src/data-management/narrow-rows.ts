import type { ImportPreference } from '@app/domain/data-management/data-import';
import type { HeldConnection } from '../platform/request-scopes.ts';

/** Of the contacts of a file that are here, before anything was changed. */
export type KnownRows = {
  changed: number;
  same: number;
  kept: number;
  optOuts: number;
};

/** Of a file that takes the place of what is here, everybody is new; of those who are here the opt-outs are told. */
export async function validateReplacing(held: HeldConnection): Promise<KnownRows> {
  const { rows } = await held.query<KnownRows>(
    `SELECT 0 AS changed, 0 AS same, 0 AS kept, count(*) FILTER (WHERE r.consent = 'opt_out' AND c.opted_out_at IS NULL)::integer AS "optOuts"
       FROM import_rows r LEFT JOIN contacts c ON c.workspace_id = $1 AND c.phone = r.phone WHERE NOT r.is_double`,
    [held.workspaceId],
  );
  return rows[0]!; // an aggregate has one row
}

/** What the row says that is not so here. */
const DIFFERS = `(c.name <> r.name OR NOT c.tags @> r.tags OR c.email IS DISTINCT FROM coalesce(r.email, c.email)
  OR c.language IS DISTINCT FROM coalesce(r.language, c.language)
  OR c.status <> coalesce(r.status, c.status) OR NOT c.custom_values @> r.custom_values)`;

/**
 * For a file of all data: nobody who is blocked here is active again by it, and who opted out here is not opted out once more. Where what is here
 * wins, rows of known contacts say nothing but that somebody wants no marketing. Answers with what that leaves to be done.
 */
export async function narrowRows(held: HeldConnection, prefers: ImportPreference): Promise<KnownRows> {
  const { workspaceId } = held;
  await held.query(`UPDATE import_rows SET status = NULL WHERE status = 'active'`);
  await held.query(
    `UPDATE import_rows r SET consent = NULL, said_on = NULL, words = NULL FROM contacts c
      WHERE c.workspace_id = $1 AND c.phone = r.phone AND r.consent = 'opt_out' AND c.opted_out_at IS NOT NULL`,
    [workspaceId],
  );
  const { rows } = await held.query<KnownRows>(
    `SELECT count(*) FILTER (WHERE c.id IS NOT NULL AND (is_out OR (differs AND $2 = 'file')))::integer AS changed,
            count(*) FILTER (WHERE c.id IS NOT NULL AND NOT is_out AND NOT differs)::integer AS same,
            count(*) FILTER (WHERE c.id IS NOT NULL AND NOT is_out AND differs AND $2 = 'here')::integer AS kept,
            count(*) FILTER (WHERE is_out)::integer AS "optOuts"
       FROM import_rows r LEFT JOIN contacts c ON c.workspace_id = $1 AND c.phone = r.phone,
            LATERAL (SELECT coalesce(${DIFFERS}, false) AS differs, r.consent IS NOT DISTINCT FROM 'opt_out' AS is_out) AS said
      WHERE NOT r.is_double`,
    [workspaceId, prefers],
  );
  if (prefers === 'here')
    await held.query(
      `UPDATE import_rows r SET name = c.name, email = NULL, language = NULL, tags = '{}', status = NULL, custom_values = '{}'
         FROM contacts c WHERE c.workspace_id = $1 AND c.phone = r.phone`,
      [workspaceId],
    );
  return rows[0]!; // an aggregate has one row
}
