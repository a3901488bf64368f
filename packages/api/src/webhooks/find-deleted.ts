import type { ChannelPerson } from '@app/domain/messaging/inbound-event';
import type pg from 'pg';

type Spoken = { workspaceId: string; person: ChannelPerson };

/**
 * Contacts of these people that were deleted a moment ago, by person. What is said of consent counts for them, too, should they come
 * back. They are locked: whoever brings one back comes before or after.
 */
export async function findDeleted(
  client: pg.PoolClient,
  people: readonly Spoken[],
): Promise<(one: Spoken) => string[]> {
  if (people.length === 0) return () => [];
  const { rows } = await client.query<{
    id: string;
    workspace_id: string;
    phone: string | null;
    user_id: string | null;
  }>(
    `SELECT contact_id AS id, workspace_id, contact->>'phone' AS phone, contact->>'platform_user_id' AS user_id FROM deleted_contacts
      WHERE contact_id IN (
        SELECT k.contact_id FROM unnest($1::uuid[], $2::text[]) AS p (workspace_id, phone)
          JOIN deleted_contacts k ON k.workspace_id = p.workspace_id AND k.contact->>'phone' = p.phone
        UNION ALL
        SELECT k.contact_id FROM unnest($1::uuid[], $3::text[]) AS p (workspace_id, user_id)
          JOIN deleted_contacts k ON k.workspace_id = p.workspace_id AND k.contact->>'platform_user_id' = p.user_id)
      ORDER BY contact_id FOR UPDATE`,
    [
      people.map(({ workspaceId }) => workspaceId),
      people.map(({ person }) => person.phone),
      people.map(({ person }) => person.userId),
    ],
  );
  const idsOf = new Map<string, string[]>();
  for (const { id, workspace_id: workspaceId, phone, user_id: userId } of rows)
    for (const identifier of [phone, userId])
      if (identifier !== null)
        idsOf.set(`${workspaceId} ${identifier}`, [...(idsOf.get(`${workspaceId} ${identifier}`) ?? []), id]);
  return ({ workspaceId, person: { phone, userId } }) => [
    ...new Set([phone, userId].flatMap((identifier) => idsOf.get(`${workspaceId} ${identifier}`) ?? [])),
  ];
}
