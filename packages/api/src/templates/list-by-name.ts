import type { templatesList } from '@app/contracts/templates/templates-contract';
import { templates } from '@app/database/templates/templates-tables';
import { and, inArray, sql, type SQL } from 'drizzle-orm';
import type { z } from 'zod';
import { cutPage, readCursor, readTimeCursor, timeKey } from '../platform/keyset.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';

type Asked = Pick<z.output<typeof templatesList>, 'sort' | 'limit' | 'cursor'>;

// What a name stands at in each order, and how that looks in a cursor. Of the name itself the second is the same.
const places = {
  newest: { place: sql`max(${templates.createdAt})`, key: sql.raw(timeKey('max(templates.created_at)')) },
  oldest: { place: sql`min(${templates.createdAt})`, key: sql.raw(timeKey('min(templates.created_at)')) },
  name: { place: sql`${templates.name} COLLATE "und-x-icu"`, key: sql`${templates.name}` },
} as const;
/** Tells apart what stands at the same place. */
const tie = sql`min(${templates.id}::text)`;

/** A page of names, each with all of its templates that are wanted, the oldest first: no page takes the languages of one apart. */
export async function listByName(
  { tx }: ReadScope,
  wanted: SQL | undefined,
  { sort, limit, cursor }: Asked,
): Promise<{ rows: (typeof templates.$inferSelect)[]; nextCursor: string | null }> {
  const { place, key } = places[sort];
  const after = sort === 'name' ? readCursor(cursor) : readTimeCursor(cursor);
  const at = after && (sort === 'name' ? sql`${after.key}` : sql`${after.key}::timestamptz`);
  const direction = sql.raw(sort === 'newest' ? '<' : '>');
  const order = sql.raw(sort === 'newest' ? 'DESC' : 'ASC');
  const names = await tx
    .select({ name: templates.name, key: key as SQL<string>, id: tie as SQL<string> })
    .from(templates)
    .where(wanted)
    .groupBy(templates.name)
    .having(at ? sql`(${place}, ${tie}) ${direction} (${at}, ${after.id})` : undefined)
    .orderBy(sql`${place} ${order}`, sql`${tie} ${order}`)
    .limit(limit + 1);
  const { items, nextCursor } = cutPage(names, limit, (row) => row);
  if (items.length === 0) return { rows: [], nextCursor };
  const found = items.map(({ name }) => name);
  const rows = await tx
    .select()
    .from(templates)
    .where(and(wanted, inArray(templates.name, found)))
    .orderBy(templates.createdAt, templates.id);
  const positions = new Map(found.map((name, position) => [name, position]));
  const positionOf = ({ name }: { name: string }) => positions.get(name) ?? 0;
  return { rows: rows.toSorted((a, b) => positionOf(a) - positionOf(b)), nextCursor };
}
