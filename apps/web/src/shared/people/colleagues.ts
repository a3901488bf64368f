import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SelectOption } from '../../ui/controls/select.tsx';
import { orpc } from '../api.ts';
import { useFoundRows } from '../offline/found-rows.ts';
import { holdsText, whileReachable } from '../offline/kept-rows.ts';
import { useDebounced } from '../use-debounced.ts';

/** As many as somebody looks through; whoever is not among them is found by typing. */
const SHOWN = 50;

const kind = orpc.users.list.key();

/** Whoever may be chosen for something: people who work here and are let in. The server searches, so that nobody is too far down the list. */
export function useColleagues(isChosen: (userId: string) => boolean) {
  const [text, setText] = useState('');
  const search = useDebounced(text.trim());
  const query = useQuery({
    ...orpc.users.list.queryOptions({
      input: { status: 'active' as const, sort: 'name' as const, limit: SHOWN, ...(search && { search }) },
    }),
    placeholderData: whileReachable,
  });
  const { rows, searched } = useFoundRows(query, kind, (kept) =>
    kept.filter(
      ({ status, firstName, lastName, email }) =>
        status === 'active' && holdsText([`${firstName} ${lastName}`, email], search),
    ),
  );
  const options: SelectOption[] = rows
    .filter(({ id }) => isChosen(id))
    .map(({ id, firstName, lastName, email }) => ({
      value: id,
      label: `${firstName} ${lastName}`.trim() || email,
      hint: email,
    }));
  return { options, loading: query.isFetching, searchedHere: searched, onSearch: setText };
}
