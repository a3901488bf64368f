import type { PersonData } from '../platform/person-data/person-data.ts';
import { readByTime } from '../platform/person-data/read-section.ts';

/** By the contact that had them. */
type Moved = { records: Record<string, string[]>; items: Record<string, string[]> };

export const integrationsPersonData: PersonData = {
  tables: {
    integration_records: { leftOut: 'ids at the service, and keyed hashes; values until they are applied' },
    integration_items: {
      section: 'ordersAndBookings',
      read: readByTime(
        `SELECT occurred_at AS at, id, type, title, status, amount, currency, url, occurred_at AS "occurredAt", starts_at AS "startsAt"
           FROM integration_items WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[]) AND (occurred_at, id) > ($3::timestamptz, $4::uuid)
          ORDER BY at, id LIMIT $5`,
        ({ ids }) => ids,
      ),
    },
  },
  /** The record at the service stays there. A sync does not bring the person back: the number is remembered as erased. */
  async erase(scope, { ids }) {
    await scope.query(
      `UPDATE integration_records SET remote_values = NULL, base = NULL, phone_key = NULL, is_pending = false, error = NULL, error_detail = NULL,
              error_side = NULL, error_at = NULL
        WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])`,
      [scope.workspaceId, ids],
    );
    await scope.query(
      `UPDATE integration_items SET contact_id = NULL, title = '', url = NULL, "values" = '{}', due = '[]', due_at = NULL
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
    const { rows: moved } = await scope.query<{ id: string; before: string }>(
      `UPDATE integration_items t SET contact_id = $2 FROM integration_items o
        WHERE t.workspace_id = $1 AND o.workspace_id = $1 AND o.id = t.id AND o.contact_id = ANY ($3::uuid[])
        RETURNING t.id, o.contact_id AS before`,
      [scope.workspaceId, survivorId, otherIds],
    );
    const items: Moved['items'] = {};
    for (const { id, before } of moved) (items[before] ??= []).push(id);
    return { records, items };
  },
  async unmerge(scope, { parts }, moved) {
    const { records = {}, items = {} } = moved as Partial<Moved>; // its own, from `merge`
    for (const { contactId } of parts) {
      await scope.query(
        'UPDATE integration_items SET contact_id = $2 WHERE workspace_id = $1 AND id = ANY ($3::uuid[])',
        [scope.workspaceId, contactId, items[contactId] ?? []],
      );
      await scope.query(
        'UPDATE integration_records SET contact_id = $2, contact_version = NULL WHERE workspace_id = $1 AND id = ANY ($3::uuid[])',
        [scope.workspaceId, contactId, records[contactId] ?? []],
      );
    }
  },
};
