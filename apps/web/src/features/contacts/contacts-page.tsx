import { useQuery } from '@tanstack/react-query';
import { Ban, CircleCheck, Download, Plus, Tags, Upload, Users } from 'lucide-react';
import { Suspense } from 'react';
import { loadMessages, t } from '../../shared/messages.ts';
import { can, useSession } from '../../shared/session.ts';
import { useLoadAhead } from '../../shared/use-load-ahead.ts';
import { Button } from '../../ui/button.tsx';
import { lazyPart } from '../../ui/load-file.ts';
import { Menu } from '../../ui/overlays/menu.tsx';
import { PageFrame } from '../../ui/page-frame.tsx';
import { SummaryCard, SummaryCards } from '../../ui/table/summary-cards.tsx';
import { summaryOptions } from '../../shared/contacts/contacts-queries.ts';
import { ContactsTable, useContactList, type ContactList } from './contacts-table.tsx';
import { ContactsToolbar, mayManageFields } from './contacts-toolbar.tsx';
import { useExport } from './export-contacts.ts';
import { mayMerge } from '../contact-merges/use-merge.ts';

const loadContactDialog = async () => (await import('./contact-dialog.tsx')).ContactDialog;
const loadSegmentDialog = async () => (await import('../segments/segment-dialog.tsx')).SegmentDialog;
const loadImportDialog = async () => {
  await loadMessages('long-acts');
  return (await import('../contact-imports/import-dialog.tsx')).ImportDialog;
};
const dialogs = [loadContactDialog, loadSegmentDialog, loadImportDialog];
const ContactDialog = lazyPart(loadContactDialog);
const SegmentDialog = lazyPart(loadSegmentDialog);
const ImportDialog = lazyPart(loadImportDialog);
const DuplicatesDialog = lazyPart(
  async () => (await import('../contact-merges/duplicates-dialog.tsx')).DuplicatesDialog,
);
const CustomFieldsDialog = lazyPart(
  async () => (await import('../custom-fields/custom-fields-dialog.tsx')).CustomFieldsDialog,
);

export function ContactsPage() {
  const contacts = useContactList();
  const { url, setUrl } = contacts;
  useSession();
  useLoadAhead(dialogs);
  const closeDialog = () => setUrl({ dialog: undefined, contact: undefined, segment: undefined });

  return (
    <PageFrame
      title={t('contacts.title')}
      purpose={t('contacts.purpose')}
      actions={<PageActions contacts={contacts} onOpen={(dialog) => setUrl({ dialog }, { push: true })} />}
      summary={<ContactsSummary />}
      toolbar={<ContactsToolbar contacts={contacts} />}
    >
      <ContactsTable contacts={contacts} />
      <Suspense>
        {url.dialog === 'new' && can('contacts:create') ? <ContactDialog onClose={closeDialog} /> : null}
        {url.dialog === 'edit' && can('contacts:update') ? (
          <ContactDialog key={url.contact} contactId={url.contact} onClose={closeDialog} />
        ) : null}
        {url.dialog === 'segment' && can(url.segment ? 'contacts:update' : 'contacts:create') ? (
          <SegmentDialog
            key={url.segment}
            segmentId={url.segment}
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
  onOpen,
}: {
  contacts: ContactList;
  onOpen: (dialog: 'new' | 'import') => void;
}) {
  const { isExporting, exportAs, hint } = useExport(contacts);
  return (
    <>
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
        entries={[
          { label: t('contacts.exportJson'), hint, onSelect: () => void exportAs('json') },
          { label: t('contacts.exportCsv'), hint, onSelect: () => void exportAs('csv') },
        ]}
      />
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
    <SummaryCards>
      <SummaryCard label={t('contacts.total')} value={data?.total} icon={<Users />} />
      <SummaryCard label={t('contacts.active')} value={data?.active} icon={<CircleCheck />} />
      <SummaryCard label={t('contacts.blocked')} value={data?.blocked} icon={<Ban />} />
      <SummaryCard label={t('contacts.tags')} value={data?.tags} icon={<Tags />} />
    </SummaryCards>
  );
}
