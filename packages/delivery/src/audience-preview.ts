import type { Audience, AudiencePreview, MessageCategory } from '@app/domain/delivery/audience';
import { chosenContactsSql, leftOutReasonSql } from './audience-sql.ts';
import type { SqlClient } from './sql-client.ts';

/** Counts who would get a message now, and who is left out and why. Starting a run applies the same conditions. */
export async function previewAudience(
  client: SqlClient,
  { workspaceId, audience, category }: { workspaceId: string; audience: Audience; category: MessageCategory },
): Promise<AudiencePreview> {
  const values: unknown[] = [];
  const chosen = chosenContactsSql(workspaceId, audience, values);
  const { rows } = await client.query<{ reason: string | null; count: string }>(
    `SELECT ${leftOutReasonSql(category)} AS reason, count(*) FROM contacts c WHERE ${chosen} GROUP BY 1`,
    values,
  );
  const counts = new Map(rows.map(({ reason, count }) => [reason, Number(count)]));
  const countOf = (reason: string | null): number => counts.get(reason) ?? 0;
  return {
    chosen: rows.reduce((sum, { count }) => sum + Number(count), 0),
    receiving: countOf(null),
    blocked: countOf('blocked'),
    optedOut: countOf('optedOut'),
    withoutNumber: countOf('withoutNumber'),
    windowClosed: countOf('windowClosed'),
    held: countOf('held'),
    doubled: countDoubled('contactIds' in audience ? (audience.contactIds ?? []) : []),
  };
}

/** How many contacts an audience names, each once. */
export async function countAudience(
  client: SqlClient,
  { workspaceId, audience }: { workspaceId: string; audience: Audience },
): Promise<number> {
  const values: unknown[] = [];
  const chosen = chosenContactsSql(workspaceId, audience, values);
  const { rows } = await client.query<{ count: string }>(
    `SELECT count(*) FROM contacts c WHERE ${chosen}`,
    values,
  );
  return Number(rows[0]?.count ?? 0);
}

function countDoubled(contactIds: readonly string[]): number {
  return contactIds.length - new Set(contactIds).size;
}
