import { spellingsOf } from '@app/domain/contacts/number-spellings';
import type { ChannelPerson } from '@app/domain/messaging/inbound-event';
import type pg from 'pg';

/** `at` in milliseconds, as the platform says it; 0 when nobody knows. */
type Spoken = { workspaceId: string; person: ChannelPerson; at: number };

/**
 * Contacts of these people that were deleted a moment ago, by person, also by a number that they had once. What is said of consent
 * counts for them, too, should they come back. They are locked: whoever brings one back comes before or after.
 */
export async function findDeleted(
  client: pg.PoolClient,
  people: readonly Spoken[],
): Promise<(one: Spoken) => string[]> {
  if (people.length === 0) return () => [];
  const places = people.flatMap(({ workspaceId, person: { phone, userId }, at }) =>
    identifiersOf(phone, userId).map((identifier) => ({ workspaceId, identifier, at })),
  );
  const { rows } = await client.query<{ id: string; place: number }>(
    `WITH asked AS MATERIALIZED (
       SELECT place::int - 1 AS place, workspace_id, identifier, at
         FROM unnest($1::uuid[], $2::text[], $3::timestamptz[]) WITH ORDINALITY AS p (workspace_id, identifier, at, place)),
     found AS MATERIALIZED (
       SELECT p.place, k.contact_id FROM asked p
         JOIN deleted_contacts k ON k.workspace_id = p.workspace_id AND k.contact->>'phone' = p.identifier
       UNION
       SELECT p.place, k.contact_id FROM asked p
         JOIN deleted_contacts k ON k.workspace_id = p.workspace_id AND k.contact->>'platform_user_id' = p.identifier
       UNION
       SELECT p.place, a.contact_id FROM asked p
         JOIN contact_aliases a ON a.workspace_id = p.workspace_id AND a.identifier = p.identifier
          AND (a.until IS NULL OR p.at <= a.until)),
     locked AS (
       SELECT contact_id FROM deleted_contacts WHERE contact_id IN (SELECT contact_id FROM found)
        ORDER BY contact_id FOR UPDATE)
     SELECT place, contact_id AS id FROM found JOIN locked USING (contact_id) ORDER BY contact_id`,
    [
      places.map(({ workspaceId }) => workspaceId),
      places.map(({ identifier }) => identifier),
      places.map(({ at }) => (at > 0 ? new Date(at) : null)),
    ],
  );
  const idsOf = new Map<string, Set<string>>();
  for (const { id, place } of rows) {
    const key = keyOf(places[place]!); // one of those that were asked for
    idsOf.set(key, (idsOf.get(key) ?? new Set()).add(id));
  }
  return ({ workspaceId, person: { phone, userId }, at }) => [
    ...new Set(
      identifiersOf(phone, userId).flatMap((identifier) => [
        ...(idsOf.get(keyOf({ workspaceId, identifier, at })) ?? []),
      ]),
    ),
  ];
}

function identifiersOf(...identifiers: (string | null)[]): string[] {
  return identifiers.flatMap((identifier) => (identifier === null ? [] : spellingsOf(identifier)));
}

function keyOf({
  workspaceId,
  identifier,
  at,
}: {
  workspaceId: string;
  identifier: string | null;
  at: number;
}): string {
  return `${workspaceId} ${identifier} ${at}`;
}
