import { searchedNumber } from '@app/domain/contacts/searched-number';
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

function searchCondition(term: string, bind: BindValue, column: string): string {
  const asTyped = `${searchedText(column, term)} LIKE lower(${bind(containsPattern(term), 'text')})`;
  const number = searchedNumber(term);
  if (number === null || number === term) return asTyped;
  return `(${asTyped} OR ${searchedText(column, number)} LIKE ${bind(containsPattern(number), 'text')})`;
}
