/** Signs, with letters before them as in R$ or US$; codes of three letters; and what is written for money without a sign. */
const CURRENCY = String.raw`[A-Z]{0,2}\p{Sc}|[A-Za-z]{3}|kr\.?|zł|Kč|Ft|Fr\.?`;
const BEFORE = new RegExp(String.raw`^([+-]?) ?(${CURRENCY}) ?(?=[+\-.\d])`, 'u');
const BEHIND = new RegExp(String.raw`(?<=\d) ?(${CURRENCY})$`, 'u');
const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;
/** 1 234,50 and 1'234.50: such marks stand between thousands and nowhere else. */
const SPACED = /^[+-]?[1-9]\d{0,2}([ '’])\d{3}(\1\d{3})*([.,]\d+)?$/;
/** As German, French, Spanish or Portuguese files have it: 9,50 and 1.234,50. */
const WITH_COMMA = /^[+-]?(\d+|\d{1,3}(\.\d{3})+),\d+$/;
/** As English files have it: 1,234.50. */
const WITH_COMMAS_AND_DOT = /^[+-]?[1-9]\d{0,2}(,\d{3})+\.\d+$/;
/** A comma before three digits may stand between thousands as well; nobody knows. */
const PERHAPS_THOUSANDS = /^[+-]?[1-9]\d{0,2},\d{3}$/;
/** Of money a dot may, too. */
const PERHAPS_THOUSANDS_OF_MONEY = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;

/** What somebody wrote as a number, as programs write it; undefined where it is none, or can be two. */
export function readWrittenNumber(written: string): string | undefined {
  const { amount, isMoney } = dropCurrency(written);
  if ((isMoney ? PERHAPS_THOUSANDS_OF_MONEY : PERHAPS_THOUSANDS).test(amount)) return undefined;
  const joined = SPACED.test(amount) ? amount.replaceAll(/[ '’]/g, '') : amount;
  const text = WITH_COMMA.test(joined)
    ? joined.replaceAll('.', '').replace(',', '.')
    : WITH_COMMAS_AND_DOT.test(joined)
      ? joined.replaceAll(',', '')
      : joined;
  return PLAIN.test(text) ? text : undefined;
}

/** Before or behind the amount, not both. */
function dropCurrency(written: string): { amount: string; isMoney: boolean } {
  const [before, sign = '', first] = BEFORE.exec(written) ?? [];
  if (before !== undefined && isCurrency(first))
    return { amount: sign + written.slice(before.length), isMoney: true };
  const [behind, last] = BEHIND.exec(written) ?? [];
  return behind !== undefined && isCurrency(last)
    ? { amount: written.slice(0, -behind.length), isMoney: true }
    : { amount: written, isMoney: false };
}

function isCurrency(text: string | undefined): boolean {
  return text !== undefined && (!/^[A-Za-z]{3}$/.test(text) || CODES.has(text.toUpperCase()));
}
