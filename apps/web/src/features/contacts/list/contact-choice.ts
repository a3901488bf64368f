import { readFilter } from '../../../shared/contacts/contacts-queries.ts';
import type { ListSelection } from '../../../shared/lists/use-list-selection.ts';
import type { ContactChoice } from '../../../shared/contacts/bulk-removal.ts';

/** The search and filter of the list in the words of the server. */
export function filterWords({ search, filter }: { search: string; filter: string }) {
  return { ...(search && { search }), ...readFilter(filter) };
}

/** Whom an act on the selection means. */
export function choiceOf(
  { selected, excluded }: Pick<ListSelection, 'selected' | 'excluded'>,
  words: ReturnType<typeof filterWords>,
): ContactChoice {
  if (excluded === null) return { contactIds: [...selected] };
  return { filter: words, ...(excluded.size > 0 && { excludedIds: [...excluded] }) };
}
