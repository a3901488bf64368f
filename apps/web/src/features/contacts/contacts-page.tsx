import { useQuery } from '@tanstack/react-query';
import { Ban, CircleCheck, Download, Plus, Tags, Upload, Users } from 'lucide-react';
import { Suspense } from 'react';
import { loadMessages, t } from '../../shared/messages.ts';
import { can, useSession } from '../../shared/session.ts';
import { useLoadAhead } from '../../shared/use-load-ahead.ts';
import { Button } from '../../ui/button.tsx';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { PageFrame } from '../../ui/page-frame.tsx';
import { SummaryCard, SummaryCards } from '../../ui/table/summary-cards.tsx';
import { segmentsOptions, summaryOptions } from '../../shared/contacts/contacts-queries.ts';
import { mayManageFields } from '../../shared/contacts/custom-fields.ts';
import { filterRules } from './list/filter-rules.ts';
import { useContactList, type ContactList } from './list/contact-list.ts';
import { ContactsTable } from './list/contacts-table.tsx';
import { ContactsToolbar } from './list/contacts-toolbar.tsx';
import { useListLayout, type ListLayoutChoice } from './list/list-layout.ts';
import { mayExportContacts, useExport } from './export-contacts.ts';
import { mayMerge } from '../contact-merges/use-merge.ts';

const loadContactDialog = async () => (await import('./contact-dialog.tsx')).ContactDialog;
const loadSegmentDialog = async () => (await import('../segments/segment-dialog.tsx')).SegmentDialog;
const loadImportDialog = async () => {
  await loadMessages('operations');
  return (await import('../contact-imports/import-dialog.tsx')).ImportDialog;
};
const dialogs = [loadContactDialog, loadSegmentDialog, loadImportDialog];
const ContactDialog = lazyDialog(loadContactDialog);
const SegmentDialog = lazyDialog(loadSegmentDialog);
const ImportDialog = lazyDialog(loadImportDialog);
const DuplicatesDialog = lazyDialog(
  async () => (await import('../contact-merges/duplicates-dialog.tsx')).DuplicatesDialog,
);
const CustomFieldsDialog = lazyDialog(
  async () => (await import('../custom-fields/custom-fields-dialog.tsx')).CustomFieldsDialog,
);

export function ContactsPage() {
  const contacts = useContactList();
  const layout = useListLayout();
  const { url, setUrl } = contacts;
  useSession();
  useLoadAhead(dialogs);
  const segments = useQuery(segmentsOptions).data?.items ?? [];
  const closeDialog = () => setUrl({ dialog: undefined, contact: undefined, segment: undefined });

  return (
    <PageFrame
      title={t('contacts.title')}
      purpose={t('contacts.purpose')}
      actions={
        <PageActions
          contacts={contacts}
          layout={layout}
          onOpen={(dialog) => setUrl({ dialog }, { push: true })}
        />
      }
      summary={<ContactsSummary />}
      toolbar={<ContactsToolbar contacts={contacts} layout={layout} />}
    >
      <ContactsTable contacts={contacts} layout={layout} />
      <Suspense>
        {url.dialog === 'new' && can('contacts:create') ? <ContactDialog onClose={closeDialog} /> : null}
        {url.dialog === 'edit' && can('contacts:update') ? (
          <ContactDialog key={url.contact} contactId={url.contact} onClose={closeDialog} />
        ) : null}
        {url.dialog === 'segment' && can(url.segment ? 'contacts:update' : 'contacts:create') ? (
          <SegmentDialog
            key={url.segment}
            segmentId={url.segment}
            // A new one begins as what is shown.
            suggested={url.segment ? undefined : filterRules(contacts.wanted, segments)}
            onSaved={({ id }) => setUrl({ filter: `segment:${id}`, dialog: undefined, segment: undefined })}
            onClose={closeDialog}
          />
        ) : null}
        {url.dialog === 'fields' && mayManageFields() ? <CustomFieldsDialog onClose={closeDialog} /> : null}
        {url.dialog === 'duplicates' && mayMerge() ? <DuplicatesDialog onClose={closeDialog} /> : null}
        {url.dialog === 'import' && can('contacts:create') ? <ImportDialog onClose={closeDialog} /> : null}
      </Suspense>
    </PageFrame>
  );
}

function PageActions({
  contacts,
  layout,
  onOpen,
}: {
  contacts: ContactList;
  layout: ListLayoutChoice;
  onOpen: (dialog: 'new' | 'import') => void;
}) {
  const { isExporting, entries } = useExport(contacts, layout);
  return (
    <>
      {mayExportContacts() ? (
        <Menu
          trigger={
            <Button
              // Alone in its line it has room for its word.
              iconOnSmall={can('contacts:create')}
              icon={<Download aria-hidden />}
              loading={isExporting}
            >
              {t('contacts.export')}
            </Button>
          }
          entries={entries}
        />
      ) : null}
      {can('contacts:create') ? (
        <>
          <Button iconOnSmall icon={<Upload aria-hidden />} onClick={() => onOpen('import')}>
            {t('contacts.import')}
          </Button>
          <Button variant="primary" icon={<Plus aria-hidden />} onClick={() => onOpen('new')}>
            {t('contacts.add')}
          </Button>
        </>
      ) : null}
    </>
  );
}

function ContactsSummary() {
  const { data } = useQuery(summaryOptions);
  return (
    <SummaryCards low="one-line">
      <SummaryCard label={t('contacts.total')} value={data?.total} icon={<Users />} />
      <SummaryCard label={t('contacts.active')} value={data?.active} icon={<CircleCheck />} />
      <SummaryCard label={t('contacts.blocked')} value={data?.blocked} icon={<Ban />} />
      <SummaryCard label={t('contacts.tags')} value={data?.tags} icon={<Tags />} />
    </SummaryCards>
  );
}
