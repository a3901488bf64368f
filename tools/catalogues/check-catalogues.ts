import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readForm, type MessageForm } from './message-form.ts';

/** Words that are the same in English and in these languages, by the English text. */
export type SameWords = Readonly<Record<string, readonly string[]>>;

type Texts = Record<string, string>;

/**
 * Holds the catalogues of a folder (`<language>/<feature>.json`) against its English ones, and says of each fault in which
 * file and key it is.
 */
export function checkCatalogues(
  folder: string,
  languages: readonly string[],
  sameWords: SameWords,
): string[] {
  const faults: string[] = [];
  for (const file of readdirSync(join(folder, 'en'))) {
    const english = readTexts(join(folder, 'en', file));
    const forms = new Map(
      Object.entries(english).flatMap(([key, text]) => {
        const form = tryForm(text, `en/${file}: ${key}`, faults);
        return form ? [[key, form] as const] : [];
      }),
    );
    for (const [key, form] of forms) checkPlurals(form, 'en', `en/${file}: ${key}`, faults);
    for (const language of languages.filter((one) => one !== 'en')) {
      const path = join(folder, language, file);
      const texts = existsSync(path) ? readTexts(path) : {};
      const place = `${language}/${file}`;
      const missing = Object.keys(english).filter((key) => !Object.hasOwn(texts, key));
      if (missing.length > 0) faults.push(`${place} lacks: ${missing.join(', ')}`);
      const extra = Object.keys(texts).filter((key) => !Object.hasOwn(english, key));
      if (extra.length > 0) faults.push(`${place} has what English has not: ${extra.join(', ')}`);
      for (const [key, text] of Object.entries(texts)) {
        const [wanted, original] = [forms.get(key), english[key]];
        if (!wanted || original === undefined) continue;
        const found = tryForm(text, `${place}: ${key}`, faults);
        if (found) checkForm(found, wanted, language, `${place}: ${key}`, faults);
        checkText({ text, original, language, place: `${place}: ${key}`, sameWords }, faults);
      }
    }
  }
  for (const language of languages) {
    const strange = (existsSync(join(folder, language)) ? readdirSync(join(folder, language)) : []).filter(
      (file) => !existsSync(join(folder, 'en', file)),
    );
    for (const file of strange) faults.push(`${language}/${file} is no catalogue of English`);
  }
  return faults;
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
