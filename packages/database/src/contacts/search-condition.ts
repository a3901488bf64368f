import { searchedNumber } from '@app/domain/contacts/searched-number';
import type { BindValue } from '../bind-value.ts';
import { containsPattern, searchedText } from '../contains-pattern.ts';

/** What a search finds: a part of name, number, address or tag, and of a number also as people write it. */
export function searchCondition(term: string, bind: BindValue, column: string): string {
  const asTyped = `${searchedText(column, term)} LIKE lower(${bind(containsPattern(term), 'text')})`;
  const number = searchedNumber(term);
  if (number === null || number === term) return asTyped;
  return `(${asTyped} OR ${searchedText(column, number)} LIKE ${bind(containsPattern(number), 'text')})`;
}
