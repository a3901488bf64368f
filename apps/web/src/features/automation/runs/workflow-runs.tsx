import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useMemo, useState } from 'react';
import { orpc } from '../../../shared/api.ts';
import { formatDateTime } from '../../../shared/formats.ts';
import { readOn } from '../../../shared/lists/use-list-page.ts';
import { t, useLocale, type Locale } from '../../../shared/messages.ts';
import { useDebounced } from '../../../shared/use-debounced.ts';
import { readText, useUrlState } from '../../../shared/url-state.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Drawer } from '../../../ui/overlays/dialog.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../../ui/states.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { FilterSelect } from '../../../ui/table/filter-select.tsx';
import { SearchInput } from '../../../ui/table/search-input.tsx';
import type { Column } from '../../../ui/table/table-column.ts';
import { Toolbar } from '../../../ui/table/toolbar.tsx';
import { optionName, reasonText, stepName } from '../flow-words.ts';
import { workflowErrorMessage, type WorkflowDetails, type WorkflowRun } from '../workflows-queries.ts';
import { RunBadge } from './run-badge.tsx';
import { RunLog } from './run-log.tsx';

/** Runs move by themselves: a list that somebody looks at is read anew. */
const READ_EVERY_MS = 5_000;

/** As the contract has them. */
const runStatuses = [
  'running',
  'completed',
  'failed',
  'cancelled',
] as const satisfies readonly WorkflowRun['status'][];
const periods = ['day', 'week', 'month'] as const;
const periodHours: Record<(typeof periods)[number], number> = { day: 24, week: 24 * 7, month: 24 * 30 };

const contactName = ({ contact }: WorkflowRun): string => contact?.name ?? t('automation.noContact');

function placeOf({ at, code }: WorkflowRun): string {
  if (at) return stepName(at.type);
  return code ? reasonText(code) : '—';
}

function runColumns(_locale: Locale): Column<WorkflowRun>[] {
  return [
    { id: 'contact', header: t('automation.run.contact'), cell: contactName, card: 'title' },
    {
      id: 'status',
      header: t('automation.run.status'),
      cell: ({ status, isTest }) => (
        <span className="flex flex-wrap items-center gap-1.5">
          <RunBadge status={status} />
          {isTest ? <Badge>{t('workflowRuns.testRun')}</Badge> : null}
        </span>
      ),
    },
    { id: 'place', header: t('automation.run.place'), cell: placeOf },
    {
      id: 'started',
      header: t('automation.run.started'),
      cell: ({ startedAt }) => formatDateTime(startedAt),
    },
  ];
}

const readRun = (search: Record<string, unknown>) => ({ run: readText(search, 'run') });

/** The runs of a workflow, newest first, each with its log. */
export function WorkflowRuns({ workflow }: { workflow: Pick<WorkflowDetails, 'id' | 'status'> }) {
  const [{ run }, setUrl] = useUrlState(readRun);
  const [status, setStatus] = useState<WorkflowRun['status'] | ''>('');
  const [period, setPeriod] = useState<(typeof periods)[number] | ''>('');
  const [from, setFrom] = useState<string>();
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed.trim());
  const query = useInfiniteQuery(
    orpc.workflowRuns.list.infiniteOptions({
      input: (cursor: string | undefined) => ({
        workflowId: workflow.id,
        limit: 50,
        ...(status === '' ? {} : { status }),
        ...(search === '' ? {} : { search }),
        ...(from === undefined ? {} : { from }),
        ...(cursor === undefined ? {} : { cursor }),
      }),
      initialPageParam: undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      placeholderData: keepPreviousData,
      refetchInterval: READ_EVERY_MS,
    }),
  );
  const locale = useLocale();
  const columns = useMemo(() => runColumns(locale), [locale]);
  const rows = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const isFiltered = status !== '' || search !== '' || period !== '';
  function clear() {
    setStatus('');
    setPeriod('');
    setFrom(undefined);
    setTyped('');
  }
  return (
    <div className="flex flex-col gap-4">
      <Toolbar
        search={<SearchInput value={typed} onChange={setTyped} placeholder={t('automation.searchRuns')} />}
      >
        <FilterSelect
          label={t('automation.filter.status')}
          value={status}
          onChange={setStatus}
          options={[
            { value: '', label: t('automation.filter.all') },
            ...runStatuses.map((value) => ({ value, label: optionName(`run_${value}`) })),
          ]}
        />
        <FilterSelect
          label={t('automation.filter.started')}
          value={period}
          onChange={(next) => {
            setPeriod(next);
            setFrom(
              next === '' ? undefined : new Date(Date.now() - periodHours[next] * 3_600_000).toISOString(),
            );
          }}
          options={[
            { value: '', label: t('automation.filter.anyTime') },
            ...periods.map((value) => ({ value, label: optionName(`last_${value}`) })),
          ]}
        />
      </Toolbar>
      <DataTable
        label={t('automation.runs')}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        rowName={contactName}
        status={query.status === 'pending' ? 'loading' : query.status === 'error' ? 'error' : 'ready'}
        errorText={query.isError ? workflowErrorMessage(query.error) : undefined}
        onRetry={() => void query.refetch()}
        onEndReached={query.hasNextPage ? () => readOn(query) : undefined}
        loadingMore={query.isFetchingNextPage}
        onOpenRow={({ id }) => setUrl({ run: id }, { push: true })}
        empty={
          isFiltered ? (
            <EmptyState
              icon={<History />}
              title={t('automation.noRunsMatching')}
              action={<Button onClick={clear}>{t('automation.clearFilters')}</Button>}
            />
          ) : (
            <EmptyState
              icon={<History />}
              title={t('automation.noRuns')}
              text={t(workflow.status === 'active' ? 'automation.noRunsText' : 'automation.noRunsInactive')}
            />
          )
        }
      />
      {run === '' ? null : <RunDrawer runId={run} onClose={() => setUrl({ run: undefined })} />}
    </div>
  );
}

function RunDrawer({ runId, onClose }: { runId: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(
    orpc.workflowRuns.get.queryOptions({ input: { runId }, refetchInterval: READ_EVERY_MS }),
  );
  return (
    <Drawer
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={data ? contactName(data) : t('automation.run')}
      description={data ? t('automation.run.of', { name: data.workflowName }) : undefined}
    >
      {data ? (
        <RunLog run={data} />
      ) : error ? (
        <ErrorState text={workflowErrorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRegion>
          <Skeleton className="h-64" />
        </SkeletonRegion>
      )}
    </Drawer>
  );
}
