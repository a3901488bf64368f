import {
  readImportedConsent,
  speaksOfOtherChannel,
  type ImportedConsent,
} from '@app/domain/contact-imports/import-consent';
import { rowProblem, type RowProblem } from '@app/domain/contact-imports/import-problems';
import type { PhoneCountry } from '@app/domain/contacts/phone-country';
import { cleanText } from '@app/domain/contacts/contact';
import { readCountryName } from '@app/domain/contacts/country-name';
import { splitNumbers } from '@app/domain/contacts/written-number';
import { isMobileNumber, readNumberOf, validateNumber } from '../../contacts/phone-number.ts';
import type { SourceRow } from '../reading/source-row.ts';
import type { ImportChoices } from '../import-run.ts';

/** What a spreadsheet leaves of a long number: 4.91512E+11. */
const ROUNDED = /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i;

type ChosenPhone = {
  written: string;
  number: string | null;
  isRounded: boolean;
  /** It could have been read as that of another country, too. */
  isAmbiguous: boolean;
  /** That the row says. */
  country: PhoneCountry | undefined;
};

/** How the numbers of a file are read. */
type NumberReading = Pick<ImportChoices, 'country' | 'twofold'>;

type Phones = Pick<SourceRow, 'phone' | 'otherPhones' | 'country'>;

/**
 * Of a row's numbers the first that people carry along, else the first that is one, else the first that is written there. What has no code is of the country
 * that the row says, else of that of the file.
 */
export function choosePhone(source: Phones, reading: NumberReading): ChosenPhone {
  const ofRow = readCountryName(readWritten(source.country)) ?? undefined;
  const cells = [source.phone, ...(source.otherPhones ?? [])].map(readWritten).filter((text) => text !== '');
  const read = (text: string): ChosenPhone => ({
    ...(ofRow
      ? { number: readNumberOf(ofRow, text), isAmbiguous: false }
      : validateNumber(text, reading.country, reading.twofold)),
    ...{ written: text, isRounded: false, country: ofRow },
  });
  const found = cells.map((cell) => {
    const whole = read(cell);
    const parts = whole.number === null ? splitNumbers(cell) : [];
    return parts.length > 1 ? parts.map(read) : [whole];
  });
  const numbers = found.map((cell) => cell.filter(({ number }) => number !== null));
  // A cell with one number alone is where somebody said by which the person is reached.
  const said = numbers.find((cell) => cell.length > 0) ?? [];
  const best =
    said.length === 1
      ? said[0]
      : (numbers.flat().find(({ number }) => number !== null && isMobileNumber(number)) ?? said[0]);
  if (best) return best;
  const [written = ''] = cells;
  return { written, number: null, isRounded: ROUNDED.test(written), isAmbiguous: false, country: ofRow };
}

/** Whatever else is wrong with the row: by its number it goes when the person is erased, and its opt-out finds its person. */
export function findPhone(source: SourceRow, reading: NumberReading): string | null {
  return choosePhone(source, reading).number ?? choosePhone(source.fromEnd ?? {}, reading).number;
}

function readWritten(value: unknown): string {
  // Lines of a cell part several numbers.
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
  return cleanText(text.replaceAll(/\s*[\r\n]+\s*/g, ' ; ').replace(/^(?: ; )+|(?: ; )+$/g, ''));
}

/** What is recorded of a row about marketing: a yes only where whoever imports states that people agreed, or that everybody did. */
export function readSaid(
  source: SourceRow,
  { isConsentStated, coversOtherChannels, statedConsent }: ImportChoices,
  at: Date,
): ImportedConsent | RowProblem | null {
  const said = readImportedConsent(source, at);
  if (said && 'unclear' in said)
    return rowProblem(said.unclear === 'consent' ? 'unclear_consent' : 'unclear_opt_out');
  if (said?.kind === 'opt_out') return said;
  const isOfOther = source.consentIn !== undefined && speaksOfOtherChannel(source.consentIn);
  if (said && isConsentStated && (!isOfOther || coversOtherChannels)) return said;
  if (!statedConsent) return null;
  const { where, on } = statedConsent;
  return { kind: 'opt_in', words: where, saidOn: new Date(`${on}T00:00:00Z`) };
}
