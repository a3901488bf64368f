/** A text that a catalogue holds, compiled from ICU MessageFormat: words, `#`, and places for values. */
export type Message = readonly (string | Place)[];
type Place = readonly [value: string, kind?: string, cases?: Readonly<Record<string, Message | number>>];

export type Messages = Readonly<Record<string, Message>>;

const numbers = new Map<string, Intl.NumberFormat>();
const plurals = new Map<string, Intl.PluralRules>();

/** A message with its values, numbers and plural forms as the language has them. A value that is not there says nothing. */
export function sayMessage(
  message: Message,
  values: Readonly<Record<string, string | number | boolean>>,
  language: string,
  counted?: number,
): string {
  return message
    .map((part) => {
      if (typeof part === 'string')
        return part === '#' && counted !== undefined ? sayNumber(counted, language) : part;
      const [name, kind, cases] = part;
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined) return '';
      if (cases === undefined) return kind === 'number' ? sayNumber(Number(value), language) : String(value);
      const number = kind === 'plural' ? Number(value) : counted;
      const chosen = chooseCase(
        cases,
        String(value),
        kind === 'plural' ? Number(value) : undefined,
        language,
      );
      return sayMessage(chosen, values, language, number);
    })
    .join('');
}

/** The case of exactly this value, else the plural form of the number, else `other`. */
function chooseCase(
  cases: Readonly<Record<string, Message | number>>,
  value: string,
  number: number | undefined,
  language: string,
): Message {
  const names = [value, ...(number === undefined ? [] : [pluralRules(language).select(number)]), 'other'];
  const found = names.find((name) => Object.hasOwn(cases, name) && typeof cases[name] === 'object');
  const chosen = cases[found ?? 'other'];
  return typeof chosen === 'object' ? chosen : [];
}

function sayNumber(number: number, language: string): string {
  const known = numbers.get(language) ?? new Intl.NumberFormat(language);
  numbers.set(language, known);
  return known.format(number);
}

function pluralRules(language: string): Intl.PluralRules {
  const known = plurals.get(language) ?? new Intl.PluralRules(language);
  plurals.set(language, known);
  return known;
}
