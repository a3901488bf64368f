import { containsPattern } from '@app/database/contains-pattern';
import { bindTo, type BindValue } from '@app/database/bind-value';
import type { contact } from '@app/contracts/contacts/contacts-contract';
import type { ContactSort, ContactStatus } from '@app/domain/contacts/contact';
import type { CustomValues } from '@app/domain/custom-fields/custom-field';
import { findMissingPermission } from '@app/domain/auth/caller';
import type { RecipientOutcome } from '@app/domain/campaigns/recipient-outcome';
import type { AudienceFilter } from '@app/domain/delivery/audience';
import { ORPCError } from '@orpc/server';
import type { z } from 'zod';
import { customFieldsSql } from '../custom-fields/custom-values.ts';
import { findSegment } from '../segments/segments-queries.ts';
import { sayMissing } from '../platform/guard-access.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { cutPage, readCursor, readTimeCursor } from '../platform/keyset.ts';

export type Contact = z.infer<typeof contact>;

export type ContactRow = {
  id: string;
  name: string;
  phone: string | null;
  email: string | null;
  language: string | null;
  tags: string[];
  status: ContactStatus;
  last_message: string | null;
  last_message_at: Date | null;
  opted_out_at: Date | null;
  custom_fields: CustomValues;
  created_at: Date;
  updated_at: Date;
  version: number;
};

export const contactColumns = `id, name, phone, email, language, tags, status, last_message, last_message_at, opted_out_at,
  ${customFieldsSql} AS custom_fields, created_at, updated_at, version`;

type Order = { key: string; direction: 'ASC' | 'DESC'; type: 'timestamptz' | 'text' };

const byName = `c.name COLLATE "und-x-icu"`;
/** Each order has an index of its own that also holds the id, so that every page costs the same. */
const orders: Record<ContactSort, Order> = {
  newest: { key: 'c.created_at', direction: 'DESC', type: 'timestamptz' },
  oldest: { key: 'c.created_at', direction: 'ASC', type: 'timestamptz' },
  name: { key: byName, direction: 'ASC', type: 'text' },
  name_desc: { key: byName, direction: 'DESC', type: 'text' },
  last_message: { key: `coalesce(c.last_message_at, '-infinity')`, direction: 'DESC', type: 'timestamptz' },
};

export type FilterWords = {
  search?: string | undefined;
  tag?: string | undefined;
  status?: '' | ContactStatus | undefined;
  language?: string | undefined;
  segment?: string | undefined;
  importId?: string | undefined;
  campaignId?: string | undefined;
  outcome?: '' | RecipientOutcome | undefined;
  reason?: string | undefined;
  report?: string | undefined;
};

/** What a filter names and is not there, or not for this caller. */
export type FilterError = 'segment_not_found' | 'campaign_not_found';

/**
 * Words of a query string as a filter; empty text means that the part is not there. A segment or a campaign that is gone
 * must never be taken for a filter without one.
 * @throws FORBIDDEN for the people behind a number where the caller may not read analytics
 */
export async function findFilter(
  scope: ReadScope,
  input: FilterWords,
): Promise<AudienceFilter | FilterError> {
  const segment = input.segment ? await findSegment(scope, scope.workspaceId, input.segment) : undefined;
  if (segment === null) return 'segment_not_found';
  if (input.campaignId && !(await maySeeCampaign(scope, input.campaignId))) return 'campaign_not_found';
  if (input.report && findMissingPermission(scope.caller, ['analytics:read']))
    throw new ORPCError('FORBIDDEN', { message: sayMissing('analytics:read') });
  return {
    rules: segment?.rules,
    search: input.search || undefined,
    tags: input.tag ? [input.tag] : undefined,
    status: input.status || undefined,
    language: input.language || undefined,
    importId: input.importId || undefined,
    campaignId: input.campaignId || undefined,
    outcome: input.outcome || undefined,
    reason: input.reason || undefined,
    report: input.report || undefined,
  };
}

