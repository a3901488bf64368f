import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useMemo, useState } from 'react';
import { orpc } from '../../../shared/api.ts';
import { formatDateTime } from '../../../shared/formats.ts';
import { readOn } from '../../../shared/lists/use-list-page.ts';
import { t, useLocale, type Locale } from '../../../shared/messages.ts';
import { useDebounced } from '../../../shared/use-debounced.ts';
import { useUrlState } from '../../../shared/url-state.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Drawer } from '../../../ui/overlays/dialog.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../../ui/states.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { SearchInput } from '../../../ui/table/search-input.tsx';
import type { Column } from '../../../ui/table/table-column.ts';
import { Toolbar } from '../../../ui/table/toolbar.tsx';
import { reasonText, stepName } from '../flow-words.ts';
import { workflowErrorMessage, type WorkflowDetails, type WorkflowRun } from '../workflows-queries.ts';
import { RunBadge } from './run-badge.tsx';
import {
  countFilters,
  isFiltered,
  noRunFilters,
  readRunsSearch,
  RunDays,
  RunFilters,
  runsWanted,
} from './run-filters.tsx';
import { RunLog } from './run-log.tsx';

/** Runs move by themselves: a list that somebody looks at is read anew. */
const READ_EVERY_MS = 5_000;

const contactName = ({ contact, isContactGone }: WorkflowRun): string =>
  contact?.name ?? t(isContactGone ? 'automation.deletedContact' : 'automation.noContact');

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

/** The runs of a workflow, newest first, each with its log. */
export function WorkflowRuns({ workflow }: { workflow: Pick<WorkflowDetails, 'id' | 'status'> }) {
  const [url, setUrl] = useUrlState(readRunsSearch);
  const { run } = url;
  // Fixed periods end when the log was opened; newer runs are in them as well.
  const [openedAt] = useState(() => Date.now());
  const search = useDebounced(url.search.trim());
  const wanted = runsWanted(url, openedAt);
  const query = useInfiniteQuery(
    orpc.workflowRuns.list.infiniteOptions({
      input: (cursor: string | undefined) => ({
        workflowId: workflow.id,
        limit: 50,
        ...wanted,
        ...(search === '' ? {} : { search }),
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
  return (
    <div className="flex flex-col gap-4">
      <Toolbar
        search={
          <SearchInput
            value={url.search}
            onChange={(typed) => setUrl({ search: typed })}
            placeholder={t('automation.searchRuns')}
          />
        }
        active={countFilters(url)}
      >
        <RunFilters url={url} onChange={setUrl} />
      </Toolbar>
      <RunDays url={url} onChange={setUrl} />
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
          isFiltered(url) ? (
            <EmptyState
              icon={<History />}
              title={t('automation.noRunsMatching')}
              action={<Button onClick={() => setUrl(noRunFilters)}>{t('automation.clearFilters')}</Button>}
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
