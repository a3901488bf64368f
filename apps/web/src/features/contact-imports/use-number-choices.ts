import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { importLimits } from '@app/domain/contact-imports/contact-import';
import { guessFileCountry } from '@app/domain/contact-imports/file-country';
import type { PhoneCountry } from '@app/domain/contacts/phone-country';
import { mayBeTwofold, type TwofoldReading } from '@app/domain/contacts/twofold-number';
import { orpc } from '../../shared/api.ts';
import { homeCountryOptions } from '../../shared/contacts/contacts-queries.ts';
import { useDebounced } from '../../shared/use-debounced.ts';

const QUIET_MS = 300;

/** Of which country the numbers of a file are, and how those are read that can be of two. */
export function useNumberChoices(first: readonly string[], others: readonly string[]) {
  const home = useQuery(homeCountryOptions).data?.country ?? undefined;
  const [chosen, setCountry] = useState<PhoneCountry | ''>();
  const [twofoldReading, setTwofoldReading] = useState<TwofoldReading>('international');
  const ofFile = useMemo(() => guessFileCountry(first), [first]);
  const country = chosen === '' ? undefined : (chosen ?? (ofFile?.isCertain ? ofFile.country : home));
  const doubtful = useMemo(
    () => [...first, ...others].filter(mayBeTwofold).slice(0, importLimits.numbersAsked),
    [first, others],
  );
  const numbers = useDebounced(doubtful, QUIET_MS);
  const isAsked = country !== undefined && numbers.length > 0;
  const asked = useQuery(
    orpc.contactImports.readNumbers.queryOptions({
      input: { country: country ?? 'US', numbers: [...numbers] },
      enabled: isAsked,
      staleTime: Number.POSITIVE_INFINITY,
    }),
  );
  return {
    /** Where numbers without a country code are from. */
    country,
    setCountry,
    /** What the file's own country codes say, where the workspace would say another. */
    countryOfFile: ofFile && ofFile.country !== home ? ofFile.country : undefined,
    /** Those that can be of that country and of another, and how they are read; undefined where there are none. */
    twofold: isAsked && asked.data && asked.data.twofold > 0 ? asked.data : undefined,
    twofoldReading,
    setTwofoldReading,
    /** Whether there are some is not known yet. */
    isAsking: country !== undefined && doubtful.length > 0 && (numbers !== doubtful || asked.isPending),
  };
}
