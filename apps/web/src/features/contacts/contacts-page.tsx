import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  Ban,
  CircleCheck,
  Download,
  Ellipsis,
  Eraser,
  ListPlus,
  Merge,
  Pencil,
  Plus,
  Tags,
  Trash2,
  Upload,
  Users,
} from 'lucide-react';
import { lazy, Suspense, useMemo } from 'react';
import { contactSorts, type ContactSort } from '@app/domain/contacts/contact';
import { readFailure } from '../../shared/api.ts';
import { failureText } from '../../shared/failure-text.ts';
import { formatNumber } from '../../shared/formats.ts';
import { useLiveEvent } from '../../shared/live-events.ts';
import { t, useLocale } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can, useSession } from '../../shared/session.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { useDebounced } from '../../shared/use-debounced.ts';
import { useLoadAhead } from '../../shared/use-load-ahead.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Sort } from '../../ui/data-table.tsx';
import { Menu } from '../../ui/menu.tsx';
import { PageFrame } from '../../ui/page-frame.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { SummaryCard, SummaryCards } from '../../ui/summary-cards.tsx';
import { Toolbar } from '../../ui/toolbar.tsx';
import { BulkEditBar } from './bulk-edit-bar.tsx';
import { contactColumns } from './contact-columns.tsx';
import {
  listOptions,
  readContactsSearch,
  refreshContacts,
  segmentOf,
  segmentsOptions,
  summaryOptions,
  tagsOptions,
  type Contact,
  type ContactsSearch,
} from './contacts-queries.ts';
import { useExport } from './export-contacts.ts';
import { ImportBanner } from './import-banner.tsx';
import { RemovalBanner } from './removal-banner.tsx';
import { SegmentsMenu } from './segments-menu.tsx';
import { useContactSelection } from './use-contact-selection.ts';
import { useDeleteContact } from './use-delete-contact.ts';
import { useEraseContact } from './use-erase-contact.ts';
import { mayMerge } from './use-merge.ts';

const loadContactDialog = async () => ({ default: (await import('./contact-dialog.tsx')).ContactDialog });
const loadSegmentDialog = async () => ({ default: (await import('./segment-dialog.tsx')).SegmentDialog });
const loadImportDialog = async () => ({ default: (await import('./import-dialog.tsx')).ImportDialog });
const dialogs = [loadContactDialog, loadSegmentDialog, loadImportDialog];
const ContactDialog = lazy(loadContactDialog);
const SegmentDialog = lazy(loadSegmentDialog);
const ImportDialog = lazy(loadImportDialog);
const DuplicatesDialog = lazy(async () => ({
  default: (await import('./duplicates-dialog.tsx')).DuplicatesDialog,
}));
const CustomFieldsDialog = lazy(async () => ({
  default: (await import('./custom-fields-dialog.tsx')).CustomFieldsDialog,
}));

/** Who may change what every contact has. */
const mayManageFields = () => can('contacts:update') && can('templates:update');

type SetUrl = ReturnType<typeof useUrlState<ContactsSearch>>[1];

