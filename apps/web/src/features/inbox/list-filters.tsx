import { useQuery } from '@tanstack/react-query';
import { ListFilter } from 'lucide-react';
import { conversationStatuses } from '@app/domain/conversations/conversation-status';
import { orpc } from '../../shared/api.ts';
import { inboxTabs, type InboxTab } from '../../shared/conversations/conversations-queries.ts';
import { labelsOptions } from '../../shared/conversations/label-queries.ts';
import { formatCapped } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Popover } from '../../ui/overlays/popover.tsx';
import { FilterSelect } from '../../ui/table/filter-select.tsx';
import type { readInboxSearch } from './inbox-search.ts';

type Url = ReturnType<typeof readInboxSearch>;
export interface FilteredList {
  url: Url;
  setUrl: (patch: Partial<{ [Name in keyof Url]: Url[Name] | undefined }>) => void;
  activeFilters: number;
  clear: () => void;
}

/** Tabs of the list, and beside them what else leaves conversations out. */
export function ListFilters({ list }: { list: FilteredList }) {
  const { tab } = list.url;
  const counts = useQuery(orpc.conversations.count.queryOptions({ input: {} }));
  const more = list.activeFilters - (tab === 'all' ? 0 : 1);
  return (
    <div className="flex shrink-0 items-center gap-1 border-b border-border px-2 pb-2">
      <div
        role="group"
        aria-label={t('inbox.tabs')}
        className="flex min-w-0 flex-1 gap-0.5 overflow-x-auto [scrollbar-width:none]"
      >
        {inboxTabs.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={tab === name}
            onClick={() => list.setUrl({ tab: name === 'all' ? undefined : name })}
            className={classNames(
              'flex h-8 shrink-0 items-center gap-1.5 rounded-full px-3 text-sm font-medium transition-colors focus-visible:-outline-offset-2',
              tab === name
                ? 'bg-primary-soft text-primary-text'
                : 'text-muted hover:bg-hover hover:text-text',
            )}
          >
            {t(`inbox.tab.${name}`)}
            {name === 'unread' && counts.data && counts.data.unread > 0 ? (
              <span className="text-xs tabular-nums">{formatCapped(counts.data.unread, 99)}</span>
            ) : null}
          </button>
        ))}
      </div>
      <Popover
        className="w-80"
        title={t('inbox.filters')}
        trigger={
          <IconButton
            label={more > 0 ? t('inbox.filtersOn', { n: more }) : t('inbox.filters')}
            className={more > 0 ? 'text-primary-text' : undefined}
          >
            <ListFilter aria-hidden />
          </IconButton>
        }
      >
        <MoreFilters list={list} />
        {more > 0 ? (
          <Button
            size="small"
            variant="ghost"
            className="mt-3"
            onClick={() => list.setUrl({ ...withoutFilters, tab: keepTab(tab) })}
          >
            {t('inbox.clearFilters')}
          </Button>
        ) : null}
      </Popover>
    </div>
  );
}

const withoutFilters = {
  assignee: undefined,
  status: undefined,
  label: undefined,
  team: undefined,
  channel: undefined,
  due: undefined,
};

function keepTab(tab: InboxTab): InboxTab | undefined {
  return tab === 'all' ? undefined : tab;
}

function MoreFilters({ list: { url, setUrl } }: { list: FilteredList }) {
  const assignees = useQuery(
    orpc.conversations.listAssignees.queryOptions({ input: {}, enabled: can('messages:update') }),
  );
  const labels = useQuery(labelsOptions());
  const channels = useQuery(orpc.channels.list.queryOptions({ input: {} }));
  const any = { value: '', label: t('inbox.any') };
  const people = assignees.data?.people ?? [];
  const teams = assignees.data?.teams ?? [];
  return (
    <div className="grid gap-2">
      <FilterSelect
        label={t('inbox.filter.assignee')}
        value={url.assignee}
        onChange={(assignee) => setUrl({ assignee: assignee || undefined })}
        options={[
          any,
          { value: 'me', label: t('inbox.mine') },
          { value: 'nobody', label: t('inbox.unassigned') },
          ...people.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <FilterSelect
        label={t('inbox.filter.status')}
        value={url.status}
        onChange={(status) => setUrl({ status: status || undefined })}
        options={[
          { ...any, value: '' as const },
          ...conversationStatuses.map((status) => ({ value: status, label: t(`inbox.status.${status}`) })),
        ]}
      />
      <FilterSelect
        label={t('inbox.filter.label')}
        value={url.label}
        onChange={(label) => setUrl({ label: label || undefined })}
        options={[any, ...(labels.data?.items ?? []).map(({ name }) => ({ value: name, label: name }))]}
      />
      <FilterSelect
        label={t('teamwork.dueFilter')}
        value={url.due}
        onChange={(due) => setUrl({ due: due || undefined })}
        options={[
          { ...any, value: '' as const },
          { value: 'next' as const, label: t('teamwork.dueNext') },
        ]}
      />
      {teams.length > 0 ? (
        <FilterSelect
          label={t('inbox.filter.team')}
          value={url.team}
          onChange={(team) => setUrl({ team: team || undefined })}
          options={[any, ...teams.map(({ id, name }) => ({ value: id, label: name }))]}
        />
      ) : null}
      {(channels.data?.items.length ?? 0) > 1 ? (
        <FilterSelect
          label={t('inbox.filter.channel')}
          value={url.channel}
          onChange={(channel) => setUrl({ channel: channel || undefined })}
          options={[
            any,
            ...(channels.data?.items ?? []).map(({ id, displayName, kind }) => ({
              value: id,
              label: displayName ?? kind,
            })),
          ]}
        />
      ) : null}
    </div>
  );
}
