import { writeCustomValue, type CustomFieldType, type CustomValues } from '../custom-fields/custom-field.ts';
import { chooseLanguage } from './choose-language.ts';
import type { MessageContent } from '../messaging/message-content.ts';
import { cleanParameterText } from '../messaging/template-filling.ts';
import { findVariables } from '../messaging/template-variables.ts';
import type { CountedLink } from '../links/counted-link.ts';

/** A campaign's message as frozen at its start: content with `{{word}}` placeholders and what fills them. */
export type RunMessage = {
  content: MessageContent;
  /** By placeholder name. Names that are missing here and are not contact fields have no value. */
  variables: Readonly<Record<string, RunVariable>>;
  businessName: string;
  /** In which values are written out, of a message that is no template. */
  language?: string;
  /** The same message in other languages, by their codes: whoever wants one of them gets that one. */
  inLanguages?: Readonly<Record<string, MessageContent>>;
  /** The channel delivers it only within so many seconds of its sending: then something else follows. */
  timeLimitSeconds?: number;
  /** A person confirmed that placeholders without a value leave as they are written. Otherwise such a recipient fails. */
  allowsMissingValues?: boolean;
  /** Links that lead through the product, by the placeholders that stand for them. */
  links?: Readonly<Record<string, CountedLink>>;
  /** Of an A/B test: what the variants from the second on say instead. The first is the message itself. */
  variants?: readonly MessageVariant[];
};

/** The part of a message in which the variants of a test differ. */
export type MessageVariant = Pick<RunMessage, 'content' | 'variables' | 'language' | 'inLanguages' | 'links'>;

/** `fallback` stands in for people without a value. */
export type RunVariable =
  | { field: ContactField; fallback?: string | undefined }
  /** By id. The type is set when the run starts, so that a day can be written out. */
  | { customField: string; type?: CustomFieldType | undefined; fallback?: string | undefined }
  | { text: string };

export const contactFields = ['name', 'first_name', 'phone', 'email', 'business'] as const;
export type ContactField = (typeof contactFields)[number];

/** Whether anybody can have a value for a placeholder: it is a field of contacts, or something was chosen for it. */
export function hasOwnValue(name: string, variables: RunMessage['variables']): boolean {
  const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (variable && 'text' in variable) return variable.text.trim() !== '';
  return variable !== undefined || contactFields.some((field) => field === name);
}

export type RecipientFacts = {
  name: string;
  phone: string;
  email: string | null;
  /** Only there when the message needs them. */
  customValues?: CustomValues | null | undefined;
  /** In which they want it, where the message has several; as it was when the run began. */
  language?: string | null | undefined;
  /** What is written for a counted link; without it the message is only shown, and has the target itself. */
  writeLink?: ((link: CountedLink) => string) | undefined;
  /** Which variant of a test is theirs, from 0; the message itself without one. */
  variant?: number | null | undefined;
};

const placeholder = /\{\{\s*(\w+)\s*\}\}/g;

/**
 * Prepares a message once, to be filled for many people. Only `{{word}}` is replaced, once: a value that looks like a
 * placeholder stays as it is.
 */
export function compileRunMessage(message: RunMessage): (person: RecipientFacts) => MessageContent {
  return forEachVariant(message, compileVariant);
}

/** The message as those get it whose variant this is. */
export function variantOf(message: RunMessage, variant: number | null | undefined): RunMessage {
  const { variants, ...main } = message;
  const own = variant ? variants?.[variant - 1] : undefined;
  if (!own) return main;
  const { language: _, inLanguages: __, links: ___, ...shared } = main;
  return { ...shared, ...own };
}

function forEachVariant<Result>(
  message: RunMessage,
  compile: (message: RunMessage) => (person: RecipientFacts) => Result,
): (person: RecipientFacts) => Result {
  const main = compile(variantOf(message, null));
  const others = (message.variants ?? []).map((_, index) => compile(variantOf(message, index + 1)));
  return (person) => ((person.variant ? others[person.variant - 1] : undefined) ?? main)(person);
}

function compileVariant(message: RunMessage): (person: RecipientFacts) => MessageContent {
  const { inLanguages } = message;
  if (!inLanguages) return compileLanguage(message);
  const main = compileLanguage(message);
  const others = new Map(
    Object.keys(inLanguages).map((code) => [code, compileLanguage(messageIn(message, code))] as const),
  );
  return (person) => (others.get(languageFor(message, person.language)) ?? main)(person);
}