export function ContactsPage() {
  const [url, setUrl] = useUrlState(readContactsSearch);
  const queryClient = useQueryClient();
  useSession();
  useLoadAhead(dialogs);
  const refresh = () => void refreshContacts(queryClient);
  useLiveEvent('contacts', refresh);
  useLiveEvent('resync', refresh);
  const closeDialog = () => setUrl({ dialog: undefined, contact: undefined, segment: undefined });

  return (
    <PageFrame
      title={t('contacts.title')}
      purpose={t('contacts.purpose')}
      actions={<PageActions onOpen={(dialog) => setUrl({ dialog }, { push: true })} />}
      summary={<ContactsSummary />}
      toolbar={<ContactsToolbar url={url} setUrl={setUrl} />}
    >
      {url.dialog === 'import' ? null : (
        <ImportBanner onShow={() => setUrl({ dialog: 'import' }, { push: true })} />
      )}
      <RemovalBanner />
      <ContactsTable url={url} setUrl={setUrl} />
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

function PageActions({ onOpen }: { onOpen: (dialog: 'new' | 'import') => void }) {
  const { isExporting, exportAs } = useExport();
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
          { label: t('contacts.exportJson'), onSelect: () => void exportAs('json') },
          { label: t('contacts.exportCsv'), onSelect: () => void exportAs('csv') },
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
  const figure = (value: number | undefined) => (value === undefined ? undefined : formatNumber(value));
  return (
    <SummaryCards>
      <SummaryCard label={t('contacts.total')} value={figure(data?.total)} icon={<Users />} />
      <SummaryCard label={t('contacts.active')} value={figure(data?.active)} icon={<CircleCheck />} />
      <SummaryCard label={t('contacts.blocked')} value={figure(data?.blocked)} icon={<Ban />} />
      <SummaryCard label={t('contacts.tags')} value={figure(data?.tags)} icon={<Tags />} />
    </SummaryCards>
  );
}

function ContactsToolbar({ url, setUrl }: { url: ContactsSearch; setUrl: SetUrl }) {
  const tags = useQuery(tagsOptions).data?.items ?? [];
  const segmentList = useQuery(segmentsOptions).data?.items;
  const segments = segmentList ?? [];
  const chosenSegment = segmentOf(url.filter);
  // The address can name one that somebody has deleted.
  const isGone = segmentList && chosenSegment && !segments.some(({ id }) => id === chosenSegment);
  const chosenTag = url.filter.startsWith('tag:') ? url.filter.slice(4) : undefined;
  // A tag in the address stays a choice when no contact has it any more.
  const known = chosenTag === undefined || tags.some(({ tag }) => tag === chosenTag);
  const shownTags = known ? tags : [{ tag: chosenTag, contacts: 0 }, ...tags];
  return (
    <Toolbar
      search={
        <SearchInput
          value={url.search}
          onChange={(search) => setUrl({ search: search || undefined })}
          placeholder={t('contacts.search')}
        />
      }
      active={url.filter === 'all' ? 0 : 1}
      sort={
        <FilterSelect<ContactSort>
          label={t('contacts.sort')}
          value={url.sort}
          onChange={(sort) => setUrl({ sort: sort === 'newest' ? undefined : sort })}
          options={contactSorts.map((value) => ({ value, label: t(`contacts.sort.${value}`) }))}
        />
      }
    >
      <FilterSelect
        label={t('contacts.filter')}
        value={url.filter}
        onChange={(filter) => setUrl({ filter: filter === 'all' ? undefined : filter })}
        options={[
          { value: 'all', label: t('contacts.filterAll') },
          { value: 'active', label: t('contacts.active') },
          { value: 'blocked', label: t('contacts.blocked') },
          ...segments.map(({ id, name }) => ({
            value: `segment:${id}`,
            label: t('contacts.segment.option', { name }),
          })),
          ...(isGone ? [{ value: url.filter, label: t('contacts.segment.deletedOption') }] : []),
          ...shownTags.map(({ tag, contacts }) => ({
            value: `tag:${tag}`,
            label: tag,
            hint: t('contacts.filterCount', { n: contacts }),
          })),
        ]}
      />
      <SegmentsMenu
        segments={segments}
        filter={url.filter}
        onShow={(filter) => setUrl({ filter })}
        onOpen={(segment) => setUrl({ dialog: 'segment', segment }, { push: true })}
      />
      <ToolsMenu onOpen={(dialog) => setUrl({ dialog }, { push: true })} />
    </Toolbar>
  );
}

/** What is needed now and then: it must not crowd the search. */
function ToolsMenu({ onOpen }: { onOpen: (dialog: 'fields' | 'duplicates') => void }) {
  const entries = [
    ...(mayManageFields()
      ? [{ label: t('contacts.fields'), icon: <ListPlus aria-hidden />, onSelect: () => onOpen('fields') }]
      : []),
    ...(mayMerge()
      ? [
          {
            label: t('contacts.duplicateList'),
            icon: <Merge aria-hidden />,
            onSelect: () => onOpen('duplicates'),
          },
        ]
      : []),
  ];
  if (entries.length === 0) return null;
  return (
    <Menu
      trigger={<Button icon={<Ellipsis aria-hidden />}>{t('contacts.tools')}</Button>}
      entries={entries}
    />
  );
}

/** Which column heading stands for which order of the server. */
const sortOf: Record<ContactSort, Sort | undefined> = {
  newest: undefined,
  oldest: undefined,
  name: { column: 'contact', direction: 'asc' },
  name_desc: { column: 'contact', direction: 'desc' },
  last_message: { column: 'lastMessage', direction: 'desc' },
};

function ContactsTable({ url, setUrl }: { url: ContactsSearch; setUrl: SetUrl }) {
  const { filter, sort } = url;
  const search = useDebounced(url.search.trim(), 20);
  const list = useInfiniteQuery({
    ...listOptions({ search, filter, sort }),
    placeholderData: (before) => before,
  });
  const locale = useLocale();
  const columns = useMemo(() => contactColumns(locale), [locale]);
  const isSegmentGone = list.isError && readFailure(list.error).code === 'segment_not_found';
  const rows = useMemo(
    () => (isSegmentGone ? [] : (list.data?.pages.flatMap((page) => page.items) ?? [])),
    [list.data, isSegmentGone],
  );
  const askToDelete = useDeleteContact();
  const askToErase = useEraseContact();
  const navigate = useNavigate();
  const isFiltered = search !== '' || filter !== 'all';
  const edit = (contact: Contact) => setUrl({ dialog: 'edit', contact: contact.id }, { push: true });
  const mayChange = can('contacts:update');
  const mayDelete = can('contacts:delete');
  const choice = `${search}\n${filter}`;
  const selection = useContactSelection(choice, rows);
  const maySelect = mayChange || mayDelete;

  return (
    <>
      <DataTable
        label={t('contacts.title')}
        columns={columns}
        rows={rows}
        rowId={(contact) => contact.id}
        rowName={(contact) => contact.name}
        status={list.isPending ? 'loading' : list.isError && !list.data && !isSegmentGone ? 'error' : 'ready'}
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
        <BulkEditBar key={choice} selection={selection} search={search} filter={filter} />
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
