import { rcsRates } from '@app/domain/rcs/rcs-message';
import { useQueryClient } from '@tanstack/react-query';
import { Copy, Eye, Megaphone, MessageSquareMore, Pause, Pencil, Play, Send, Trash2 } from 'lucide-react';
import { useMemo } from 'react';
import { useAction } from '../../../shared/actions/use-action.ts';
import { orpc, type api } from '../../../shared/api.ts';
import { formatDateTime, formatNumber } from '../../../shared/formats.ts';
import { FilterSelects } from '../../../shared/lists/filter-selects.tsx';
import { namesOf } from '../../../shared/lists/list-filters.ts';
import { NoRows } from '../../../shared/lists/no-rows.tsx';
import { useListPage } from '../../../shared/lists/use-list-page.ts';
import { t } from '../../../shared/messages.ts';
import { OfflineSearchNote } from '../../../shared/offline/offline-search-note.tsx';
import { can } from '../../../shared/session.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { useConfirm } from '../../../ui/overlays/confirm.tsx';
import type { MenuEntry } from '../../../ui/overlays/menu.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { SearchInput } from '../../../ui/table/search-input.tsx';
import type { Column } from '../../../ui/table/table-column.ts';
import { Toolbar } from '../../../ui/table/toolbar.tsx';
import { notify } from '../../../ui/toast.ts';
import { rateText } from '../rate-text.ts';
import {
  findKeptMessages,
  listOptions,
  messageFilters,
  rcsErrorMessage,
  readMessagesSearch,
  type RcsMessage,
} from './rcs-messages-queries.ts';

/** With codes of languages that the server knows. */
type Stored = Omit<Parameters<typeof api.rcs.update>[0], 'rcsMessageId' | 'version' | 'status'>;
type Dialog = 'edit' | 'copy' | 'preview' | 'test';
const filterNames = namesOf(messageFilters);

/** Messages that are written once and sent often. */
export function MessagesTab({
  onOpen,
  onCreateCampaign,
}: {
  onOpen: (dialog: Dialog, messageId: string) => void;
  onCreateCampaign: (messageId: string) => void;
}) {
  const list = useListPage({
    ...{ read: readMessagesSearch, filters: filterNames, options: listOptions, find: findKeptMessages },
  });
  const columns = useMemo(() => makeColumns(), []);
  const act = useMessageActions();

  const actionsOn = (message: RcsMessage): MenuEntry[] => {
    const { id, status } = message;
    const turn =
      status === 'active'
        ? { label: t('rcs.pause'), icon: <Pause />, onSelect: () => void act.setStatus(message, 'paused') }
        : { label: t('rcs.activate'), icon: <Play />, onSelect: () => void act.setStatus(message, 'active') };
    return [
      { label: t('rcs.preview'), icon: <Eye />, onSelect: () => onOpen('preview', id) },
      ...(can('campaigns:update')
        ? [{ label: t('common.edit'), icon: <Pencil />, onSelect: () => onOpen('edit', id) }, turn]
        : []),
      ...(can('campaigns:create')
        ? [{ label: t('rcs.duplicate'), icon: <Copy />, onSelect: () => onOpen('copy', id) }]
        : []),
      ...(can('campaigns:create') && status === 'active'
        ? [{ label: t('rcs.createCampaign'), icon: <Megaphone />, onSelect: () => onCreateCampaign(id) }]
        : []),
      ...(can('campaigns:create') && can('messages:create')
        ? [{ label: t('rcs.test'), icon: <Send />, onSelect: () => onOpen('test', id) }]
        : []),
      ...(can('campaigns:delete')
        ? [
            'separator' as const,
            {
              ...{ label: t('common.delete'), icon: <Trash2 />, danger: true },
              onSelect: () => void act.remove(message),
            },
          ]
        : []),
    ];
  };

  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Toolbar
        search={<SearchInput {...list.searchField} placeholder={t('rcs.search')} />}
        active={list.activeFilters}
      >
        <FilterSelects filters={messageFilters} choice={list.choice} />
      </Toolbar>
      <OfflineSearchNote searched={list.searched} />
      <DataTable
        {...list.shown}
        label={t('rcs.tab.messages')}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        rowActions={actionsOn}
        onOpenRow={({ id }) => onOpen(can('campaigns:update') ? 'edit' : 'preview', id)}
        empty={
          <NoRows
            list={list}
            title={t('rcs.none')}
            noMatch={t('rcs.noneMatching')}
            clearLabel={t('rcs.clear')}
            text={t('rcs.noneText')}
            icon={<MessageSquareMore />}
          />
        }
      />
    </div>
  );
}