/** The code of the language in which somebody gets the message. */
export function languageFor(
  message: Pick<RunMessage, 'content' | 'language' | 'inLanguages'>,
  wanted: string | null | undefined,
): string {
  return chooseLanguage(wanted, mainLanguage(message), Object.keys(message.inLanguages ?? {}));
}

/** Whether somebody gets another language than the one that the message was chosen in. */
export function isInOther(
  message: Pick<RunMessage, 'content' | 'language' | 'inLanguages'>,
  wanted: string | null | undefined,
): boolean {
  return languageFor(message, wanted) !== mainLanguage(message);
}

/** The same message in one of its languages alone. */
export function messageIn(message: RunMessage, language: string): RunMessage {
  const { inLanguages = {}, ...main } = message;
  const content = Object.hasOwn(inLanguages, language) ? inLanguages[language] : undefined;
  return content ? { ...main, content, language } : main;
}

function mainLanguage({ content, language = 'en' }: Pick<RunMessage, 'content' | 'language'>): string {
  return content.type === 'template' ? content.language : language;
}

function compileLanguage(message: RunMessage): (person: RecipientFacts) => MessageContent {
  const fill = compilePart(message.content, message, writerOf(message.content));
  return fill === null ? () => message.content : (person) => fill(person) as MessageContent;
}

/**
 * Prepares the search for a placeholder that has no value for a person: the name of the first one, or null. It is always null when the message
 * allows missing values.
 */
export function compileMissingValue(message: RunMessage): (person: RecipientFacts) => string | null {
  if (message.allowsMissingValues) return () => null;
  return forEachVariant(message, compileMissingOfVariant);
}

function compileMissingOfVariant(message: RunMessage): (person: RecipientFacts) => string | null {
  const codes = Object.keys(message.inLanguages ?? {});
  const names = new Map(codes.map((code) => [code, namesIn(messageIn(message, code).content)] as const));
  const main = namesIn(message.content);
  return (person) => {
    const asked = codes.length > 0 ? (names.get(languageFor(message, person.language)) ?? main) : main;
    return asked.find((name) => valueOf(name, '', message, person).from === 'nothing') ?? null;
  };
}

/** The placeholders of every text of a message, each once. */
function namesIn(part: unknown): string[] {
  if (typeof part === 'string') return findVariables(part);
  if (typeof part !== 'object' || part === null) return [];
  return [...new Set(Object.values(part).flatMap(namesIn))];
}

/** What stands in place of a placeholder: a value of the person or of everybody, what stands in for one, or nothing, and it goes out as it is written. */
export type FilledPlaceholder = { text: string; from: 'value' | 'instead' | 'nothing' };

/** What each of these placeholders becomes for a person, by the rules of the message that is sent. */
export function fillPlaceholders(
  message: RunMessage,
  names: readonly string[],
  person: RecipientFacts,
): Record<string, FilledPlaceholder> {
  return Object.fromEntries(
    names.map((name) => [name, valueOf(name, `{{${name}}}`, message, person)] as const),
  );
}

/** Whether it has to be known in which language each person wants this message. */
export function hasLanguages({
  inLanguages,
  variants = [],
}: Pick<RunMessage, 'inLanguages' | 'variants'>): boolean {
  return inLanguages !== undefined || variants.some((one) => one.inLanguages !== undefined);
}

/** Whether custom values have to be read for this message. */
export function needsCustomValues({
  variables,
  variants = [],
}: Pick<RunMessage, 'variables' | 'variants'>): boolean {
  return [variables, ...variants.map((one) => one.variables)].some((of) =>
    Object.values(of).some((variable) => 'customField' in variable),
  );
}

type Fill = (person: RecipientFacts) => unknown;
/** How a value is written at its place. */
type Write = (value: string) => string;

const asItIs: Write = (value) => value;

/** The platform refuses parameters of a template that have line breaks. */
function writerOf({ type }: MessageContent): Write {
  return type === 'template' ? cleanParameterText : asItIs;
}

/** Null when the part holds no placeholder and can be shared by everyone. */
function compilePart(part: unknown, message: RunMessage, write: Write): Fill | null {
  if (typeof part === 'string') return compileText(part, message, write);
  if (Array.isArray(part)) {
    const fills = part.map((item) => compilePart(item, message, write));
    if (fills.every((fill) => fill === null)) return null;
    return (person) => part.map((item, index) => fills[index]?.(person) ?? item);
  }
  if (typeof part !== 'object' || part === null) return null;
  const fills = Object.entries(part)
    .map(([key, value]) => [key, compilePart(value, message, key === 'suffix' ? inAddress : write)] as const)
    .filter((entry): entry is readonly [string, Fill] => entry[1] !== null);
  if (fills.length === 0) return null;
  return (person) => {
    const filled: Record<string, unknown> = { ...part };
    for (const [key, fill] of fills) filled[key] = fill(person);
    return filled;
  };
}

