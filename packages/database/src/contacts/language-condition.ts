import type { BindValue } from '../bind-value.ts';

/** Whose language is this one, as a condition on `alias`: of a language without a region all of them are meant; `none` is no language. */
export function languageCondition(language: string, bind: BindValue, alias: string): string {
  if (language === 'none') return `${alias}.language IS NULL`;
  const column = language.includes('_') ? `${alias}.language` : `split_part(${alias}.language, '_', 1)`;
  return `${column} = ${bind(language, 'text')}`;
}
