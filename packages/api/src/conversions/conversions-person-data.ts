import type { PersonData } from '../platform/person-data/person-data.ts';
import { readByTime } from '../platform/person-data/read-section.ts';

/** By the contact that had them. */
type Moved = Record<string, string[]>;

export const conversionsPersonData: PersonData = {
  tables: {
    conversions: {
      section: 'conversions',
      read: readByTime(
        `SELECT occurred_at AS at, id, source, name, value, currency, occurred_at AS "occurredAt", clicked_at AS "clickedAt"
           FROM conversions WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[]) AND (occurred_at, id) > ($3::timestamptz, $4::uuid)
          ORDER BY at, id LIMIT $5`,
        ({ ids }) => ids,
      ),
    },
  },
  /** What came of a campaign stays counted, without the person. */
  async erase(scope, { ids }) {
    await scope.query(
      `UPDATE conversions SET contact_id = NULL, name = '', external_id = id::text WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])`,
      [scope.workspaceId, ids],
    );
  },
  async merge(scope, { survivorId, otherIds }): Promise<Moved> {
    const { rows } = await scope.query<{ id: string; before: string }>(
      `UPDATE conversions t SET contact_id = $2 FROM conversions o WHERE t.workspace_id = $1 AND o.id = t.id AND o.contact_id = ANY ($3::uuid[])
        RETURNING t.id, o.contact_id AS before`,
      [scope.workspaceId, survivorId, otherIds],
    );
    const moved: Moved = {};
    for (const { id, before } of rows) (moved[before] ??= []).push(id);
    return moved;
  },
  async unmerge(scope, { parts }, moved) {
    for (const { contactId } of parts)
      await scope.query(
        'UPDATE conversions SET contact_id = $2 WHERE workspace_id = $1 AND id = ANY ($3::uuid[])',
        [scope.workspaceId, contactId, (moved as Moved)[contactId] ?? []],
      );
  },
};
