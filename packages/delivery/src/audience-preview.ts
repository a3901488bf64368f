import type { PromotionCap } from '@app/domain/channels/promotion-cap';
import type { Audience, AudiencePreview, MessageCategory } from '@app/domain/delivery/audience';
import { chosenContactsSql, heldSql, mayReceiveSql } from './audience-sql.ts';
import { knowAudience } from './known-audience.ts';
import type { SqlClient } from './sql-client.ts';

type Asked = { workspaceId: string; audience: Audience };
/** Through which channel it leaves; null while there is none. */
type Sent = { category: MessageCategory; channelId: string | null };

/**
 * Counts who would get a message now, and who is left out and why. Starting a run applies the same conditions. Only the
 * exceptions are looked at one by one, in an index that holds nobody else; whoever remains gets the message.
 */
export async function previewAudience(
  client: SqlClient,
  { workspaceId, audience: named, category, channelId }: Asked & Sent,
): Promise<AudiencePreview> {
  const audience = await knowAudience(client, workspaceId, named);
  const values: unknown[] = [];
  const of = `FROM contacts c WHERE ${chosenContactsSql(workspaceId, audience, values)}`;
  const inWindow =
    category === 'service'
      ? `(SELECT count(*) ${of} AND ${mayReceiveSql({ category, channelId }, values)})`
      : '0';
  // One statement, so that all figures are of the same moment.
  const { rows } = await client.query<Record<keyof Counts, string>>(
    `SELECT ${chosenCountSql(audience, of)} AS chosen, left_out.*,
        ${category === 'marketing' ? `(SELECT count(*) ${of} AND ${heldSql})` : '0'} AS held,
        ${inWindow} AS in_window
       FROM (SELECT count(*) FILTER (WHERE c.reach = 'no_number') AS no_number,
                    count(*) FILTER (WHERE c.reach = 'blocked') AS blocked,
                    count(*) FILTER (WHERE c.reach = 'opted_out') AS opted_out
               ${of} AND c.reach <> 'open') AS left_out`,
    values,
  );
  const counts = readCounts(rows[0]);
  return { ...divide(counts, category), doubled: countDoubled(named) };
}

/**
 * How many of those who would get marketing got as many promotional messages as the rule of their country allows. Those whom the platform
 * asked to spare are not counted again.
 */
export async function countCapped(
  client: SqlClient,
  { workspaceId, audience: named, cap }: Asked & { cap: PromotionCap },
): Promise<number> {
  const audience = await knowAudience(client, workspaceId, named);
  const values: unknown[] = [];
  const chosen = chosenContactsSql(workspaceId, audience, values);
  const may = mayReceiveSql({ category: 'marketing', channelId: null }, values);
  const of = (value: string | number, type: string) => `$${values.push(value)}::${type}`;
  const { rows } = await client.query<{ count: string }>(
    `SELECT count(*) AS count FROM contacts c WHERE ${chosen} AND ${may} AND starts_with(c.phone, ${of(cap.prefix, 'text')})
        AND promotions_through(c.workspace_id, c.id, ${of(cap.kind, 'text')}, ${of(cap.days, 'integer')}, NULL, NULL) >= ${of(cap.most, 'integer')}`,
    values,
  );
  return Number(rows[0]?.count ?? 0);
}

/** How many contacts an audience names, each once. */
export async function countAudience(
  client: SqlClient,
  { workspaceId, audience: named }: Asked,
): Promise<number> {
  const audience = await knowAudience(client, workspaceId, named);
  const values: unknown[] = [];
  const of = `FROM contacts c WHERE ${chosenContactsSql(workspaceId, audience, values)}`;
  const { rows } = await client.query<{ count: string }>(
    `SELECT ${chosenCountSql(audience, of)} AS count`,
    values,
  );
  return Number(rows[0]?.count ?? 0);
}

