import { useNavigate } from '@tanstack/react-router';
import { ClipboardCheck, Eraser, MessageSquare, Pencil, Plus, Trash2, Upload, Users } from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import type { ContactSort } from '@app/domain/contacts/contact';
import type { ListLayout } from '@app/domain/contacts/contact-list-layout';
import type { Contact } from '../../../shared/contacts/contacts-queries.ts';
import { NoRows } from '../../../shared/lists/no-rows.tsx';
import { t, useLocale } from '../../../shared/messages.ts';
import { OfflineSearchNote } from '../../../shared/offline/offline-search-note.tsx';
import { paths } from '../../../shared/paths.ts';
import { can } from '../../../shared/session.ts';
import { Button } from '../../../ui/button.tsx';
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx';
import type { MenuEntry } from '../../../ui/overlays/menu.tsx';
import type { Sort } from '../../../ui/table/data-table-props.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { BulkEditBar } from './bulk-edit-bar.tsx';
import { contactColumns } from './contact-columns.tsx';
import type { ContactList } from './contact-list.ts';
import type { ListLayoutChoice } from './list-layout.ts';
import { useDeleteContact } from '../use-delete-contact.ts';
import { useEraseContact } from '../use-erase-contact.ts';

/** Which column heading stands for which order of the server. */
const sortOf: Record<ContactSort, Sort | undefined> = {
  newest: undefined,
  oldest: undefined,
  name: { column: 'contact', direction: 'asc' },
  name_desc: { column: 'contact', direction: 'desc' },
  last_message: { column: 'lastMessage', direction: 'desc' },
};

const ConsentDialog = lazyDialog(async () => (await import('../consent-dialog.tsx')).ConsentDialog);

export function ContactsTable({ contacts, layout }: { contacts: ContactList; layout: ListLayoutChoice }) {
  const { setUrl, wanted, selection, shown } = contacts;
  const locale = useLocale();
  // By value: a list that is drawn again keeps its columns.
  const wish = JSON.stringify({ columns: layout.columns, density: layout.density });
  const columns = useMemo(
    () => contactColumns(locale, { ...(JSON.parse(wish) as ListLayout), fields: layout.fields }),
    [locale, wish, layout.fields],
  );
  const [consentOf, setConsentOf] = useState<Contact>();
  const rowActions = useRowActions(setUrl, setConsentOf);
  const navigate = useNavigate();

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
        density={layout.density}
        small="lines"
        selected={selection.selected}
        onSelectedChange={selection.change}
      />
      {selection.selected.size > 0 ? (
        <BulkEditBar key={contacts.searchedFor} contacts={contacts} layout={layout} />
      ) : null}
      <Suspense>
        {consentOf ? <ConsentDialog contact={consentOf} onClose={() => setConsentOf(undefined)} /> : null}
      </Suspense>
    </>
  );
}

/** Undefined for whoever may do nothing with a contact. */
function useRowActions(
  setUrl: ContactList['setUrl'],
  onConsent: (contact: Contact) => void,
): ((contact: Contact) => MenuEntry[]) | undefined {
  const navigate = useNavigate();
  const askToDelete = useDeleteContact();
  const askToErase = useEraseContact();
  const mayChange = can('contacts:update');
  const mayDelete = can('contacts:delete');
  const mayWrite = can('messages:create') && can('messages:read');
  if (!mayChange && !mayDelete && !mayWrite) return undefined;
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
          {
            label: t('contacts.consent.record'),
            icon: <ClipboardCheck aria-hidden />,
            onSelect: () => onConsent(contact),
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
