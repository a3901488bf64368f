import { containsPattern } from '@app/database/contains-pattern';
import type { Merge, Person, PersonData, Unmerge } from '../platform/person-data/person-data.ts';
import { readByTime } from '../platform/person-data/read-section.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

/** By the contact that had them. */
type Moved = { messages: Record<string, string[]> };

export const webhooksPersonData: PersonData = {
  tables: {
    messages: {
      section: 'messages',
      read: readByTime(
        `SELECT occurred_at AS at, id, occurred_at AS "occurredAt", direction, type, text, original_text AS "originalText",
                edited_at AS "editedAt", revoked_at AS "deletedAt", provider_message_id AS "platformMessageId", payload AS "asReceived"
           FROM messages WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[]) AND (occurred_at, id) > ($3::timestamptz, $4::uuid)
          ORDER BY at, id LIMIT $5`,
        ({ ids }) => ids,
      ),
    },
    platform_events: {
      section: 'platformEvents',
      read: readByTime(
        `SELECT occurred_at AS at, id, occurred_at AS "occurredAt", kind, payload AS "asReceived" FROM platform_events
          WHERE workspace_id = $1 AND (payload::text || ' ' || dedup_key) LIKE ANY ($2::text[])
            AND (occurred_at, id) > ($3::timestamptz, $4::uuid)
          ORDER BY at, id LIMIT $5`,
        marksOf,
      ),
    },
  },
  erase,
  merge,
  unmerge: (scope, parted, moved) => unmerge(scope, parted, moved as Partial<Moved>), // its own, from `merge`
};

async function erase(scope: WorkspaceScope, person: Person): Promise<void> {
  const { workspaceId } = scope;
  await scope.query('DELETE FROM messages WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])', [
    workspaceId,
    person.ids,
  ]);
  await scope.query(
    `DELETE FROM platform_events WHERE workspace_id = $1 AND (payload::text || ' ' || dedup_key) LIKE ANY ($2::text[])`,
    [workspaceId, marksOf(person)],
  );
}

/** Events name people by the digits of their number, or by their id. */
function marksOf({ identifiers }: Person): string[] {
  return identifiers.map((identifier) => containsPattern(identifier.replace(/^\+/, '')));
}

async function merge(scope: WorkspaceScope, { survivorId, otherIds }: Merge): Promise<Moved> {
  const { workspaceId } = scope;
  const { rows } = await scope.query<{ id: string; ids: string[] }>(
    `SELECT contact_id AS id, array_agg(id) AS ids FROM messages
      WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[]) GROUP BY contact_id`,
    [workspaceId, otherIds],
  );
  await scope.query(
    'UPDATE messages SET contact_id = $2 WHERE workspace_id = $1 AND contact_id = ANY ($3::uuid[])',
    [workspaceId, survivorId, otherIds],
  );
  return { messages: Object.fromEntries(rows.map(({ id, ids }) => [id, ids])) };
}

/** What arrived since from the number of a contact is its own, too. */
async function unmerge(
  scope: WorkspaceScope,
  { survivorId, mergedAt, parts }: Unmerge,
  { messages = {} }: Partial<Moved>,
): Promise<void> {
  for (const { contactId, identifiers } of parts)
    await scope.query(
      `UPDATE messages SET contact_id = $2 WHERE workspace_id = $1 AND contact_id = $3 AND (id = ANY ($4::uuid[])
          OR (received_at >= $5 AND (payload->>'from' = ANY ($6::text[]) OR payload->>'to' = ANY ($6::text[]))))`,
      [
        ...[scope.workspaceId, contactId, survivorId, messages[contactId] ?? [], mergedAt],
        identifiers.map((identifier) => identifier.replace(/^\+/, '')),
      ],
    );
}