/** The end of the address of a button. */
const inAddress: Write = (value) => encodeURIComponent(value.trim().toWellFormed());

function compileText(text: string, message: RunMessage, write: Write): Fill | null {
  if (!text.includes('{{')) return null;
  return (person) =>
    text.replace(placeholder, (raw, name: string) => {
      const { text: value, from } = valueOf(name, raw, message, person);
      return from === 'nothing' ? value : write(value);
    });
}

function valueOf(name: string, raw: string, message: RunMessage, person: RecipientFacts): FilledPlaceholder {
  const { links = {} } = message;
  const link = Object.hasOwn(links, name) ? links[name] : undefined;
  if (link) return { text: person.writeLink?.(link) ?? link.target, from: 'value' };
  const variable = Object.hasOwn(message.variables, name) ? message.variables[name] : undefined;
  if (variable && 'text' in variable) return firstOf({ value: variable.text, raw });
  const instead = variable?.fallback;
  if (variable && 'customField' in variable)
    return firstOf({ value: customText(variable, message, person), instead, raw });
  const field = variable?.field ?? name;
  if (field === 'name') return firstOf({ value: person.name.trim(), instead: instead || person.phone, raw });
  if (field === 'first_name')
    return firstOf({ value: firstName(person.name), instead: instead || person.phone, raw });
  return firstOf({ value: fieldText(field, message, person), instead, raw });
}

/** How people are spoken to: of “Dr. Ann Wye” and “Wye, Ann” it is Ann. */
export function firstName(name: string): string {
  const [last = '', ...rest] = name.split(',');
  const words = (rest.join(' ').trim() || last).trim().split(/\s+/u);
  return words.find((word) => !word.endsWith('.')) ?? words[0] ?? '';
}

type Candidates = { value: string | null; instead?: string | undefined; raw: string };

function firstOf({ value, instead, raw }: Candidates): FilledPlaceholder {
  if (value?.trim()) return { text: value, from: 'value' };
  return instead?.trim() ? { text: instead, from: 'instead' } : { text: raw, from: 'nothing' };
}

function fieldText(field: string, { businessName }: RunMessage, person: RecipientFacts): string | null {
  if (field === 'phone') return person.phone;
  if (field === 'email') return person.email;
  return field === 'business' ? businessName : null;
}

/** As people write it in the language of the template: a day written out, the decimal sign of the country. */
function customText(
  { customField, type }: { customField: string; type?: CustomFieldType | undefined },
  message: RunMessage,
  { customValues }: RecipientFacts,
): string {
  const value =
    customValues && Object.hasOwn(customValues, customField) ? customValues[customField] : undefined;
  if (value === undefined) return '';
  const language = mainLanguage(message);
  if (typeof value === 'boolean') return yesNoWords(language)[value ? 0 : 1];
  if (typeof value === 'number') return formatsOf(language).number.format(value);
  const day = type === 'date' ? Date.parse(`${value}T00:00:00Z`) : NaN;
  // What is no day, such as a value of before its field was one for days, leaves as it is.
  return Number.isNaN(day) ? writeCustomValue(value) : formatsOf(language).day.format(day);
}

const YES_NO: Readonly<Record<string, readonly [string, string]>> = {
  en: ['yes', 'no'],
  es: ['sí', 'no'],
  fr: ['oui', 'non'],
  de: ['ja', 'nein'],
  pt: ['sim', 'não'],
};

function yesNoWords(language: string): readonly [string, string] {
  const [base = ''] = language.split('_');
  return (Object.hasOwn(YES_NO, base) ? YES_NO[base] : undefined) ?? ['yes', 'no'];
}

type Formats = { day: Intl.DateTimeFormat; number: Intl.NumberFormat };
/** Making one costs more than a thousand uses. */
const knownFormats = new Map<string, Formats>();

function formatsOf(language: string): Formats {
  const known = knownFormats.get(language);
  if (known) return known;
  const locale = localeOf(language);
  const formats = {
    day: new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC', calendar: 'gregory' }),
    number: new Intl.NumberFormat(locale, { useGrouping: false, maximumSignificantDigits: 15 }),
  };
  knownFormats.set(language, formats);
  return formats;
}

/** Platform codes look like `en_GB`; one that no browser knows is written as English. */
function localeOf(language: string): string {
  try {
    return Intl.getCanonicalLocales(language.replaceAll('_', '-'))[0] ?? 'en';
  } catch {
    return 'en';
  }
}
