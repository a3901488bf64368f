import type { PersonData } from '../platform/person-data/person-data.ts';
import { readByTime } from '../platform/person-data/read-section.ts';

/** By the contact that had them. */
type Moved = { clicks: Record<string, string[]>; links: Record<string, string[]> };

export const linksPersonData: PersonData = {
  tables: {
    link_clicks: {
      section: 'clicks',
      read: readByTime(
        `SELECT c.clicked_at AS at, c.id, c.clicked_at AS "clickedAt", l.target, l.label
           FROM link_clicks c JOIN counted_links l ON l.id = c.link_id
          WHERE c.workspace_id = $1 AND c.contact_id = ANY ($2::uuid[]) AND (c.clicked_at, c.id) > ($3::timestamptz, $4::uuid) ORDER BY at, id LIMIT $5`,
        ({ ids }) => ids,
      ),
    },
    counted_links: { leftOut: 'addresses of messages; what a person clicked is in the clicks' },
  },
  /** Clicks stay counted, without the person. A link that was made for one person goes: its address may name them. */
  async erase(scope, { ids }) {
    await scope.query('DELETE FROM counted_links WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])', [
      scope.workspaceId,
      ids,
    ]);
    await scope.query(
      'UPDATE link_clicks SET contact_id = NULL WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])',
      [scope.workspaceId, ids],
    );
  },
  async merge(scope, { survivorId, otherIds }): Promise<Moved> {
    const values = [scope.workspaceId, survivorId, otherIds];
    const clicks = await scope.query<Row>(
      `UPDATE link_clicks t SET contact_id = $2 FROM link_clicks o WHERE t.workspace_id = $1 AND o.id = t.id AND o.contact_id = ANY ($3::uuid[])
        RETURNING t.id, o.contact_id AS before`,
      values,
    );
    const links = await scope.query<Row>(
      `UPDATE counted_links t SET contact_id = $2 FROM counted_links o WHERE t.workspace_id = $1 AND o.id = t.id AND o.contact_id = ANY ($3::uuid[])
        RETURNING t.id, o.contact_id AS before`,
      values,
    );
    return { clicks: byContact(clicks.rows), links: byContact(links.rows) };
  },
  async unmerge(scope, { parts }, moved) {
    const { clicks = {}, links = {} } = moved as Partial<Moved>; // its own, from `merge`
    for (const { contactId } of parts) {
      await scope.query(
        'UPDATE link_clicks SET contact_id = $2 WHERE workspace_id = $1 AND id = ANY ($3::uuid[])',
        [scope.workspaceId, contactId, clicks[contactId] ?? []],
      );
      await scope.query(
        'UPDATE counted_links SET contact_id = $2 WHERE workspace_id = $1 AND id = ANY ($3::uuid[])',
        [scope.workspaceId, contactId, links[contactId] ?? []],
      );
    }
  },
};

type Row = { id: string; before: string };

function byContact(rows: readonly Row[]): Record<string, string[]> {
  const moved: Record<string, string[]> = {};
  for (const { id, before } of rows) (moved[before] ??= []).push(id);
  return moved;
}
