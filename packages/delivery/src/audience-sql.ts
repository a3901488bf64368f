import { bindTo, type BindValue } from '@app/database/bind-value';
import { fromFirstRunSql } from '@app/database/campaigns/first-run';
import { contactFilterSql } from '@app/database/contacts/contact-filter';
import { daysSql } from '@app/database/segments/segment-days';
import { lastingErrors } from '@app/domain/messaging/retry-worth';
import type { Audience, MessageCategory } from '@app/domain/delivery/audience';
import { recipientState } from '@app/domain/delivery/recipient-state';
import type { KnownAudience } from './known-audience.ts';

const onHold = `EXISTS (SELECT FROM marketing_holds h WHERE h.contact_id = c.id AND h.until > now())`;

/** A condition on `contacts c`; appends its values to `values`. */
export function chosenContactsSql(workspaceId: string, audience: KnownAudience, values: unknown[]): string {
  const bind = bindTo(values);
  const conditions = [`c.workspace_id = ${bind(workspaceId, 'uuid')}`];
  if ('failedOf' in audience) {
    const campaignId = bind(audience.failedOf, 'uuid');
    const lasting = bind(lastingErrors, 'text[]');
    conditions.push(
      `c.id IN (SELECT retryable_contacts(${bind(workspaceId, 'uuid')}, ${campaignId}, ${lasting}))`,
    );
  } else conditions.push(...namedSql(workspaceId, audience, bind));
  const { except = [], restDays } = audience;
  // What a filter cannot say of somebody, such as one about a last message of whom there is none, does not leave them out.
  for (const filter of except)
    conditions.push(`(${contactFilterSql(filter, bind, { workspaceId })}) IS NOT TRUE`);
  if (restDays !== undefined) conditions.push(`NOT ${gotCampaignSql(workspaceId, restDays, bind)}`);
  for (const { audience: other, ...sent } of audience.coming ?? [])
    conditions.push(
      `(${chosenContactsSql(workspaceId, other, values)} AND ${mayReceiveSql(sent, values)}) IS NOT TRUE`,
    );
  return conditions.join(' AND ');
}

/** Whom filters and picks name, without those who were taken out by hand. */
function namedSql(
  workspaceId: string,
  audience: Exclude<Audience, { failedOf: string }>,
  bind: BindValue,
): string[] {
  const { contactIds, filters, excludedIds } = partsOf(audience);
  const chosen = filters.map((filter) => contactFilterSql(filter, bind, { workspaceId }));
  if (contactIds.length > 0 || filters.length === 0) chosen.push(`c.id = ANY(${bind(contactIds, 'uuid[]')})`);
  const named =
    chosen.length === 1 ? (chosen[0] ?? 'true') : `(${chosen.map((sql) => `(${sql})`).join(' OR ')})`;
  return excludedIds.length > 0 ? [named, `c.id <> ALL(${bind(excludedIds, 'uuid[]')})`] : [named];
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

/** Of `contacts c` that were chosen and may not receive (`mayReceiveSql`): why, as a code of ours. */
export function leftOutReasonSql(category: MessageCategory): string {
  const marketing = `WHEN c.reach = 'opted_out' THEN 'opted_out' WHEN ${onHold} THEN 'held'`;
  return `CASE c.reach WHEN 'no_number' THEN 'no_number' WHEN 'blocked' THEN 'blocked'
    ELSE CASE ${category === 'marketing' ? marketing : ''} WHEN true THEN 'window_closed' END END`;
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

/**
 * A condition on `contacts c`: got a campaign since the day so many days ago, or is in one that is on its way, or may have got one. What the
 * platform took and then did not deliver nobody got. Only runs of that time are looked at, whatever was sent before.
 */
function gotCampaignSql(workspaceId: string, days: number, bind: BindValue): string {
  const { pending, sending, waiting, unknown } = recipientState;
  const calendar = daysSql(() => bind(workspaceId, 'uuid'));
  const since = calendar.start(`(${calendar.today} - ${bind(days, 'integer')})`);
  const matters = `n.completed_at IS NULL OR n.completed_at >= ${since}`;
  return `EXISTS (SELECT FROM delivery_recipients r
     WHERE r.contact_id = c.id AND r.workspace_id = c.workspace_id
       AND ${fromFirstRunSql(bind(workspaceId, 'uuid'), matters)}
       AND ((r.state = ${unknown} AND EXISTS (SELECT FROM delivery_runs n WHERE n.run_no = r.run_no AND (${matters})))
         OR (r.accepted_at >= ${since} AND (r.failed_at IS NULL OR r.delivered_at IS NOT NULL OR r.read_at IS NOT NULL))
         OR (r.state IN (${pending}, ${sending}, ${waiting}) AND EXISTS (SELECT FROM delivery_runs n
               WHERE n.run_no = r.run_no AND n.completed_at IS NULL AND n.state <> 'cancelled'))))`;
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
