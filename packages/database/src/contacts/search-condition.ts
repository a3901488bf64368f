import { otherSpellingsOf } from '@app/domain/contacts/number-spellings';
import { readableTerm, searchedNumber } from '@app/domain/contacts/searched-number';
import type { BindValue } from '../bind-value.ts';
import { containsPattern, searchedText } from '../contains-pattern.ts';

/** What a search finds: a part of name, number, address or tag, and of a number also as people write it, and in its other spelling. */
export function searchCondition(typed: string, bind: BindValue, column: string): string {
  const term = readableTerm(typed);
  const asTyped = `${searchedText(column, term)} LIKE lower(${bind(containsPattern(term), 'text')})`;
  const number = searchedNumber(term);
  const numbers = number === null ? [] : [number, ...otherSpellingsOf(number)].filter((one) => one !== term);
  const asNumbers = numbers.map(
    (one) => `${searchedText(column, one)} LIKE ${bind(containsPattern(one), 'text')}`,
  );
  return asNumbers.length === 0 ? asTyped : `(${[asTyped, ...asNumbers].join(' OR ')})`;
}
