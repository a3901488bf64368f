import { cleanText } from '@app/domain/contacts/contact';
import {
  isConditionValid,
  isFieldKind,
  readNumber,
  type SegmentCondition,
  type SegmentRules,
} from '@app/domain/segments/segment-rules';
import { recipientState } from '@app/domain/delivery/recipient-state';
import type { BindValue } from '../bind-value.ts';
import { fromFirstRunSql } from '../campaigns/first-run.ts';
import { languageCondition } from '../contacts/language-condition.ts';
import { searchCondition } from '../contacts/search-condition.ts';
import { anniversariesSql, daysSql, type Days } from './segment-days.ts';
import { containsPattern, searchedText } from '../contains-pattern.ts';

/** Of whom the rules are asked: the rows of `alias`, all of one workspace, in whose time zone days begin. */
type Rows = { workspaceId: string; alias: string };

/**
 * What the rules of a segment mean: a condition on the rows of `alias`, always in parentheses. Fields and operators are
 * from the list below, every value is bound; a condition with an impossible value holds for nobody.
 */
export function segmentSql(
  { match, conditions, groups = [] }: SegmentRules,
  bind: BindValue,
  rows: Rows,
): string {
  const parts = [
    ...conditions.map((condition) =>
      isConditionValid(condition) ? `(${conditionSql(condition, bind, rows)})` : '(false)',
    ),
    ...groups.map((group) => segmentSql({ match: group.match, conditions: group.conditions }, bind, rows)),
  ];
  if (parts.length === 0) return '(false)';
  return `(${parts.join(match === 'all' ? ' AND ' : ' OR ')})`;
}

function conditionSql(condition: SegmentCondition, bind: BindValue, { workspaceId, alias }: Rows): string {
  const { kind, value } = condition;
  const days = daysSql(() => bind(workspaceId, 'uuid'));
  if (isFieldKind(kind))
    return fieldConditionSql(condition, bind, { column: `${alias}.custom_values`, days });
  const atDay = (later = 0) => days.start(`(${bind(value, 'date')} + ${later})`);
  const daysAgo = () => days.start(`(${days.today} - ${bind(Number(value), 'integer')})`);
  const consentSql = `EXISTS (SELECT FROM contact_consents k WHERE k.contact_id = ${alias}.id AND k.kind = 'opt_in')`;
  const recipients = (outcome: string) => recipientsSql(outcome, alias);
  /** A report of that time was counted then, or a day later where clocks differ. */
  const lately = (since: string) =>
    fromFirstRunSql(
      bind(workspaceId, 'uuid'),
      `n.completed_at IS NULL OR greatest(n.completed_at, n.reported_at) >= ${since} - interval '1 day'`,
    );
  const received = (since: string) => recipients(`${lately(since)} AND ${receivedSince(since)}`);
  const read = (since: string) => recipients(`${lately(since)} AND r.read_at >= ${since}`);
  switch (kind) {
    case 'name_contains':
      return containsSql(`lower(${alias}.name)`, value, bind, alias);
    case 'phone_contains':
      // People type a number as they see it written; it is stored without the marks between the digits.
      return containsSql(`${alias}.phone`, value.replace(/[\s().-]/g, '') || value, bind, alias);
    case 'email_contains':
      return containsSql(`lower(${alias}.email)`, value, bind, alias);
    case 'search_matches':
      return searchCondition(value.trim(), bind, `${alias}.search_text`);
    case 'has_tag':
      return `${alias}.tags && ARRAY[${bind(withoutNull(value), 'text')}]`;
    case 'has_not_tag':
      return `NOT (${alias}.tags && ARRAY[${bind(withoutNull(value), 'text')}])`;
    case 'status_is':
      return `${alias}.status = ${bind(value, 'text')}`;
    case 'language_is':
      return languageCondition(value, bind, alias);
    case 'language_is_not':
      return `${alias}.language IS NULL OR NOT (${languageCondition(value, bind, alias)})`;
    case 'language_unknown':
      return languageCondition('none', bind, alias);
    case 'created_before':
      return `${alias}.created_at < ${atDay()}`;
    case 'created_after':
      return `${alias}.created_at >= ${atDay(1)}`;
    case 'created_within':
      return `${alias}.created_at >= ${daysAgo()}`;
    case 'created_over':
      return `${alias}.created_at < ${daysAgo()}`;
    case 'messaged_within':
      return `${alias}.last_message_at >= ${daysAgo()}`;
    case 'quiet_for':
      return `${alias}.last_message_at IS NULL OR ${alias}.last_message_at < ${daysAgo()}`;
    case 'never_messaged':
      return `${alias}.last_message_at IS NULL`;
    case 'opted_out':
      return `${alias}.opted_out_at IS NOT NULL`;
    case 'not_opted_out':
      return `${alias}.opted_out_at IS NULL`;
    case 'opted_in':
      return `${alias}.opted_out_at IS NULL AND ${consentSql}`;
    case 'consent_unknown':
      return `${alias}.opted_out_at IS NULL AND NOT ${consentSql}`;
    case 'campaign_received':
      return recipients(`${RECEIVED} AND ${ofCampaign(value, bind)}`);
    case 'campaign_read':
      return recipients(`r.read_at IS NOT NULL AND ${ofCampaign(value, bind)}`);
    case 'campaign_unread':
      return recipients(`r.delivered_at IS NOT NULL AND r.read_at IS NULL AND ${ofCampaign(value, bind)}`);
    case 'campaign_failed':
      return recipients(
        `(r.state = ${recipientState.refused} OR (r.state = ${recipientState.accepted} AND r.failed_at IS NOT NULL
          AND r.delivered_at IS NULL AND r.read_at IS NULL)) AND ${ofCampaign(value, bind)}`,
      );
    case 'campaigns_received_within':
      return received(daysAgo());
    case 'campaigns_read_within':
      return read(daysAgo());
    case 'campaigns_unread_within': {
      const since = daysAgo();
      return `${received(since)} AND NOT ${read(since)}`;
    }
    default:
      return 'false';
  }
}

