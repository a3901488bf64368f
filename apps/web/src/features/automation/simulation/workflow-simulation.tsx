import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../../shared/actions/use-action.ts';
import { api, orpc } from '../../../shared/api.ts';
import { errorMessage } from '../../../shared/error-message.ts';
import { formatDateTime } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { followOperation } from '../../../shared/operations/follow-operation.ts';
import { isOperationOver, useOperations, type Operation } from '../../../shared/operations/operations.ts';
import { can } from '../../../shared/session.ts';
import { useMessages } from '../../../shared/use-messages.ts';
import { Button } from '../../../ui/button.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { Banner, EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../../ui/states.tsx';
import { FilterSelect } from '../../../ui/table/filter-select.tsx';
import { LoadMore } from '../../../ui/table/load-more.tsx';
import { notify } from '../../../ui/toast.ts';
import type { Draft } from '../editor/use-draft.ts';
import { workflowErrorMessage, type Simulation, type WorkflowDetails } from '../workflows-queries.ts';
import { SimulatedContactRow } from './simulated-contact.tsx';
import { SimulationFigures, SimulationLimits, SimulationMessages } from './simulation-figures.tsx';

type Difference = 'enters' | 'stays_out' | 'other_path' | 'other_messages';
const shownDifferences = ['enters', 'stays_out', 'other_path', 'other_messages'] as const;

/** As the server has it. */
const DAYS = 7;

/** What the draft would have done with the events of the last days, against the published version. Nothing is sent by it. */
export function WorkflowSimulation({ workflow, draft }: { workflow: WorkflowDetails; draft: Draft }) {
  const hasWords = useMessages('workflow-simulation');
  const query = useQuery(orpc.workflowSimulations.get.queryOptions({ input: { workflowId: workflow.id } }));
  if (query.isError)
    return <ErrorState text={workflowErrorMessage(query.error)} onRetry={() => void query.refetch()} />;
  if (!hasWords || !query.data)
    return (
      <SkeletonRegion className="grid gap-4">
        <Skeleton className="h-24" />
        <Skeleton className="h-64" />
      </SkeletonRegion>
    );
  const { simulation } = query.data;
  return (
    <div className="flex flex-col gap-4">
      <Beginning workflow={workflow} draft={draft} hasOne={simulation !== null} />
      {simulation ? <Found workflow={workflow} simulation={simulation} /> : null}
    </div>
  );
}

function Beginning({
  workflow,
  draft,
  hasOne,
}: {
  workflow: WorkflowDetails;
  draft: Draft;
  hasOne: boolean;
}) {
  const queryClient = useQueryClient();
  const [ended, setEnded] = useState<Operation['state'] | null>(null);
  const running = useOperations().find(
    ({ kind, subject, ...operation }) =>
      kind === 'workflow-simulation' && subject === workflow.id && !isOperationOver(operation),
  );
  const readAnew = async () => {
    await queryClient.invalidateQueries({ queryKey: orpc.workflowSimulations.key() });
    await queryClient.invalidateQueries({ queryKey: orpc.operations.key() });
  };
  const begin = useAction({
    mutationFn: async () => {
      setEnded(null);
      // It is the stored draft that is tried.
      if (!(await draft.check())) return;
      const begun = await api.workflowSimulations.start({ workflowId: workflow.id });
      void queryClient.invalidateQueries({ queryKey: orpc.operations.key() });
      const operation = await followOperation(begun.id);
      setEnded(operation?.state ?? 'failed');
      await readAnew();
    },
    onError: (error: unknown) => notify.error(workflowErrorMessage(error)),
  });
  const cancel = useAction({
    mutationFn: (operationId: string) => api.operations.cancel({ operationId }),
    onError: (error: unknown) => notify.error(errorMessage(error)),
    onSettled: () => void readAnew(),
  });
  const isBusy = begin.isPending || running !== undefined;
  const mayBegin = can('campaigns:update');
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 basis-72 text-muted">{t('simulation.intro', { n: DAYS })}</p>
        {mayBegin ? (
          <Button
            variant={hasOne ? 'secondary' : 'primary'}
            icon={<FlaskConical aria-hidden />}
            loading={isBusy}
            disabled={draft.conflict !== null}
            onClick={() => begin.mutate()}
          >
            {t(hasOne ? 'simulation.again' : 'simulation.start')}
          </Button>
        ) : null}
      </div>
      {running ? (
        <div className="flex flex-wrap items-center gap-3">
          <div className="min-w-48 flex-1">
            <Progress
              label={t('simulation.running')}
              done={running.done}
              total={Math.max(1, running.total ?? running.done)}
              hideCounts={running.total === null}
            />
          </div>
          {running.mayCancel ? (
            <Button size="small" loading={cancel.isPending} onClick={() => cancel.mutate(running.id)}>
              {t('simulation.stop')}
            </Button>
          ) : null}
        </div>
      ) : null}
      {ended === 'failed' || ended === 'cancelled' ? (
        <Banner tone={ended === 'failed' ? 'danger' : 'info'}>{t(`simulation.${ended}`)}</Banner>
      ) : null}
      {!hasOne && !isBusy && ended === null && !mayBegin ? (
        <EmptyState icon={<FlaskConical />} title={t('simulation.none')} />
      ) : null}
    </div>
  );
}

