import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { importLimits } from '@app/domain/contact-imports/contact-import';
import { mayBeAmbiguous, type AmbiguousReading } from '@app/domain/contacts/ambiguous-number';
import { orpc } from '../../shared/api.ts';
import { useDebounced } from '../../shared/use-debounced.ts';
import { useFileCountry } from './use-file-country.ts';

const QUIET_MS = 300;

/** Of which country the numbers of a file are, and how those are read that can be of two. */
export function useNumberChoices(first: readonly string[], others: readonly string[]) {
  const { isCountryLoading, ...choice } = useFileCountry(first, others);
  const { country } = choice;
  const [ambiguousReading, setAmbiguousReading] = useState<AmbiguousReading>('international');
  const doubtful = useMemo(
    () => [...first, ...others].filter(mayBeAmbiguous).slice(0, importLimits.numbersAsked),
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
    ...choice,
    /** Those that can be of that country and of another, and how they are read; undefined where there are none. */
    twofold: isAsked && asked.data && asked.data.twofold > 0 ? asked.data : undefined,
    ambiguousReading,
    setAmbiguousReading,
    /** Whether there are some is not known yet. */
    isAsking:
      isCountryLoading ||
      (country !== undefined && doubtful.length > 0 && (numbers !== doubtful || asked.isPending)),
  };
}
