import { readFailure } from '../../../shared/api.ts';
import { listOptions, readContactsSearch } from '../../../shared/contacts/contacts-queries.ts';
import { useListPage } from '../../../shared/lists/use-list-page.ts';
import { findKeptContacts } from './kept-contacts.ts';

/** The rows on the screen, with what they are and which of them are selected. */
export type ContactList = ReturnType<typeof useContactList>;

export const useContactList = () =>
  useListPage({
    read: readContactsSearch,
    filters: ['filter'],
    options: listOptions,
    find: findKeptContacts,
    isGone: (error) => ['segment_not_found', 'campaign_not_found'].includes(readFailure(error).code),
  });