function useMessageActions() {
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const update = useAction(orpc.rcs.update.mutationOptions());
  const remove = useAction(orpc.rcs.remove.mutationOptions());
  const settle = async (work: Promise<unknown>, done: string) => {
    try {
      await work;
      notify.success(done);
    } catch (error) {
      notify.error(rcsErrorMessage(error));
    }
    await queryClient.invalidateQueries({ queryKey: orpc.rcs.key() });
  };
  return {
    setStatus: (
      { id, version, name, type, content, language, translations, category }: RcsMessage,
      status: RcsMessage['status'],
    ) =>
      settle(
        update.mutateAsync({
          ...({ name, type, content, language, translations, category } as Stored),
          rcsMessageId: id,
          version,
          status,
        }),
        t(status === 'active' ? 'rcs.activated' : 'rcs.paused'),
      ),
    async remove({ id, name }: RcsMessage) {
      const isSure = await confirm({
        ...{ title: t('rcs.deleteQuestion', { name }), text: t('rcs.deleteText') },
        ...{ confirmLabel: t('common.delete'), danger: true },
      });
      if (isSure) await settle(remove.mutateAsync({ rcsMessageId: id }), t('rcs.deleted'));
    },
  };
}

const statusTones: Record<RcsMessage['status'], BadgeTone> = {
  ...{ draft: 'neutral', active: 'success', paused: 'warning' },
};

function makeColumns(): Column<RcsMessage>[] {
  return [
    {
      ...{ id: 'name', header: t('rcs.name'), width: 'minmax(10rem, 2fr)', card: 'title' },
      cell: ({ name }) => <bdi className="font-medium wrap-anywhere">{name}</bdi>,
    },
    {
      ...{ id: 'type', header: t('rcs.type'), width: '8.5rem' },
      cell: ({ type }) => t(`rcs.type.${type}`),
    },
    {
      ...{ id: 'category', header: t('rcs.category'), width: '9rem', hideBelow: 'lg' },
      cell: ({ category }) => t(`rcs.category.${category}`),
    },
    {
      ...{ id: 'status', header: t('rcs.status'), width: '7rem' },
      cell: ({ status }) => <Badge tone={statusTones[status]}>{t(`rcs.status.${status}`)}</Badge>,
    },
    {
      ...{ id: 'sent', header: t('rcs.metric.sent'), width: '5rem', align: 'end', hideBelow: 'lg' },
      cell: ({ metrics }) => formatNumber(metrics.sent),
    },
    ...(['click', 'conversion'] as const).map((rate): Column<RcsMessage> => ({
      ...{
        id: rate,
        header: t(`rcs.rate.${rate}`),
        width: rate === 'click' ? '8rem' : '10rem',
        align: 'end',
        hideBelow: 'xl',
      },
      cell: ({ metrics }) => rateText(rcsRates(metrics)[rate]),
    })),
    {
      ...{ id: 'updated', header: t('rcs.updated'), width: '13rem', hideBelow: 'md' },
      cell: ({ updatedAt }) => <time dateTime={updatedAt}>{formatDateTime(updatedAt)}</time>,
    },
  ];
}
