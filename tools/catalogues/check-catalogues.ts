import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { readForm, type MessageForm } from './message-form.ts';

/** Words that are the same in English and in these languages, by the English text. */
export type SameWords = Readonly<Record<string, readonly string[]>>;

/** One file: each text in all languages, side by side. */
type Texts = Record<string, Record<string, string>>;

/**
 * Holds every text of these files against its English, and says of each fault in which file, key and language it is.
 */
export function checkCatalogues(
  paths: readonly string[],
  languages: readonly string[],
  sameWords: SameWords,
): string[] {
  const faults: string[] = [];
  for (const path of paths)
    for (const [key, spoken] of Object.entries(readTexts(path)))
      checkSpoken({ spoken, place: `${basename(path)}: ${key}`, languages, sameWords }, faults);
  return faults;
}

function checkSpoken(
  {
    spoken,
    place,
    languages,
    sameWords,
  }: { spoken: Texts[string]; place: string; languages: readonly string[]; sameWords: SameWords },
  faults: string[],
): void {
  const missing = languages.filter((language) => !Object.hasOwn(spoken, language));
  if (missing.length > 0) faults.push(`${place} lacks: ${missing.join(', ')}`);
  const extra = Object.keys(spoken).filter((language) => !languages.includes(language));
  if (extra.length > 0) faults.push(`${place} is in a language that there is not: ${extra.join(', ')}`);
  const { en: original } = spoken;
  if (original === undefined) return;
  const wanted = tryForm(original, `${place} (en)`, faults);
  if (!wanted) return;
  checkPlurals(wanted, 'en', `${place} (en)`, faults);
  for (const language of languages.filter((one) => one !== 'en')) {
    const text = spoken[language];
    if (text === undefined) continue;
    const found = tryForm(text, `${place} (${language})`, faults);
    if (found) checkForm(found, wanted, language, `${place} (${language})`, faults);
    checkText({ text, original, language, place: `${place} (${language})`, sameWords }, faults);
  }
}

function checkForm(
  found: MessageForm,
  wanted: MessageForm,
  language: string,
  place: string,
  faults: string[],
): void {
  const lost = [...wanted.values].filter((value) => !found.values.has(value));
  const gained = [...found.values].filter((value) => !wanted.values.has(value));
  if (lost.length > 0) faults.push(`${place} lost {${lost.join('}, {')}}`);
  if (gained.length > 0) faults.push(`${place} has {${gained.join('}, {')}}, which English has not`);
  const absent = [...wanted.everywhere].filter((value) => !found.everywhere.has(value));
  if (absent.length > 0 && lost.length === 0)
    faults.push(`${place} leaves {${absent.join('}, {')}} out of one of its forms`);
  for (const { value } of wanted.plurals.filter(({ saysNumber }) => saysNumber)) {
    const same = found.plurals.filter((plural) => plural.value === value);
    if (same.length > 0 && same.every(({ saysNumber }) => !saysNumber))
      faults.push(`${place} never says the number #`);
  }
  checkPlurals(found, language, place, faults);
}

/** Of each plural the forms that the language has, no more and no fewer: `=0` and the like beside them. */
function checkPlurals({ plurals }: MessageForm, language: string, place: string, faults: string[]): void {
  const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  for (const { value, cases } of plurals) {
    // With `other` alone nothing bends.
    const lacking = needed.filter((name) => !cases.includes(name));
    if (lacking.length > 0 && cases.length > 1)
      faults.push(`${place} needs the plural form ${lacking.join(', ')} of {${value}}`);
    const unknown = cases.filter((name) => !/^\d+$/.test(name) && !needed.some((one) => one === name));
    if (unknown.length > 0)
      faults.push(`${place} has the plural form ${unknown.join(', ')}, unknown to ${language}`);
  }
}

function checkText(
  {
    text,
    original,
    language,
    place,
    sameWords,
  }: { text: string; original: string; language: string; place: string; sameWords: SameWords },
  faults: string[],
): void {
  const isSame = text === original && /\p{L}/u.test(text.replaceAll(/\{[^}]*\}/g, ''));
  if (isSame && !sameWords[original]?.includes(language))
    faults.push(
      `${place} is still English: “${original}” (or a word of both: tools/catalogues/same-words.ts)`,
    );
  if (text.trim() === '') faults.push(`${place} is empty`);
  if (language === 'fr' && / [:;!?»]|« /.test(text))
    faults.push(`${place} may break before a sign: French has a no-break space there (U+00A0)`);
}

function tryForm(text: string, place: string, faults: string[]): MessageForm | null {
  try {
    return readForm(text);
  } catch (error) {
    faults.push(`${place} is not a valid message (${String(error)})`);
    return null;
  }
}

function readTexts(path: string): Texts {
  return JSON.parse(readFileSync(path, 'utf8')) as Texts;
}
