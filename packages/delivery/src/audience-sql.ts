import { bindTo } from '@app/database/bind-value';
import { contactFilterSql } from '@app/database/contacts/contact-filter';
import type { Audience, MessageCategory } from '@app/domain/delivery/audience';

const onHold = `EXISTS (SELECT FROM marketing_holds h WHERE h.contact_id = c.id AND h.until > now())`;

/** A condition on `contacts c`; appends its values to `values`. */
export function chosenContactsSql(workspaceId: string, audience: Audience, values: unknown[]): string {
  const bind = bindTo(values);
  const conditions = [`c.workspace_id = ${bind(workspaceId, 'uuid')}`];
  if ('failedOf' in audience) {
    const campaignId = bind(audience.failedOf, 'uuid');
    conditions.push(`c.id IN (SELECT retryable_contacts(${bind(workspaceId, 'uuid')}, ${campaignId}))`);
    return conditions.join(' AND ');
  }
  const { contactIds, filters, excludedIds } = partsOf(audience);
  const chosen = filters.map((filter) => contactFilterSql(filter, bind));
  if (contactIds.length > 0 || filters.length === 0) chosen.push(`c.id = ANY(${bind(contactIds, 'uuid[]')})`);
  conditions.push(
    chosen.length === 1 ? (chosen[0] ?? 'true') : `(${chosen.map((sql) => `(${sql})`).join(' OR ')})`,
  );
  if (excludedIds.length > 0) conditions.push(`c.id <> ALL(${bind(excludedIds, 'uuid[]')})`);
  return conditions.join(' AND ');
}

/**
 * A condition on `contacts c`: may get a message of this category now, through this channel. `reach` is decided when a contact is written; appends
 * its values to `values`.
 */
export function mayReceiveSql(
  { category, channelId }: { category: MessageCategory; channelId: string | null },
  values: unknown[],
): string {
  if (category === 'marketing') return `c.reach = 'open' AND NOT ${onHold}`;
  const mayBeWritten = `c.reach IN ('open', 'opted_out')`;
  if (category !== 'service') return mayBeWritten;
  // The window closes a minute early for us, so that no message leaves too late.
  const window = windowSql(bindTo(values)(channelId, 'uuid'));
  return `${mayBeWritten} AND ${window} > now() + interval '1 minute'`;
}

/**
 * Until when `contacts c` may be written to freely through a channel. The contact itself keeps the last of all their windows, which is that of the
 * channel for whoever has no conversation.
 */
export function windowSql(channelId: string): string {
  return `CASE WHEN EXISTS (SELECT FROM conversations v WHERE v.contact_id = c.id)
    THEN (SELECT v.window_ends_at FROM conversations v WHERE v.contact_id = c.id AND v.channel_id = ${channelId})
    ELSE c.window_expires_at END`;
}

/** A condition on `contacts c`: would get marketing, had the platform not asked to wait. */
export const heldSql = `c.reach = 'open' AND ${onHold}`;

function partsOf(audience: Exclude<Audience, { failedOf: string }>) {
  const none: readonly string[] = [];
  if ('anyOf' in audience) {
    const { anyOf, contactIds = none, excludedIds = none } = audience;
    return { filters: anyOf, contactIds, excludedIds };
  }
  if ('filter' in audience) {
    return { filters: [audience.filter], contactIds: none, excludedIds: audience.excludedIds ?? none };
  }
  return { filters: [], contactIds: audience.contactIds, excludedIds: none };
}
