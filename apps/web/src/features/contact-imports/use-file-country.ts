import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { guessFileCountry } from '@app/domain/contact-imports/file-country';
import type { PhoneCountry } from '@app/domain/contacts/phone-country';
import { lacksCode } from '@app/domain/contacts/written-code';
import { homeCountryOptions } from '../../shared/contacts/contacts-queries.ts';
import { findKeptCountry, keepCountry } from './kept-country.ts';
import { findLikelyCountry } from './likely-country.ts';

/** `whole`: numbers without + or 00 begin with their country code all the same. */
type Chosen = PhoneCountry | '' | 'whole';

/**
 * Of which country the numbers of a file without a code are: as chosen, as the file says, as it was last chosen here, as the workspace says. Where
 * none of them says it, it is asked for: read by their first digits they would be the numbers of strangers.
 */
export function useFileCountry(first: readonly string[], others: readonly string[]) {
  const home = useQuery(homeCountryOptions);
  const [kept] = useState(findKeptCountry);
  const [chosen, setChosen] = useState<Chosen>();
  const ofFile = useMemo(() => guessFileCountry(first), [first]);
  const known = kept ?? home.data?.country ?? undefined;
  const unchosen = ofFile?.isCertain ? ofFile.country : known;
  const country = chosen === '' || chosen === 'whole' ? undefined : (chosen ?? unchosen);
  const withoutCode = useMemo(() => [...first, ...others].filter(lacksCode), [first, others]);
  const isLoading = home.isLoading && unchosen === undefined;
  const isOpen = withoutCode.length > 0 && !isLoading && (unchosen === undefined || country === undefined);
  const likely = useMemo(
    () => (isOpen ? (known ?? findLikelyCountry() ?? ofFile?.country) : undefined),
    [isOpen, ofFile, known],
  );
  return {
    /** Where numbers without a country code are from. */
    country,
    setCountry: (next: PhoneCountry | '') => setChosen(next),
    /** What the file's own country codes say, where the workspace would say another. */
    countryOfFile: ofFile && ofFile.country !== known ? ofFile.country : undefined,
    /** It stands there as it was last chosen in this browser. */
    isKeptCountry: chosen === undefined && kept !== undefined && country === kept,
    /** Numbers of which only people can say the country, and which one is proposed; undefined where that is known. */
    withoutCode: isOpen ? { numbers: withoutCode, likely } : undefined,
    isWhole: chosen === 'whole',
    setWhole: () => setChosen('whole'),
    /** Nothing is imported before somebody has said it. */
    needsCountry: isOpen && country === undefined && chosen !== 'whole',
    isCountryLoading: isLoading && withoutCode.length > 0,
    keepCountry() {
      if (chosen && chosen !== 'whole') keepCountry(chosen);
    },
    /** That numbers begin with their code is said of one file. */
    deleteWhole: () => setChosen((now) => (now === 'whole' ? undefined : now)),
  };
}
