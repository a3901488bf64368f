import type { BindValue } from '../bind-value.ts';

/** Whose language is this one, as a condition on `alias`: of a language without a region all of them are meant; `none` is no language. */
export function languageCondition(language: string, bind: BindValue, alias: string): string {
  if (language === 'none') return `${alias}.language IS NULL`;
  // Comparisons that `contacts_by_language` answers also behind row-level guards, where no function of the column may come first.
  const column = `${alias}.language COLLATE "C"`;
  const isIt = `${column} = ${bind(language, 'text')}`;
  if (language.includes('_')) return isIt;
  // Behind the underscore comes the backtick.
  return `(${isIt} OR (${column} >= ${bind(`${language}_`, 'text')} AND ${column} < ${bind(`${language}\``, 'text')}))`;
}
