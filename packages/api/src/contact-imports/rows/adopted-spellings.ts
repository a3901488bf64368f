import type { HeldConnection } from '../../platform/request-scopes.ts';

/** Of the file: the spelling in which each number that has two stands first. */
const FIRST = `SELECT DISTINCT ON (phone_key(phone)) phone_key(phone) AS key, phone FROM import_rows
  WHERE other_spelling(phone) IS NOT NULL ORDER BY phone_key(phone), row_number`;
const OF_FILE = 'other_spelling(r.phone) IS NOT NULL AND phone_key(r.phone) = f.key AND r.phone <> f.phone';
const OF_CONTACT = `c.workspace_id = $1 AND c.phone = other_spelling(r.phone)
  AND NOT EXISTS (SELECT FROM contacts k WHERE k.workspace_id = $1 AND k.phone = r.phone)`;

/**
 * Of several spellings of one number (see number-spellings.ts) the one that a contact has is meant, else the first of the file: behind this they
 * are compared as they stand.
 */
export async function adoptSpellings(held: HeldConnection): Promise<void> {
  // First those that failed: they are compared with the file as it came.
  await held.query(`UPDATE lost_opt_outs r SET phone = f.phone FROM (${FIRST}) AS f WHERE ${OF_FILE}`);
  await held.query(`UPDATE import_rows r SET phone = f.phone FROM (${FIRST}) AS f WHERE ${OF_FILE}`);
  await held.query(`UPDATE lost_opt_outs r SET phone = c.phone FROM contacts c WHERE ${OF_CONTACT}`, [
    held.workspaceId,
  ]);
  await held.query(`UPDATE import_rows r SET phone = c.phone FROM contacts c WHERE ${OF_CONTACT}`, [
    held.workspaceId,
  ]);
}
