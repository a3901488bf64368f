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
import { searchCondition } from '../contacts/search-condition.ts';
import { containsPattern, searchedText } from '../contains-pattern.ts';

/**
 * What the rules of a segment mean: a condition on the rows of `alias`, always in parentheses. Fields and operators are
 * from the list below, every value is bound; a condition with an impossible value holds for nobody.
 */
export function segmentSql({ match, conditions }: SegmentRules, bind: BindValue, alias: string): string {
  if (conditions.length === 0) return '(false)';
  const parts = conditions.map((condition) =>
    isConditionValid(condition) ? `(${conditionSql(condition, bind, alias)})` : '(false)',
  );
  return `(${parts.join(match === 'all' ? ' AND ' : ' OR ')})`;
}

function conditionSql(condition: SegmentCondition, bind: BindValue, alias: string): string {
  const { kind, value } = condition;
  if (isFieldKind(kind)) return fieldConditionSql(condition, bind, `${alias}.custom_values`);
  const atDay = () => `(${bind(value, 'date')}::timestamp AT TIME ZONE 'UTC')`;
  const daysAgo = () => `now() - make_interval(days => ${bind(Number(value), 'integer')})`;
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
    case 'created_before':
      return `${alias}.created_at < ${atDay()}`;
    case 'created_after':
      return `${alias}.created_at >= ${atDay()} + interval '1 day'`;
    case 'created_within':
      return `${alias}.created_at >= ${daysAgo()}`;
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
    case 'campaign_received':
      return recipientsSql(value, `(r.delivered_at IS NOT NULL OR r.read_at IS NOT NULL)`, bind, alias);
    case 'campaign_read':
      return recipientsSql(value, 'r.read_at IS NOT NULL', bind, alias);
    case 'campaign_failed':
      return recipientsSql(
        value,
        `(r.state = ${recipientState.refused} OR (r.state = ${recipientState.accepted} AND r.failed_at IS NOT NULL
          AND r.delivered_at IS NULL AND r.read_at IS NULL))`,
        bind,
        alias,
      );
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
  column: string,
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

function recipientsSql(campaignId: string, outcome: string, bind: BindValue, alias: string): string {
  return `EXISTS (SELECT FROM delivery_recipients r
     WHERE r.contact_id = ${alias}.id AND r.workspace_id = ${alias}.workspace_id AND ${outcome}
       AND r.run_no = (SELECT run_no FROM delivery_runs WHERE campaign_id = ${bind(campaignId, 'uuid')}))`;
}

function withoutNull(text: string): string {
  return text.replaceAll('\0', '');
}
