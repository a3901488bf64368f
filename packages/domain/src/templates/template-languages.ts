/** Why a language of a template is none of those that a message is sent in. */
export const languageObstacles = ['not_sendable', 'other_category', 'other_placeholders'] as const;
export type LanguageObstacle = (typeof languageObstacles)[number];

export type LeftOutLanguage = { language: string; reason: LanguageObstacle };

type InLanguage = {
  /** As the platform calls it. */
  language: string;
  isMarketing: boolean;
  /** What it leaves to be filled. */
  placeholders: readonly string[];
  /** It may go out as things stand. */
  isSendable: boolean;
};

/** Filled for everybody, whoever chose what for the others. */
const ALWAYS_FILLED = ['name', 'first_name', 'phone', 'business'];

/**
 * Which of the others can stand in for a template, by their places: one for each language, the first that can. It is filled as the
 * template is, and may not reach people whom the template would not: nobody who wants no marketing gets it by their language.
 */
export function validateLanguages(
  main: InLanguage,
  others: readonly InLanguage[],
): { chosen: number[]; leftOut: LeftOutLanguage[] } {
  const filled = new Set([...ALWAYS_FILLED, ...main.placeholders]);
  const obstacleOf = (one: InLanguage): LanguageObstacle | null => {
    if (!one.isSendable) return 'not_sendable';
    if (one.isMarketing !== main.isMarketing) return 'other_category';
    return one.placeholders.every((name) => filled.has(name)) ? null : 'other_placeholders';
  };
  const judged = others
    .map((one, at) => ({ at, language: one.language, reason: obstacleOf(one) }))
    .filter(({ language }) => language !== main.language);
  const chosen = judged.filter(
    ({ language, reason }, at) =>
      reason === null && judged.findIndex((one) => one.language === language && one.reason === null) === at,
  );
  const leftOut = judged.filter(
    ({ language }, at) =>
      chosen.every((one) => one.language !== language) &&
      judged.findIndex((one) => one.language === language) === at,
  );
  return {
    chosen: chosen.map(({ at }) => at),
    leftOut: leftOut.flatMap(({ language, reason }) => (reason === null ? [] : [{ language, reason }])),
  };
}
