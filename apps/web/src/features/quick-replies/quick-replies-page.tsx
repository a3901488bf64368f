import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, Trash2, Zap } from 'lucide-react';
import { Suspense, useMemo } from 'react';
import { orpc } from '../../shared/api.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import type { QuickReply } from '../../shared/conversations/quick-replies.ts';
import { formatNumber } from '../../shared/formats.ts';
import { FilterSelects } from '../../shared/lists/filter-selects.tsx';
import { namesOf } from '../../shared/lists/list-filters.ts';
import { NoRows } from '../../shared/lists/no-rows.tsx';
import { useListPage } from '../../shared/lists/use-list-page.ts';
import { t } from '../../shared/messages.ts';
import { OfflineSearchNote } from '../../shared/offline/offline-search-note.tsx';
import { can, useSession } from '../../shared/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import type { MenuEntry } from '../../ui/overlays/menu.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { PageFrame } from '../../ui/page-frame.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { FilterSelect } from '../../ui/table/filter-select.tsx';
import { SearchInput } from '../../ui/table/search-input.tsx';
import type { Column } from '../../ui/table/table-column.ts';
import { Toolbar } from '../../ui/table/toolbar.tsx';
import { notify } from '../../ui/toast.ts';
import {
  findKeptReplies,
  foldersOf,
  listOptions,
  readRepliesSearch,
  replyErrorMessage,
  replyFilters,
} from './quick-replies-queries.ts';

const ReplyDialog = lazyDialog(async () => (await import('./reply-dialog.tsx')).ReplyDialog);
const filterNames = [...namesOf(replyFilters), 'folder'] as const;
/** All of them: what the list itself asks for while nothing is left out. */
const allOptions = listOptions(readRepliesSearch({}));

/** Texts that are sent often: everybody's and one's own. */
export function QuickRepliesPage() {
  // What the signed-in person may do can change while the page is open.
  useSession();
  const list = useListPage({
    read: readRepliesSearch,
    filters: filterNames,
    options: listOptions,
    find: findKeptReplies,
  });
  const all = useInfiniteQuery(allOptions).data?.pages[0]?.items ?? [];
  const folders = foldersOf(all, list.url.folder);
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const remove = useAction(orpc.quickReplies.remove.mutationOptions());
  const columns = useMemo(() => makeColumns(), []);
  const open = (dialog: 'new' | 'edit', reply?: string) => list.setUrl({ dialog, reply }, { push: true });

  async function removeAfterQuestion({ id, shortcut }: QuickReply) {
    const isSure = await confirm({
      title: t('quick-replies.deleteQuestion', { name: shortcut }),
      text: t('quick-replies.deleteText'),
      confirmLabel: t('common.delete'),
      danger: true,
    });
    if (!isSure) return;
    try {
      await remove.mutateAsync({ quickReplyId: id });
      notify.success(t('quick-replies.deleted'));
    } catch (error) {
      notify.error(replyErrorMessage(error));
    }
    await queryClient.invalidateQueries({ queryKey: orpc.quickReplies.key() });
  }

  const actionsOn = (reply: QuickReply): MenuEntry[] =>
    mayChange(reply)
      ? [
          { label: t('common.edit'), icon: <Pencil />, onSelect: () => open('edit', reply.id) },
          'separator',
          {
            ...{ label: t('common.delete'), icon: <Trash2 />, danger: true },
            onSelect: () => void removeAfterQuestion(reply),
          },
        ]
      : [];
  const add = can('messages:create') ? (
    <Button variant="primary" icon={<Plus aria-hidden />} onClick={() => open('new')}>
      {t('quick-replies.new')}
    </Button>
  ) : undefined;

  return (
    <PageFrame
      title={t('quick-replies.title')}
      purpose={t('quick-replies.purpose')}
      actions={add}
      toolbar={
        <Toolbar
          search={<SearchInput {...list.searchField} placeholder={t('quick-replies.search')} />}
          active={list.activeFilters}
        >
          <FilterSelects filters={replyFilters} choice={list.choice} />
          {folders.length > 0 ? (
            <FilterSelect
              {...list.choice('folder')}
              label={t('quick-replies.folder')}
              options={[
                { value: '', label: t('quick-replies.folder.all') },
                ...folders.map((value) => ({ value, label: value })),
              ]}
            />
          ) : null}
        </Toolbar>
      }
    >
      <OfflineSearchNote searched={list.searched} />
      <DataTable
        {...list.shown}
        label={t('quick-replies.title')}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ shortcut }) => `/${shortcut}`}
        rowActions={actionsOn}
        onOpenRow={(reply) => {
          if (mayChange(reply)) open('edit', reply.id);
        }}
        empty={
          <NoRows
            list={list}
            title={t('quick-replies.none')}
            noMatch={t('quick-replies.noMatch')}
            clearLabel={t('quick-replies.clear')}
            text={t('quick-replies.noneText')}
            icon={<Zap />}
            action={add}
          />
        }
      />
      {list.url.dialog === '' ? null : (
        <Suspense>
          <ReplyDialog
            replyId={list.url.dialog === 'edit' ? list.url.reply : ''}
            onClose={() => list.setUrl({ dialog: undefined, reply: undefined })}
          />
        </Suspense>
      )}
    </PageFrame>
  );
}

function mayChange({ isShared }: QuickReply): boolean {
  return can(isShared ? 'messages:manage' : 'messages:create');
}

function makeColumns(): Column<QuickReply>[] {
  return [
    {
      ...{
        id: 'shortcut',
        header: t('quick-replies.shortcut'),
        width: 'minmax(7rem, 1fr)',
        card: 'subtitle',
      },
      cell: ({ shortcut }) => <code className="font-mono text-sm text-primary-text">/{shortcut}</code>,
    },
    {
      ...{ id: 'title', header: t('quick-replies.name'), width: 'minmax(9rem, 1.5fr)', card: 'title' },
      cell: ({ title }) => <bdi className="font-medium">{title}</bdi>,
    },
    {
      ...{ id: 'text', header: t('quick-replies.text'), width: 'minmax(12rem, 3fr)' },
      cell: ({ text, media }) => (
        <span dir="auto" className="line-clamp-2 text-sm text-muted wrap-anywhere">
          {text || media?.name}
        </span>
      ),
    },
    {
      ...{ id: 'whose', header: t('quick-replies.whose'), width: '8rem' },
      cell: ({ isShared }) => (
        <Badge>{t(isShared ? 'quick-replies.whose.everybody' : 'quick-replies.whose.own')}</Badge>
      ),
    },
    {
      ...{ id: 'folder', header: t('quick-replies.folder'), width: '8rem', hideBelow: 'xl' },
      cell: ({ folder }) => <bdi>{folder}</bdi>,
    },
    {
      ...{ id: 'used', header: t('quick-replies.used'), width: '5rem', align: 'end', hideBelow: 'lg' },
      cell: ({ used }) => <span className="tabular-nums">{formatNumber(used)}</span>,
    },
  ];
}
