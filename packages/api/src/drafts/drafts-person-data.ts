import type { PersonData } from '../platform/person-data/person-data.ts';

type Place = { user_id: string; channel_id: string; kind: string };
/** By the contact that had them. */
type Moved = { drafts: Record<string, Place[]> };

export const draftsPersonData: PersonData = {
  tables: {
    conversation_drafts: { leftOut: 'what staff have begun to write and told nobody yet' },
  },
  async erase(scope, { ids }) {
    await scope.query(
      'DELETE FROM conversation_drafts WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])',
      [scope.workspaceId, ids],
    );
  },
  // Where somebody writes to both, what they write to the one that stays is shown; the other comes back with its contact.
  async merge(scope, { survivorId, otherIds }): Promise<Moved> {
    const drafts: Moved['drafts'] = {};
    for (const otherId of otherIds) {
      await scope.query(
        `DELETE FROM conversation_drafts s WHERE s.workspace_id = $1 AND s.contact_id = $2 AND s.ended_at IS NOT NULL
            AND EXISTS (SELECT FROM conversation_drafts o WHERE o.workspace_id = $1 AND o.contact_id = $3 AND o.user_id = s.user_id
                           AND o.channel_id = s.channel_id AND o.kind = s.kind AND o.ended_at IS NULL)`,
        [scope.workspaceId, survivorId, otherId],
      );
      const { rows } = await scope.query<Place>(
        `UPDATE conversation_drafts o SET contact_id = $2 WHERE o.workspace_id = $1 AND o.contact_id = $3
            AND NOT EXISTS (SELECT FROM conversation_drafts s WHERE s.workspace_id = $1 AND s.contact_id = $2 AND s.user_id = o.user_id
                               AND s.channel_id = o.channel_id AND s.kind = o.kind)
          RETURNING o.user_id, o.channel_id, o.kind`,
        [scope.workspaceId, survivorId, otherId],
      );
      drafts[otherId] = rows;
    }
    return { drafts };
  },
  async unmerge(scope, { survivorId, parts }, moved) {
    const { drafts = {} } = moved as Partial<Moved>; // its own, from `merge`
    for (const { contactId } of parts)
      for (const { user_id: userId, channel_id: channelId, kind } of drafts[contactId] ?? [])
        await scope.query(
          `UPDATE conversation_drafts d SET contact_id = $3 WHERE d.workspace_id = $1 AND d.contact_id = $2 AND d.user_id = $4
              AND d.channel_id = $5 AND d.kind = $6 AND NOT EXISTS (SELECT FROM conversation_drafts o WHERE o.workspace_id = $1
                AND o.contact_id = $3 AND o.user_id = $4 AND o.channel_id = $5 AND o.kind = $6)`,
          [scope.workspaceId, survivorId, contactId, userId, channelId, kind],
        );
  },
};
