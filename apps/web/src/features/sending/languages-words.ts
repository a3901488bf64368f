import { languageName } from '../../shared/contacts/contact-languages.ts';
import { t } from '../../shared/messages.ts';
import type { api } from '../../shared/api.ts';

type Languages = NonNullable<Awaited<ReturnType<typeof api.campaigns.preflight>>['languages']>;

/** Where all others are left out, everybody gets the one that was chosen, and nothing is to be counted. */
export function isInSeveral({ counts }: Languages): boolean {
  return counts.length > 1;
}

/** “German 1,200 · English 3,133, of which 40 without a language”: that of everybody else comes last. */
export function languagesText({ main, counts, withoutLanguage }: Languages): string {
  const inOrder = counts.toSorted(
    (one, other) => Number(one.language === main) - Number(other.language === main),
  );
  const text = inOrder
    .map(({ language, count }) =>
      t('sending.languages.count', { language: languageName(language), n: count }),
    )
    .join(' · ');
  return withoutLanguage === 0 ? text : t('sending.languages.without', { text, n: withoutLanguage });
}

/** Why nobody gets a language in which the template is there. */
export function leftOutLanguages({ main, leftOut }: Languages): { language: string; text: string }[] {
  return leftOut.map(({ language, reason }) => ({
    language,
    text: t(`sending.languages.leftOut.${reason}`, {
      ...{ language: languageName(language), main: languageName(main) },
    }),
  }));
}
