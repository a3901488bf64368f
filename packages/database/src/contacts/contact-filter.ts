import type { AudienceFilter } from '@app/domain/delivery/audience';
import type { BindValue } from '../bind-value.ts';
import { containsPattern, searchedText } from '../contains-pattern.ts';
import { segmentSql } from '../segments/segment-filter.ts';

/**
 * The one meaning of a contact filter, for the list, for counts and for the audience of a campaign: a condition on
 * the rows of `alias`, whose workspace the caller names. Text is bound, never written into the statement.
 */
export function contactFilterSql(
  { search, tags, status, rules }: AudienceFilter,
  bind: BindValue,
  alias = 'c',
): string {
  const conditions: string[] = [];
  const term = search?.trim();
  if (term) conditions.push(searchCondition(term, bind, `${alias}.search_text`));
  if (tags && tags.length > 0) conditions.push(`${alias}.tags && ${bind(tags, 'text[]')}`);
  if (status) conditions.push(`${alias}.status = ${bind(status, 'text')}`);
  if (rules) conditions.push(segmentSql(rules, bind, alias));
  return conditions.length === 0 ? 'true' : conditions.join(' AND ');
}

/** People type a number as they see it written; it is stored without the marks between the digits. */
const WRITTEN_NUMBER = /^\+?[\d\s().-]*\d[\d\s().-]*$/;

function searchCondition(term: string, bind: BindValue, column: string): string {
  const asTyped = `${searchedText(column, term)} LIKE lower(${bind(containsPattern(term), 'text')})`;
  const digits = term.replace(/[\s().-]/g, '');
  if (digits === term || !WRITTEN_NUMBER.test(term)) return asTyped;
  return `(${asTyped} OR ${column} LIKE ${bind(containsPattern(digits), 'text')})`;
}
