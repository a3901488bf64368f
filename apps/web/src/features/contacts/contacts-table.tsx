import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Eraser, Pencil, Plus, Trash2, Upload, Users } from 'lucide-react';
import { useMemo } from 'react';
import type { ContactSort } from '@app/domain/contacts/contact';
import { readFailure } from '../../shared/api.ts';
import { failureText } from '../../shared/failure-text.ts';
import { useListRows, whileReachable } from '../../shared/offline/kept-rows.ts';
import { t, useLocale } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can } from '../../shared/session.ts';
import { useDebounced } from '../../shared/use-debounced.ts';
import { Button } from '../../ui/button.tsx';
import type { Sort } from '../../ui/table/data-table-props.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { OfflineSearchNote } from '../../shared/offline/offline-search-note.tsx';
import { BulkEditBar } from './bulk-edit-bar.tsx';
import { contactColumns } from './contact-columns.tsx';
import { listOptions, type Contact, type ContactsSearch } from '../../shared/contacts/contacts-queries.ts';
import type { SetUrl } from './contacts-toolbar.tsx';
import { findKeptContacts } from './kept-contacts.ts';
import { useContactSelection } from './use-contact-selection.ts';
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

const plainListKey = listOptions({ search: '', filter: 'all', sort: 'newest' }).queryKey;
const nobody: readonly Contact[] = [];

/** The rows on the screen, with what they are and which of them are selected. */
export type ContactList = ReturnType<typeof useContactList>;

export function useContactList({ search: typed, filter, sort }: ContactsSearch) {
  const search = useDebounced(typed.trim(), 20);
  const list = useInfiniteQuery({
    ...listOptions({ search, filter, sort }),
    placeholderData: whileReachable,
  });
  const isSegmentGone = list.isError && readFailure(list.error).code === 'segment_not_found';
  const found = useListRows(list, plainListKey, (kept) => findKeptContacts(kept, { search, filter, sort }));
  const rows = isSegmentGone ? nobody : found.rows;
  const selection = useContactSelection(`${search}\n${filter}`, rows);
  return { search, filter, sort, list, ...found, rows, isSegmentGone, selection };
}

export function ContactsTable({ contacts, setUrl }: { contacts: ContactList; setUrl: SetUrl }) {
  const { search, filter, sort, list, rows, status, isSegmentGone, selection, searched } = contacts;
  const locale = useLocale();
  const columns = useMemo(() => contactColumns(locale), [locale]);
  const askToDelete = useDeleteContact();
  const askToErase = useEraseContact();
  const navigate = useNavigate();
  const isFiltered = search !== '' || filter !== 'all';
  const edit = (contact: Contact) => setUrl({ dialog: 'edit', contact: contact.id }, { push: true });
  const mayChange = can('contacts:update');
  const mayDelete = can('contacts:delete');
  const maySelect = mayChange || mayDelete;

  return (
    <>
      <OfflineSearchNote searched={searched} />
      <DataTable
        label={t('contacts.title')}
        columns={columns}
        rows={rows}
        rowId={(contact) => contact.id}
        rowName={(contact) => contact.name}
        status={isSegmentGone ? 'ready' : status}
        errorText={list.error ? failureText(list.error) : undefined}
        onRetry={() => void list.refetch()}
        empty={<NoContacts isFiltered={isFiltered} isSegmentGone={isSegmentGone} setUrl={setUrl} />}
        sort={sortOf[sort]}
        onSortChange={(next) => setUrl({ sort: readSort(next, sort) })}
        onOpenRow={(contact) => void navigate({ to: paths.contact(contact.id) })}
        rowActionsHeader={t('contacts.column.actions')}
        rowActions={
          mayChange || mayDelete
            ? (contact) => [
                ...(mayChange
                  ? [{ label: t('common.edit'), icon: <Pencil aria-hidden />, onSelect: () => edit(contact) }]
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
              ]
            : undefined
        }
        onEndReached={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
        loadingMore={list.isFetchingNextPage}
        selected={maySelect ? selection.selected : undefined}
        onSelectedChange={maySelect ? selection.change : undefined}
      />
      {selection.selected.size > 0 ? (
        <BulkEditBar key={`${search}\n${filter}`} selection={selection} search={search} filter={filter} />
      ) : null}
    </>
  );
}

/** A second press on the last message leads back to the usual order: nobody looks for who wrote longest ago. */
function readSort({ column, direction }: Sort, before: ContactSort): ContactSort | undefined {
  if (column === 'lastMessage') return before === 'last_message' ? undefined : 'last_message';
  return direction === 'asc' ? 'name' : 'name_desc';
}

function NoContacts({
  isFiltered,
  isSegmentGone,
  setUrl,
}: {
  isFiltered: boolean;
  isSegmentGone: boolean;
  setUrl: SetUrl;
}) {
  if (isFiltered) {
    return (
      <EmptyState
        title={t('contacts.empty')}
        text={t(isSegmentGone ? 'contacts.segment.notFound' : 'contacts.noMatch')}
        action={
          <Button onClick={() => setUrl({ search: undefined, filter: undefined })}>
            {t('contacts.clearFilters')}
          </Button>
        }
      />
    );
  }
  if (!can('contacts:create')) {
    return <EmptyState title={t('contacts.empty')} text={t('contacts.emptyReadOnly')} icon={<Users />} />;
  }
  return (
    <EmptyState
      title={t('contacts.empty')}
      text={t('contacts.emptyText')}
      icon={<Users />}
      action={
        <>
          <Button icon={<Upload aria-hidden />} onClick={() => setUrl({ dialog: 'import' }, { push: true })}>
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
      }
    />
  );
}