/** Who got it and who did not is for those alone who may see campaigns. */
async function maySeeCampaign(scope: ReadScope, campaignId: string): Promise<boolean> {
  if (findMissingPermission(scope.caller, ['campaigns:read'])) return false;
  const { rows } = await scope.query('SELECT 1 FROM campaigns WHERE workspace_id = $1 AND id = $2', [
    scope.workspaceId,
    campaignId,
  ]);
  return rows.length > 0;
}

/** `c.id` last, so that no two stand in the same place. */
export function orderSql(sort: ContactSort): string {
  const { key, direction } = orders[sort];
  return `${key} ${direction}, c.id ${direction}`;
}

type ListedContacts = {
  /** A condition on `contacts c`. */
  where: (bind: BindValue) => string;
  sort: ContactSort;
  limit: number;
  cursor: string | undefined;
};

export async function listContacts(scope: ReadScope, { where, sort, limit, cursor }: ListedContacts) {
  const { key, direction, type } = orders[sort];
  const values: unknown[] = [];
  const bind = bindTo(values);
  const conditions = [`c.workspace_id = ${bind(scope.workspaceId, 'uuid')}`, where(bind)];
  // A cursor of another order, or one that was not made here, begins the list anew.
  const after = type === 'text' ? readCursor(cursor) : readTimeCursor(cursor);
  if (after) {
    const operator = direction === 'ASC' ? '>' : '<';
    conditions.push(`(${key}, c.id) ${operator} (${bind(after.key, type)}, ${bind(after.id, 'uuid')})`);
  }
  // As text, because a JavaScript date would cut the microseconds that tell imported rows apart.
  const { rows } = await scope.query<ContactRow & { place: string }>(
    `SELECT ${contactColumns}, (${key})::text AS place FROM contacts c WHERE ${conditions.join(' AND ')}
      ORDER BY ${orderSql(sort)} LIMIT ${bind(limit + 1, 'integer')}`,
    values,
  );
  const { items, nextCursor } = cutPage(rows, limit, ({ place, id }) => ({ key: place, id }));
  return { items: items.map(presentContact), nextCursor };
}

export async function findContact(scope: ReadScope, contactId: string): Promise<Contact | null> {
  const { rows } = await scope.query<ContactRow>(
    `SELECT ${contactColumns} FROM contacts WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, contactId],
  );
  return rows[0] ? presentContact(rows[0]) : null;
}

/** The contact itself, or the one that a merge has made of it: a page that is open still asks for what it shows. */
export async function findPerson(scope: ReadScope, contactId: string): Promise<Contact | null> {
  const contact = await findContact(scope, contactId);
  if (contact) return contact;
  const { rows } = await scope.query<{ survivor_id: string }>(
    'SELECT survivor_id FROM merged_contacts WHERE workspace_id = $1 AND contact_id = $2',
    [scope.workspaceId, contactId],
  );
  return rows[0] ? findContact(scope, rows[0].survivor_id) : null;
}

const MOST_TAGS = 1000;

export async function listTags(scope: ReadScope, search: string | undefined) {
  const { rows } = await scope.query<{ tag: string; contacts: number }>(
    `SELECT tag, sum(contacts)::int AS contacts FROM contact_tag_counts
      WHERE workspace_id = $1 AND lower(tag) LIKE lower($2)
      GROUP BY tag HAVING sum(contacts) > 0 ORDER BY tag COLLATE "und-x-icu" LIMIT ${MOST_TAGS}`,
    [scope.workspaceId, containsPattern(search ?? '')],
  );
  return { items: rows, nextCursor: null };
}

export function presentContact(row: ContactRow): Contact {
  return {
    id: row.id,
    name: row.name,
    phone: row.phone,
    email: row.email,
    language: row.language,
    tags: row.tags,
    status: row.status,
    lastMessage: row.last_message,
    lastMessageTime: row.last_message_at?.toISOString() ?? null,
    optedOutAt: row.opted_out_at?.toISOString() ?? null,
    customFields: row.custom_fields,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
  };
}
