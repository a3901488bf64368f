import type pg from 'pg';
import { writeArray } from '@app/delivery/sql-array';

/** What a message shows of itself in the list of contacts. */
export type Said = { messageId: string; text: string; at: Date; windowExpiresAt: Date | null };

export type Shown = Omit<Said, 'messageId'>;
type Heard = { workspaceId: string; said: readonly Said[] };

/**
 * What the list shows of people who wrote for the first time, so that their contact is written once: a second writing goes through
 * every index again. A message that is stored already, of a contact that is gone since, is not news.
 */
export async function findFirstWords(
  client: pg.PoolClient,
  people: readonly Heard[],
): Promise<(Shown | undefined)[]> {
  const asked = people.flatMap(({ workspaceId, said }) =>
    said.map(({ messageId }) => ({ workspaceId, messageId })),
  );
  if (asked.length === 0) return people.map(() => undefined);
  const { rows } = await client.query<{ workspaceId: string; messageId: string }>({
    name: 'webhooks_known_messages',
    text: `SELECT m.workspace_id AS "workspaceId", m.provider_message_id AS "messageId"
      FROM unnest($1::uuid[], $2::text[]) AS p (workspace_id, message_id)
      JOIN messages m ON m.workspace_id = p.workspace_id AND m.provider_message_id = p.message_id`,
    values: [
      writeArray(asked.map(({ workspaceId }) => workspaceId)),
      writeArray(asked.map(({ messageId }) => messageId)),
    ],
  });
  const met = new Set(rows.map(keyOf));
  return people.map(({ workspaceId, said }) => {
    // Of two copies in one group the first is stored.
    const news = said.filter(({ messageId }) => {
      const key = keyOf({ workspaceId, messageId });
      const isNews = !met.has(key);
      met.add(key);
      return isNews;
    });
    return newestOf(news);
  });
}

/** What is shown of several messages of one person: the newest, of two in the same moment the later; the window is that of any. */
export function newestOf(said: readonly Shown[]): Shown | undefined {
  return said.reduce<Shown | undefined>((last, one) => {
    if (last === undefined) return one;
    const shown = one.at >= last.at ? one : last;
    return { ...shown, windowExpiresAt: later(last.windowExpiresAt, one.windowExpiresAt) };
  }, undefined);
}

function keyOf({ workspaceId, messageId }: { workspaceId: string; messageId: string }): string {
  return `${workspaceId} ${messageId}`;
}

function later(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
