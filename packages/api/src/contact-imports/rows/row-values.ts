import {
  readImportedConsent,
  speaksOfOtherChannel,
  type ImportedConsent,
} from '@app/domain/contact-imports/import-consent';
import { rowProblem, type RowProblem } from '@app/domain/contact-imports/import-problems';
import { cleanText } from '@app/domain/contacts/contact';
import { validateNumber } from '../../contacts/phone-number.ts';
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
};

/** How the numbers of a file are read. */
type NumberReading = Pick<ImportChoices, 'country' | 'twofold'>;

/** The first of a row's numbers that is one, else the first that is written there. */
export function choosePhone(
  { phone, otherPhones = [] }: Pick<SourceRow, 'phone' | 'otherPhones'>,
  { country, twofold }: NumberReading,
): ChosenPhone {
  const written = [phone, ...otherPhones].map(readWritten).filter((text) => text !== '');
  for (const text of written) {
    const { number, isAmbiguous } = validateNumber(text, country, twofold);
    if (number !== null) return { written: text, number, isRounded: false, isAmbiguous };
  }
  const [first = ''] = written;
  return { written: first, number: null, isRounded: ROUNDED.test(first), isAmbiguous: false };
}

/** Whatever else is wrong with the row: by its number it goes when the person is erased, and its opt-out finds its person. */
export function findPhone(source: SourceRow, reading: NumberReading): string | null {
  return choosePhone(source, reading).number ?? choosePhone(source.fromEnd ?? {}, reading).number;
}

function readWritten(value: unknown): string {
  return cleanText(typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '');
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
