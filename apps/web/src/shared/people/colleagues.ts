import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SelectOption } from '../../ui/controls/select.tsx';
import { orpc } from '../api.ts';
import { useDebounced } from '../use-debounced.ts';

/** As many as somebody looks through; whoever is not among them is found by typing. */
const SHOWN = 50;

/** Whoever may be chosen for something: people who work here and are let in. The server searches, so that nobody is too far down the list. */
export function useColleagues(isChosen: (userId: string) => boolean) {
  const [text, setText] = useState('');
  const search = useDebounced(text.trim());
  const { data, isFetching } = useQuery({
    ...orpc.users.list.queryOptions({
      input: { status: 'active' as const, sort: 'name' as const, limit: SHOWN, ...(search && { search }) },
    }),
    placeholderData: keepPreviousData,
  });
  const options: SelectOption[] = (data?.items ?? [])
    .filter(({ id }) => isChosen(id))
    .map(({ id, firstName, lastName, email }) => ({
      value: id,
      label: `${firstName} ${lastName}`.trim() || email,
      hint: email,
    }));
  return { options, loading: isFetching, onSearch: setText };
}
