import type pg from 'pg';
import { newId } from '@app/database/new-id';
import type { ChannelPerson } from '@app/domain/messaging/inbound-event';
import { storableText } from './storable.ts';

export type ContactRef = { workspaceId: string; contactId: string };
export type PersonOf = { workspaceId: string; person: ChannelPerson };

/**
 * The contact of each person, by phone number or else by the platform's own id, also by one that a merged contact had;
 * people who write for the first time become contacts under the name of their profile.
 */
export async function findContacts(client: pg.PoolClient, people: readonly PersonOf[]) {
  const wanted = new Map(people.filter(isKnowable).map((one) => [keyOf(one.workspaceId, one.person), one]));
  // One order for everybody, so that two transactions that add the same people do not block each other.
  const sorted = [...wanted.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  if (sorted.length > 0) await addMissing(client, sorted);
  const { rows } = await client.query(
    `SELECT c.id, c.workspace_id, c.phone, c.platform_user_id FROM contacts c
       JOIN unnest($1::uuid[], $2::text[], $3::text[]) AS p (workspace_id, phone, user_id)
         ON c.workspace_id = p.workspace_id AND (c.phone = p.phone OR c.platform_user_id = p.user_id)`,
    personArrays(sorted),
  );
  // A contact that has the number itself goes before one that has it from a merge.
  const ids = await findAliases(client, sorted);
  for (const { id, workspace_id, phone, platform_user_id } of rows) {
    if (platform_user_id) ids.set(`${workspace_id} ${platform_user_id}`, id);
    if (phone) ids.set(`${workspace_id} ${phone}`, id);
  }
  return {
    idOf: (workspaceId: string, { phone, userId }: ChannelPerson): string | null =>
      ids.get(`${workspaceId} ${phone}`) ?? ids.get(`${workspaceId} ${userId}`) ?? null,
  };
}

async function findAliases(client: pg.PoolClient, people: readonly PersonOf[]): Promise<Map<string, string>> {
  const { rows } = await client.query(
    `SELECT a.contact_id, a.workspace_id, a.identifier FROM contact_aliases a JOIN contacts c ON c.id = a.contact_id
       JOIN unnest($1::uuid[], $2::text[]) AS p (workspace_id, identifier)
         ON a.workspace_id = p.workspace_id AND a.identifier = p.identifier`,
    [
      people.flatMap(({ workspaceId }) => [workspaceId, workspaceId]),
      people.flatMap(({ person }) => [person.phone, person.userId]),
    ],
  );
  return new Map(rows.map((row) => [`${row.workspace_id} ${row.identifier}`, row.contact_id]));
}

async function addMissing(client: pg.PoolClient, people: readonly PersonOf[]): Promise<void> {
  const [workspaceIds, phones, userIds] = personArrays(people);
  // A known person who now also shows an id, or a number, stays one contact.
  await client.query(
    `UPDATE contacts c SET platform_user_id = p.user_id
       FROM unnest($1::uuid[], $2::text[], $3::text[]) AS p (workspace_id, phone, user_id)
      WHERE c.workspace_id = p.workspace_id AND c.phone = p.phone AND p.user_id IS NOT NULL AND c.platform_user_id IS NULL
        AND NOT EXISTS (SELECT FROM contacts o WHERE o.workspace_id = p.workspace_id AND o.platform_user_id = p.user_id)`,
    [workspaceIds, phones, userIds],
  );
  await client.query(
    `INSERT INTO contacts (id, workspace_id, phone, platform_user_id, name)
     SELECT p.* FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[])
              AS p (id, workspace_id, phone, user_id, name)
      WHERE NOT EXISTS (SELECT FROM contacts c
                         WHERE c.workspace_id = p.workspace_id AND (c.phone = p.phone OR c.platform_user_id = p.user_id))
        AND NOT EXISTS (SELECT FROM contact_aliases a JOIN contacts c ON c.id = a.contact_id
                         WHERE a.workspace_id = p.workspace_id AND a.identifier IN (p.phone, p.user_id))
     ON CONFLICT DO NOTHING`,
    [people.map(() => newId()), workspaceIds, phones, userIds, people.map(({ person }) => nameOf(person))],
  );
}

function personArrays(people: readonly PersonOf[]) {
  return [
    people.map(({ workspaceId }) => workspaceId),
    people.map(({ person }) => person.phone),
    people.map(({ person }) => person.userId),
  ] as const satisfies unknown[];
}

function isKnowable({ person }: PersonOf): boolean {
  return person.phone !== null || person.userId !== null;
}

function keyOf(workspaceId: string, { phone, userId }: ChannelPerson): string {
  return `${workspaceId} ${phone ?? userId}`;
}

function nameOf({ name, username, phone, userId }: ChannelPerson): string {
  return storableText(name?.trim() || username || phone || userId || '');
}
