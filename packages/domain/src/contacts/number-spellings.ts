/**
 * Numbers (E.164) that are dialled, stored and told by the platform in two spellings. Sources: the numbering plans at the ITU
 * (Brazil's ninth digit, 2012 to 2016; Mexico, August 2019; Argentina's 9 of calls from abroad; Ivory Coast, 31 January 2021; Benin, 30 November 2024)
 * and the documentation of the messaging platform, by which Brazilian and Mexican ids may differ from the number that was sent to. `phone_key` of the database says the same.
 */
type Rule = { other: RegExp; key(parts: readonly string[]): string; spellings(key: string): string[] };

const rules: readonly Rule[] = [
  {
    // Brazil: mobile numbers have nine digits behind the area code; eight of them begin with 6 to 9.
    other: /^\+55(\d\d)([6-9]\d{7})$/,
    key: ([area, number]) => `+55${area}9${number}`,
    spellings: (key) => besides(key, /^\+55(\d\d)9([6-9]\d{7})$/, '+55$1$2'),
  },
  {
    other: /^\+521(\d{10})$/,
    key: ([number]) => `+52${number}`,
    spellings: (key) => besides(key, /^\+52(\d{10})$/, '+521$1'),
  },
  {
    other: /^\+549(\d{10})$/,
    key: ([number]) => `+54${number}`,
    spellings: (key) => besides(key, /^\+54(\d{10})$/, '+549$1'),
  },
  {
    // Ivory Coast: two digits for the operator stand before the eight of before; the second of those told it, on landlines the third.
    other: /^\+225(\d{8})$/,
    key: ([number = '']) => `+225${ivorianOperator(number)}${number}`,
    spellings: (key) => {
      const [, operator = '', number = ''] = /^\+225(\d\d)(\d{8})$/.exec(key) ?? [];
      return operator !== '' && ivorianOperator(number) === operator ? [`+225${number}`] : [];
    },
  },
  {
    other: /^\+229(\d{8})$/,
    key: ([number]) => `+22901${number}`,
    spellings: (key) => besides(key, /^\+22901(\d{8})$/, '+229$1'),
  },
];

function besides(key: string, pattern: RegExp, spelling: string): string[] {
  return pattern.test(key) ? [key.replace(pattern, spelling)] : [];
}

/** 01, 21: Moov; 05, 25: MTN; 07, 27: Orange. */
function ivorianOperator(number: string): string {
  const place = Number(number[/^[23]/.test(number) ? 2 : 1]);
  if (/^[23]/.test(number)) return place === 8 ? '21' : place === 0 ? '25' : '27';
  return place <= 3 ? '01' : place <= 6 ? '05' : '07';
}

/** The one spelling by which numbers are compared; a number that has no other one is its own. */
export function identityOfNumber(phone: string): string {
  for (const { other, key } of rules) {
    const found = other.exec(phone);
    if (found) return key(found.slice(1));
  }
  return phone;
}

/** All spellings of a number, as it was given first. Any other identifier stands for itself. */
export function spellingsOf(identifier: string): string[] {
  const key = identityOfNumber(identifier);
  return [...new Set([identifier, key, ...rules.flatMap(({ spellings }) => spellings(key))])];
}

/** The same without the number itself; the plus of a number that is searched for may be missing. */
export function otherSpellingsOf(number: string): string[] {
  const plus = number.startsWith('+') ? '' : '+';
  return spellingsOf(`${plus}${number}`)
    .slice(1)
    .map((one) => one.slice(plus.length));
}
