import { baseLanguage } from '../contacts/contact-language.ts';

/**
 * In which of a message's languages somebody gets it: their own, else another region of it, else the one that the message was chosen in. The
 * same wherever it is asked, so that what was sent can be shown later.
 */
export function chooseLanguage(
  wanted: string | null | undefined,
  main: string,
  others: readonly string[],
): string {
  if (!wanted || wanted === main) return main;
  if (others.includes(wanted)) return wanted;
  const base = baseLanguage(wanted);
  if (baseLanguage(main) === base) return main;
  const related = others.filter((code) => baseLanguage(code) === base);
  return related.includes(base) ? base : (related.toSorted()[0] ?? main);
}
