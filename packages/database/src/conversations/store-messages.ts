import type pg from 'pg';

type Client = Pick<pg.PoolClient, 'query'>;

/**
 * Messages as they arrive, in columns as PostgreSQL writes arrays. Answers with those that were not there yet, and whether somebody has to
 * read them: nobody has to read who is blocked.
 */
export async function insertArrivingMessages(
  client: Client,
  columns: readonly string[],
): Promise<Map<string, boolean>> {
  const { rows } = await client.query<{ id: string; is_unread: boolean }>({
    name: 'webhooks_insert_messages',
    text: `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, provider_message_id, type, text, payload, occurred_at,
         target_id, author, content, quoted_id, group_id, is_unread, window_ends_at, about)
     SELECT n.id, n.workspace_id, n.channel_id, n.contact_id, n.direction, n.provider_message_id, n.type, n.text, n.payload, n.occurred_at,
            n.target_id, CASE n.direction WHEN 'in' THEN 'contact' ELSE 'app' END, n.content, n.quoted_id, n.group_id,
            n.is_unread AND coalesce((SELECT k.status FROM contacts k WHERE k.id = n.contact_id), 'blocked') <> 'blocked', n.window_ends_at, n.about
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[],
                   $9::jsonb[], $10::timestamptz[], $11::text[], $12::jsonb[], $13::text[], $14::text[], $15::boolean[], $16::timestamptz[], $17::jsonb[])
            AS n (id, workspace_id, channel_id, contact_id, direction, provider_message_id, type, text, payload, occurred_at, target_id,
                  content, quoted_id, group_id, is_unread, window_ends_at, about)
     ON CONFLICT (workspace_id, provider_message_id) DO NOTHING RETURNING id, is_unread`,
    values: [...columns],
  });
  return new Map(rows.map(({ id, is_unread: isUnread }) => [id, isUnread]));
}
