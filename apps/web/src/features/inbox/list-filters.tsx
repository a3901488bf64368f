import { useQuery } from '@tanstack/react-query';
import { ListFilter } from 'lucide-react';
import { Suspense, useLayoutEffect, useRef } from 'react';
import { conversationPriorities, conversationStatuses } from '@app/domain/conversations/conversation-status';
import { orpc } from '../../shared/api.ts';
import { nameChannels } from '../../shared/conversations/channel-names.ts';
import { inboxTabs, queryOf, type InboxTab } from '../../shared/conversations/conversations-queries.ts';
import { labelsOptions } from '../../shared/conversations/label-queries.ts';
import { formatCapped } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { Popover } from '../../ui/overlays/popover.tsx';
import { Tooltip } from '../../ui/overlays/tooltip.tsx';
import { showTab } from '../../ui/tabs.tsx';
import { FilterSelect, type FilterOption } from '../../ui/table/filter-select.tsx';
import { withoutFilters, type FilteredList } from './inbox-search.ts';
import { useViews } from './views/use-views.ts';
import { ViewStrip } from './views/view-strip.tsx';
import { ViewsMenu } from './views/views-menu.tsx';

const ViewDialog = lazyDialog(async () => (await import('./views/view-dialog.tsx')).ViewDialog);

/** Tabs of the list, and beside them what else leaves conversations out. */
export function ListFilters({
  list,
  viewsMenu,
}: {
  list: FilteredList;
  viewsMenu: { open: boolean; onOpenChange: (open: boolean) => void };
}) {
  const { tab } = list.url;
  const counts = useQuery(orpc.conversations.count.queryOptions({ input: {} }));
  const unread = counts.data?.unread ?? 0;
  const more = list.activeFilters - (tab === 'all' ? 0 : 1);
  const views = useViews(list);
  const row = useRef<HTMLDivElement>(null);
  // In a long language on a narrow telephone it may stand beyond the edge.
  useLayoutEffect(() => showTab(row.current, tab), [tab]);
  return (
    <>
      <div className="flex shrink-0 items-center gap-1 border-b border-border px-2 pb-2">
        <div
          ref={row}
          role="group"
          aria-label={t('inbox.tabs')}
          className="flex min-w-0 flex-1 overflow-x-auto [scrollbar-width:none]"
        >
          {inboxTabs.map((name) => (
            <button
              key={name}
              data-tab={name}
              type="button"
              aria-pressed={tab === name}
              onClick={() => list.setUrl({ tab: name === 'all' ? undefined : name })}
              className={classNames(
                'flex h-8 shrink-0 items-center gap-1.5 rounded-full px-2 text-sm font-medium transition-colors focus-visible:-outline-offset-2',
                tab === name
                  ? 'bg-primary-soft text-primary-text'
                  : 'text-muted hover:bg-hover hover:text-text',
              )}
            >
              {t(`inbox.tab.${name}`)}
              {name === 'unread' && unread > 0 ? (
                <Tooltip text={t('inbox.unreadTip', { n: unread })}>
                  <span className="text-xs tabular-nums">{formatCapped(unread, 99)}</span>
                </Tooltip>
              ) : null}
            </button>
          ))}
        </div>
        <ViewsMenu views={views} isFiltered={list.activeFilters > 0} {...viewsMenu} />
        <Popover
          className="w-80"
          title={t('inbox.filters')}
          trigger={
            <IconButton
              label={more > 0 ? t('inbox.filtersOn', { n: more }) : t('inbox.filters')}
              className={more > 0 ? 'text-primary-text!' : undefined}
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
      <ViewStrip views={views} />
      <Suspense>
        {views.form ? (
          <ViewDialog
            view={views.form === 'new' ? undefined : views.form}
            query={queryOf(list.url)}
            onSaved={({ id }) => list.setUrl({ view: id })}
            onClose={() => views.setForm(null)}
          />
        ) : null}
      </Suspense>
    </>
  );
}

function keepTab(tab: InboxTab): InboxTab | undefined {
  return tab === 'all' ? undefined : tab;
}

function MoreFilters({ list: { url, setUrl } }: { list: FilteredList }) {
  const assignees = useQuery(
    orpc.conversations.listAssignees.queryOptions({ input: {}, enabled: can('messages:update') }),
  );
  const labels = useQuery(labelsOptions());
  const listed = useQuery(orpc.channels.list.queryOptions({ input: {} }));
  const channels = nameChannels(listed.data?.items ?? []);
  const any = { value: '', label: t('inbox.any') };
  const people = assignees.data?.people ?? [];
  const teams = assignees.data?.teams ?? [];
  return (
    <div className="grid gap-2">
      <FilterSelect
        label={t('inbox.filter.assignee')}
        value={url.assignee}
        onChange={(assignee) => setUrl({ assignee: assignee || undefined })}
        options={withChosen(url.assignee, assignees.isSuccess, [
          any,
          { value: 'me', label: t('inbox.mine') },
          { value: 'nobody', label: t('inbox.unassigned') },
          ...people.map(({ id, name }) => ({ value: id, label: name })),
        ])}
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
        label={t('inbox.priority')}
        value={url.priority}
        onChange={(priority) => setUrl({ priority: priority || undefined })}
        options={[
          { ...any, value: '' as const },
          ...conversationPriorities
            .toReversed()
            .map((value) => ({ value, label: t(`inbox.priority.${value}`) })),
        ]}
      />
      <FilterSelect
        label={t('inbox.filter.label')}
        value={url.label}
        onChange={(label) => setUrl({ label: label || undefined })}
        options={withChosen(url.label, labels.isSuccess, [
          any,
          ...(labels.data?.items ?? []).map(({ name }) => ({ value: name, label: name })),
        ])}
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
      {teams.length > 0 || url.team ? (
        <FilterSelect
          label={t('inbox.filter.team')}
          value={url.team}
          onChange={(team) => setUrl({ team: team || undefined })}
          options={withChosen(url.team, assignees.isSuccess, [
            any,
            ...teams.map(({ id, name }) => ({ value: id, label: name })),
          ])}
        />
      ) : null}
      {channels.size > 1 || url.channel ? (
        <FilterSelect
          label={t('inbox.filter.channel')}
          value={url.channel}
          onChange={(channel) => setUrl({ channel: channel || undefined })}
          options={withChosen(url.channel, listed.isSuccess, [
            any,
            ...[...channels].map(([value, { full }]) => ({ value, label: full })),
          ])}
        />
      ) : null}
    </div>
  );
}

/** What is chosen is always there to be seen, also when it is gone or nobody may tell its name. */
function withChosen(chosen: string, areAllKnown: boolean, options: FilterOption[]): FilterOption[] {
  if (options.some(({ value }) => value === chosen)) return options;
  return [...options, { value: chosen, label: areAllKnown ? t('inbox.gonePart') : '…' }];
}