/**
 * `is` is answered by the index. The others look at the contacts that have a value at all, which the index finds. What is
 * denied holds for contacts without a value too. A value of another type than the condition's never compares.
 */
function fieldConditionSql(
  { kind, value, field = '' }: SegmentCondition,
  bind: BindValue,
  { column, days }: { column: string; days: Days },
): string {
  const id = field.toLowerCase();
  const has = (test: (text: string) => string) => {
    const key = bind(id, 'text');
    return `${column} <> '{}' AND ${column} ? ${key} AND ${test(`(${column} ->> ${key})`)}`;
  };
  const is = (wanted: unknown) =>
    `${column} <> '{}' AND ${column} @> ${bind(JSON.stringify({ [id]: wanted }), 'jsonb')}`;
  const isText = () => has((text) => `lower(${text}) = lower(${bind(cleanText(value), 'text')})`);
  const contains = () => has((text) => `lower(${text}) LIKE lower(${bind(containsPattern(value), 'text')})`);
  const compareDay = (operator: string) =>
    has((text) => `${text} COLLATE "C" ${operator} ${bind(value, 'text')}`);
  const daysFrom = (sign: '+' | '-') => `${days.today} ${sign} ${bind(Number(value), 'integer')}`;
  const day = (test: (text: string) => string) => has((text) => test(`${text} COLLATE "C"`));
  const yearly = (from: string) => {
    const wanted = `ARRAY(${anniversariesSql(from, daysFrom('+'))})`;
    return has((text) => `substr(${text}, 6, 5) = ANY (${wanted})`);
  };
  const compare = (operator: string) => {
    const number = `${column} -> ${bind(id, 'text')}`;
    return has(
      () =>
        `(${number}) ${operator} ${bind(JSON.stringify(readNumber(value)), 'jsonb')} AND jsonb_typeof(${number}) = 'number'`,
    );
  };
  switch (kind) {
    case 'field_text_is':
      return isText();
    case 'field_text_is_not':
      return `NOT (${isText()})`;
    case 'field_text_contains':
      return contains();
    case 'field_text_contains_not':
      return `NOT (${contains()})`;
    case 'field_number_is':
      return is(readNumber(value));
    case 'field_number_is_not':
      return `NOT (${is(readNumber(value))})`;
    case 'field_number_above':
      return compare('>');
    case 'field_number_below':
      return compare('<');
    case 'field_date_is':
    case 'field_choice_is':
      return is(cleanText(value));
    case 'field_date_is_not':
    case 'field_choice_is_not':
      return `NOT (${is(cleanText(value))})`;
    case 'field_date_before':
      return compareDay('<');
    case 'field_date_after':
      return compareDay('>');
    case 'field_date_within':
      return day((text) => `${text} BETWEEN (${daysFrom('-')})::text AND ${days.today}::text`);
    case 'field_date_over':
      return day((text) => `${text} < (${daysFrom('-')})::text`);
    case 'field_date_next':
      return day((text) => `${text} BETWEEN ${days.today}::text AND (${daysFrom('+')})::text`);
    case 'field_date_yearly_in':
      return yearly(daysFrom('+'));
    case 'field_date_yearly_within':
      return yearly(days.today);
    case 'field_yes_no_is':
      return is(value === 'yes');
    case 'field_set':
      return has(() => 'true');
    case 'field_not_set':
      return `NOT (${has(() => 'true')})`;
    default:
      return 'false';
  }
}

/** The first half only finds candidates by index; a part of another field may match it. */
function containsSql(column: string, value: string, bind: BindValue, alias: string): string {
  const pattern = `lower(${bind(containsPattern(value), 'text')})`;
  return `${searchedText(`${alias}.search_text`, value)} LIKE ${pattern} AND coalesce(${column}, '') LIKE ${pattern}`;
}

const RECEIVED = '(r.delivered_at IS NOT NULL OR r.read_at IS NOT NULL)';

/** When a message arrived; one that was read and not reported as delivered arrived by then. */
function receivedSince(since: string): string {
  return `coalesce(r.delivered_at, r.read_at) >= ${since}`;
}

function ofCampaign(campaignId: string, bind: BindValue): string {
  return `r.run_no = (SELECT run_no FROM delivery_runs WHERE campaign_id = ${bind(campaignId, 'uuid')})`;
}

function recipientsSql(outcome: string, alias: string): string {
  return `EXISTS (SELECT FROM delivery_recipients r
     WHERE r.contact_id = ${alias}.id AND r.workspace_id = ${alias}.workspace_id AND ${outcome})`;
}

function withoutNull(text: string): string {
  return text.replaceAll('\0', '');
}
