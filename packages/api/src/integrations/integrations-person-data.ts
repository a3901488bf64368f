import type { PersonData } from '../platform/person-data/person-data.ts';

/** By the contact that had them. */
type Moved = { records: Record<string, string[]> };

export const integrationsPersonData: PersonData = {
  tables: {
    integration_records: { leftOut: 'ids at the service, and keyed hashes; values until they are applied' },
  },
  /** The record at the service stays there. A sync does not bring the person back: the number is remembered as erased. */
  async erase(scope, { ids }) {
    await scope.query(
      `UPDATE integration_records SET remote_values = NULL, base = NULL, phone_key = NULL, is_pending = false, error = NULL, error_detail = NULL,
              error_side = NULL, error_at = NULL
        WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])`,
      [scope.workspaceId, ids],
    );
  },
  // The survivor keeps a record of its own; without one it gets that of another. What is left shows as an error where the service changes it.
  async merge(scope, { survivorId, otherIds }): Promise<Moved> {
    const { rows } = await scope.query<{ id: string; before: string }>(
      `WITH free AS (
         SELECT DISTINCT ON (r.integration_id) r.id, r.contact_id FROM integration_records r
          WHERE r.workspace_id = $1 AND r.contact_id = ANY ($3::uuid[]) AND NOT r.is_gone
            AND NOT EXISTS (SELECT FROM integration_records s WHERE s.workspace_id = $1 AND s.integration_id = r.integration_id
                               AND s.contact_id = $2 AND NOT s.is_gone)
          ORDER BY r.integration_id, r.external_id IS NULL, r.id)
       UPDATE integration_records r SET contact_id = $2, contact_version = NULL FROM free
        WHERE r.workspace_id = $1 AND r.id = free.id RETURNING r.id, free.contact_id AS before`,
      [scope.workspaceId, survivorId, otherIds],
    );
    const records: Moved['records'] = {};
    for (const { id, before } of rows) (records[before] ??= []).push(id);
    return { records };
  },
  async unmerge(scope, { parts }, moved) {
    const { records = {} } = moved as Partial<Moved>; // its own, from `merge`
    for (const { contactId } of parts)
      await scope.query(
        'UPDATE integration_records SET contact_id = $2, contact_version = NULL WHERE workspace_id = $1 AND id = ANY ($3::uuid[])',
        [scope.workspaceId, contactId, records[contactId] ?? []],
      );
  },
};