function Found({ workflow, simulation }: { workflow: WorkflowDetails; simulation: Simulation }) {
  const { draft, published, events, isCut } = simulation;
  const [from, to] = [formatDateTime(simulation.from), formatDateTime(simulation.to)];
  const time = formatDateTime(simulation.madeAt);
  const isOutdated = draft !== workflow.version || published !== workflow.publishedVersion;
  return (
    <>
      {isOutdated ? <Banner tone="warning">{t('simulation.outdated')}</Banner> : null}
      {isCut ? <Banner tone="warning">{t('simulation.cut', { to })}</Banner> : null}
      <p className="text-sm text-muted">
        {published === null
          ? t('simulation.comparedWithNone', { time })
          : t('simulation.compared', { time, number: published })}
        {' · '}
        {t('simulation.span', { events, from, to })}
      </p>
      {simulation.contacts === 0 ? (
        <EmptyState icon={<FlaskConical />} title={t('simulation.noContacts')} />
      ) : (
        <>
          <SimulationFigures simulation={simulation} />
          <SimulationMessages simulation={simulation} />
          <Contacts workflowId={workflow.id} simulation={simulation} />
        </>
      )}
      <SimulationLimits simulation={simulation} />
    </>
  );
}

function Contacts({ workflowId, simulation }: { workflowId: string; simulation: Simulation }) {
  const [difference, setDifference] = useState<Difference | ''>('');
  const query = useInfiniteQuery(
    orpc.workflowSimulations.listContacts.infiniteOptions({
      input: (cursor: string | undefined) => ({
        ...{ workflowId, limit: 50 },
        ...(difference === '' ? {} : { difference }),
        ...(cursor === undefined ? {} : { cursor }),
      }),
      initialPageParam: undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      placeholderData: keepPreviousData,
    }),
  );
  const rows = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const count = shownDifferences.reduce((sum, name) => sum + (simulation.differences[name] ?? 0), 0);
  if (count === 0) return <EmptyState icon={<FlaskConical />} title={t('simulation.noDifference')} />;
  return (
    <section aria-label={t('simulation.contacts')} className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold">{t('simulation.contacts')}</h2>
        <FilterSelect
          label={t('simulation.difference')}
          value={difference}
          onChange={setDifference}
          options={[
            { value: '', label: t('simulation.difference.all') },
            ...shownDifferences.map((value) => ({ value, label: t(`simulation.difference.${value}`) })),
          ]}
        />
      </div>
      {query.isError ? (
        <ErrorState text={workflowErrorMessage(query.error)} onRetry={() => void query.refetch()} />
      ) : query.isPending ? (
        <Skeleton className="h-48" />
      ) : rows.length === 0 ? (
        <EmptyState icon={<FlaskConical />} title={t('simulation.noneOfKind')} />
      ) : (
        <ul className="divide-y divide-border rounded-card border border-border bg-raised px-3">
          {rows.map((row, index) => (
            <SimulatedContactRow key={row.contact?.id ?? index} row={row} />
          ))}
        </ul>
      )}
      {query.hasNextPage ? (
        <LoadMore
          label={t('simulation.more')}
          loading={query.isFetchingNextPage}
          onReached={() => void query.fetchNextPage()}
        />
      ) : null}
    </section>
  );
}
