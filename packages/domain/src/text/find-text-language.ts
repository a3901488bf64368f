import { interfaceLanguages, type InterfaceLanguage } from './interface-language.ts';

/** Short words that most sentences have, without accents. A word of several languages counts for each of them. */
const commonWords: Record<InterfaceLanguage, string> = {
  en: `a an and are at be but by can could do does for from have how i if in is it my not of on or our please that the there this to was we what when where which
    will with would you your`,
  es: `al con cual cuando cuanto como de del donde el en es esta este hay la las lo los mi muy no nos nuestra nuestro o para pero por puede puedo que se si su
    sus tiene tienen un una y`,
  fr: `au aux avec ce ces cette comment dans de des du elle en est et il je la le les ma mes mon nos notre nous on ou par pas pour pouvez quand que quel quelle
    qui sont sur un une vos votre vous`,
  de: `aber an auch auf aus bei bitte das dass dem den der die ein eine einen es fur gibt haben hat ich ihr ihre im in ist kann konnen mein mit nach nicht noch oder
    sehr sich sie sind uns unser und von wann was wie wir wo zu zum zur`,
  pt: `a ao as até com como da de do e ela ele em entre essa esta este eu faz ha isso mais meu minha na nao no nos nossa nosso o onde os ou para pela pelo por
    posso qual quando que se sem seu sua tem um uma voce voces`,
};

const languages = interfaceLanguages.map((language) => ({
  language,
  words: new Set(commonWords[language].split(/\s+/).map(fold)),
}));

/** Fewer common words than that say nothing. */
const LEAST_WORDS = 3;
/** A text of another language has few of them by chance, and a relative such as Portuguese of Spanish about half. */
const LEAD = 1.5;

/** Which of the five languages a text is in; null where it is short, mixed, or in another language. */
export function findTextLanguage(text: string): InterfaceLanguage | null {
  const words = fold(text).match(/\p{L}+/gu) ?? [];
  const [first, second] = languages
    .map(({ language, words: common }) => ({
      language,
      count: words.filter((word) => common.has(word)).length,
    }))
    .toSorted((one, other) => other.count - one.count);
  if (!first || !second) return null;
  return first.count >= LEAST_WORDS && first.count >= second.count * LEAD ? first.language : null;
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