/** The numbers of the first `most` of an audience who have one and are not blocked. */
export async function readPhones(
  client: SqlClient,
  { workspaceId, audience: named, most }: Asked & { most: number },
): Promise<string[]> {
  const audience = await knowAudience(client, workspaceId, named);
  const values: unknown[] = [];
  const { rows } = await client.query<{ phone: string }>(
    `SELECT c.phone FROM contacts c WHERE ${chosenContactsSql(workspaceId, audience, values)}
        AND c.phone IS NOT NULL AND c.reach NOT IN ('no_number', 'blocked') ORDER BY c.id LIMIT $${values.push(most)}`,
    values,
  );
  return rows.map(({ phone }) => phone);
}

/** Who of an audience would get a template now, counted by the first digits of their numbers, which tell the country. */
export async function countByDigits(
  client: SqlClient,
  { workspaceId, audience: named, category }: Asked & { category: Exclude<MessageCategory, 'service'> },
): Promise<{ digits: string; count: number }[]> {
  const audience = await knowAudience(client, workspaceId, named);
  const values: unknown[] = [];
  const { rows } = await client.query<{ digits: string; count: string }>(
    `SELECT coalesce(substr(c.phone, 2, 4), '') AS digits, count(*) AS count FROM contacts c
      WHERE ${chosenContactsSql(workspaceId, audience, values)} AND ${mayReceiveSql({ category, channelId: null }, values)} GROUP BY 1`,
    values,
  );
  return rows.map(({ digits, count }) => ({ digits, count: Number(count) }));
}

/** Those of the contacts whom an audience names. */
export async function findInAudience(
  client: SqlClient,
  { workspaceId, audience, contactIds }: Asked & { contactIds: readonly string[] },
): Promise<string[]> {
  const values: unknown[] = [contactIds];
  const followed = await knowAudience(client, workspaceId, audience);
  const chosen = chosenContactsSql(workspaceId, followed, values);
  const { rows } = await client.query<{ id: string }>(
    `SELECT c.id FROM contacts c WHERE c.id = ANY($1::uuid[]) AND ${chosen}`,
    values,
  );
  return rows.map(({ id }) => id);
}

type Counts = {
  chosen: number;
  no_number: number;
  blocked: number;
  opted_out: number;
  held: number;
  in_window: number;
};

function readCounts(row: Record<keyof Counts, string> | undefined): Counts {
  const read = (name: keyof Counts): number => Number(row?.[name] ?? 0);
  return {
    chosen: read('chosen'),
    no_number: read('no_number'),
    blocked: read('blocked'),
    opted_out: read('opted_out'),
    held: read('held'),
    in_window: read('in_window'),
  };
}

function divide(counts: Counts, category: MessageCategory): Omit<AudiencePreview, 'doubled'> {
  const { chosen, no_number: withoutNumber, blocked, opted_out, held, in_window } = counts;
  const optedOut = category === 'marketing' ? opted_out : 0;
  const reachable = chosen - withoutNumber - blocked - optedOut - held;
  const receiving = category === 'service' ? in_window : reachable;
  return { chosen, receiving, blocked, optedOut, withoutNumber, windowClosed: reachable - receiving, held };
}

/** Everybody is known from the kept sums (see contact_counts); any other audience is counted. */
function chosenCountSql(audience: Audience, of: string): string {
  const isEverybody =
    'filter' in audience &&
    Object.values(audience.filter).every((part) => part === undefined) &&
    (audience.excludedIds ?? []).length === 0 &&
    (audience.except ?? []).length === 0 &&
    audience.restDays === undefined;
  return isEverybody
    ? '(SELECT coalesce(sum(total), 0) FROM contact_counts WHERE workspace_id = $1)'
    : `(SELECT count(*) ${of})`;
}

function countDoubled(audience: Audience): number {
  const contactIds = 'contactIds' in audience ? (audience.contactIds ?? []) : [];
  return contactIds.length - new Set(contactIds).size;
}
