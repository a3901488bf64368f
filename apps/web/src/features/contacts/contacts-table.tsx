import { useNavigate } from '@tanstack/react-router';
import { Eraser, MessageSquare, Pencil, Plus, Trash2, Upload, Users } from 'lucide-react';
import { useMemo } from 'react';
import type { ContactSort } from '@app/domain/contacts/contact';
import { readFailure } from '../../shared/api.ts';
import { listOptions, readContactsSearch, type Contact } from '../../shared/contacts/contacts-queries.ts';
import { NoRows } from '../../shared/lists/no-rows.tsx';
import { useListPage } from '../../shared/lists/use-list-page.ts';
import { t, useLocale } from '../../shared/messages.ts';
import { OfflineSearchNote } from '../../shared/offline/offline-search-note.tsx';
import { paths } from '../../shared/paths.ts';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import type { MenuEntry } from '../../ui/overlays/menu.tsx';
import type { Sort } from '../../ui/table/data-table-props.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { BulkEditBar } from './bulk-edit-bar.tsx';
import { contactColumns } from './contact-columns.tsx';
import { findKeptContacts } from './kept-contacts.ts';
import { useDeleteContact } from './use-delete-contact.ts';
import { useEraseContact } from './use-erase-contact.ts';

/** Which column heading stands for which order of the server. */
const sortOf: Record<ContactSort, Sort | undefined> = {
  newest: undefined,
  oldest: undefined,
  name: { column: 'contact', direction: 'asc' },
  name_desc: { column: 'contact', direction: 'desc' },
  last_message: { column: 'lastMessage', direction: 'desc' },
};

/** The rows on the screen, with what they are and which of them are selected. */
export type ContactList = ReturnType<typeof useContactList>;

export const useContactList = () =>
  useListPage({
    read: readContactsSearch,
    filters: ['filter'],
    options: listOptions,
    find: findKeptContacts,
    isGone: (error) => readFailure(error).code === 'segment_not_found',
  });

export function ContactsTable({ contacts }: { contacts: ContactList }) {
  const { setUrl, wanted, selection, shown } = contacts;
  const locale = useLocale();
  const columns = useMemo(() => contactColumns(locale), [locale]);
  const rowActions = useRowActions(setUrl);
  const navigate = useNavigate();
  const maySelect = rowActions !== undefined;

  return (
    <>
      <OfflineSearchNote searched={contacts.searched} />
      <DataTable
        {...shown}
        label={t('contacts.title')}
        columns={columns}
        rowId={(contact) => contact.id}
        rowName={(contact) => contact.name}
        empty={<NoContacts contacts={contacts} />}
        sort={sortOf[wanted.sort]}
        onSortChange={(next) => setUrl({ sort: readSort(next, wanted.sort) })}
        onOpenRow={(contact) => void navigate({ to: paths.contact(contact.id) })}
        rowActionsHeader={t('contacts.column.actions')}
        rowActions={rowActions}
        selected={maySelect ? selection.selected : undefined}
        onSelectedChange={maySelect ? selection.change : undefined}
      />
      {selection.selected.size > 0 ? (
        <BulkEditBar
          key={contacts.searchedFor}
          selection={selection}
          search={wanted.search}
          filter={wanted.filter}
        />
      ) : null}
    </>
  );
}

/** Undefined for whoever may change nothing. */
function useRowActions(setUrl: ContactList['setUrl']): ((contact: Contact) => MenuEntry[]) | undefined {
  const navigate = useNavigate();
  const askToDelete = useDeleteContact();
  const askToErase = useEraseContact();
  const mayChange = can('contacts:update');
  const mayDelete = can('contacts:delete');
  if (!mayChange && !mayDelete) return undefined;
  const mayWrite = can('messages:create') && can('messages:read');
  return (contact) => [
    ...(mayWrite
      ? [
          {
            label: t('contacts.message'),
            icon: <MessageSquare aria-hidden />,
            onSelect: () =>
              void navigate({ to: paths.inbox, search: { dialog: 'new-chat', contact: contact.id } }),
          },
        ]
      : []),
    ...(mayChange
      ? [
          {
            label: t('common.edit'),
            icon: <Pencil aria-hidden />,
            onSelect: () => setUrl({ dialog: 'edit', contact: contact.id }, { push: true }),
          },
        ]
      : []),
    ...(mayDelete
      ? [
          {
            label: t('common.delete'),
            icon: <Trash2 aria-hidden />,
            danger: true,
            onSelect: () => void askToDelete(contact),
          },
          {
            label: t('contacts.erase'),
            icon: <Eraser aria-hidden />,
            danger: true,
            onSelect: () => void askToErase(contact),
          },
        ]
      : []),
  ];
}

/** A second press on the last message leads back to the usual order: nobody looks for who wrote longest ago. */
function readSort({ column, direction }: Sort, before: ContactSort): ContactSort | undefined {
  if (column === 'lastMessage') return before === 'last_message' ? undefined : 'last_message';
  return direction === 'asc' ? 'name' : 'name_desc';
}

function NoContacts({ contacts }: { contacts: ContactList }) {
  const { setUrl, isGone } = contacts;
  const mayAdd = can('contacts:create');
  return (
    <NoRows
      list={contacts}
      title={t('contacts.empty')}
      noMatch={t(isGone ? 'contacts.segment.notFound' : 'contacts.noMatch')}
      clearLabel={t('contacts.clearFilters')}
      text={t(mayAdd ? 'contacts.emptyText' : 'contacts.emptyReadOnly')}
      icon={<Users />}
      action={
        mayAdd ? (
          <>
            <Button
              icon={<Upload aria-hidden />}
              onClick={() => setUrl({ dialog: 'import' }, { push: true })}
            >
              {t('contacts.import')}
            </Button>
            <Button
              variant="primary"
              icon={<Plus aria-hidden />}
              onClick={() => setUrl({ dialog: 'new' }, { push: true })}
            >
              {t('contacts.add')}
            </Button>
          </>
        ) : undefined
      }
    />
  );
}
