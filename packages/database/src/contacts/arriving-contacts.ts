import type pg from 'pg';

type Client = Pick<pg.PoolClient, 'query'>;

/** Columns of the same length, as PostgreSQL writes arrays: id, workspace, number, id of the platform, name. */
export type ArrivingColumns = readonly [
  ids: string,
  workspaceIds: string,
  phones: string,
  userIds: string,
  names: string,
];

/** What the list shows of what somebody said: text, time, end of the window. */
export type SaidColumns = readonly [texts: string, times: string, windowEnds: string];

/** People whom the platform brings; answers with those that were not there already. */
export async function addArrivingContacts(
  client: Client,
  contacts: ArrivingColumns,
  said: SaidColumns,
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>({
    name: 'webhooks_add_contacts',
    text: `INSERT INTO contacts (id, workspace_id, phone, platform_user_id, name, last_message, last_message_at, window_expires_at, source)
     SELECT *, 'conversation' FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::timestamptz[])
     ON CONFLICT DO NOTHING RETURNING id`,
    values: [...contacts, ...said],
  });
  return rows.map(({ id }) => id);
}

/** What the platform told of them since; answers with those of which nobody else had number or id. */
export async function changeArrivingContacts(client: Client, contacts: ArrivingColumns): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `UPDATE contacts c SET phone = p.phone, platform_user_id = p.user_id, name = p.name, updated_at = now(),
            version = c.version + ((c.phone, c.name) IS DISTINCT FROM (p.phone, p.name))::integer
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[]) AS p (id, workspace_id, phone, user_id, name)
      WHERE c.workspace_id = p.workspace_id AND c.id = p.id
        AND NOT EXISTS (SELECT FROM contacts o WHERE o.workspace_id = p.workspace_id AND o.phone = p.phone AND o.id <> p.id)
        AND NOT EXISTS (SELECT FROM contacts o WHERE o.workspace_id = p.workspace_id AND o.platform_user_id = p.user_id AND o.id <> p.id)
      RETURNING c.id`,
    [...contacts],
  );
  return rows.map(({ id }) => id);
}

/** The last message and the window, where they are others now: each writing of a contact goes through all of its indexes. */
export async function describeArrivingContacts(
  client: Client,
  contactIds: string,
  said: SaidColumns,
): Promise<void> {
  await client.query({
    name: 'webhooks_describe_contacts',
    text: `UPDATE contacts c SET
       last_message = CASE WHEN c.last_message_at IS NULL OR n.said_at >= c.last_message_at THEN n.said ELSE c.last_message END,
       last_message_at = greatest(c.last_message_at, n.said_at),
       window_expires_at = greatest(c.window_expires_at, n.window_expires_at)
     FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::timestamptz[]) AS n (contact_id, said, said_at, window_expires_at)
     WHERE c.id = n.contact_id
       AND (c.last_message_at IS NULL OR n.said_at > c.last_message_at
            OR (n.said_at = c.last_message_at AND n.said IS DISTINCT FROM c.last_message)
            OR n.window_expires_at > coalesce(c.window_expires_at, '-infinity'))`,
    values: [contactIds, ...said],
  });
}

type Identity = {
  contactId: string;
  phone: string | null;
  userId: string | null;
  standInName: string | null;
};

/** A person moved to another number, or has another id of the platform. */
export async function changeIdentity(
  client: Client,
  { contactId, phone, userId, standInName }: Identity,
): Promise<void> {
  await client.query(
    `UPDATE contacts SET phone = $2, platform_user_id = $3, name = coalesce($4, name), version = version + 1, updated_at = now()
      WHERE id = $1`,
    [contactId, phone, userId, standInName],
  );
}

/** The number is somebody else's by now. */
export async function takePhone(client: Client, contactId: string): Promise<void> {
  await client.query(
    'UPDATE contacts SET phone = NULL, version = version + 1, updated_at = now() WHERE id = $1',
    [contactId],
  );
}
