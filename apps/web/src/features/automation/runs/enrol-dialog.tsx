import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../../shared/actions/use-action.ts';
import { api, orpc } from '../../../shared/api.ts';
import { formatDuration, formatNumber } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { whileReachable } from '../../../shared/offline/kept-rows.ts';
import { useDebounced } from '../../../shared/use-debounced.ts';
import { useMessages } from '../../../shared/use-messages.ts';
import { useConfirm } from '../../../ui/overlays/confirm.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { Banner, ErrorState, Skeleton } from '../../../ui/states.tsx';
import { notify } from '../../../ui/toast.ts';
import { AudiencePicker } from '../../sending/audience/audience-picker.tsx';
import {
  emptySelection,
  isSelectionEmpty,
  toAudience,
  type AudienceSelection,
} from '../../sending/audience/audience-selection.ts';
import { workflowErrorMessage, workflowKeys, type WorkflowDetails } from '../workflows-queries.ts';

type Preview = Awaited<ReturnType<typeof api.workflowRuns.previewEnrolment>>;

/** Enters contacts, tags or segments into a workflow by hand: who enters is counted before anything happens. */
export function EnrolDialog({
  workflow: { id: workflowId, name, steps },
  onClose,
}: {
  workflow: Pick<WorkflowDetails, 'id' | 'name' | 'steps'>;
  onClose: () => void;
}) {
  const hasWords = useMessages('sending');
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const [selection, setSelection] = useState<AudienceSelection>(emptySelection);
  const settled = useDebounced(selection, 250);
  const isEmpty = isSelectionEmpty(settled);
  const preview = useQuery(
    orpc.workflowRuns.previewEnrolment.queryOptions({
      input: { workflowId, audience: toAudience(settled) },
      enabled: !isEmpty,
      placeholderData: whileReachable,
    }),
  );
  const enrol = useAction({
    mutationFn: (audience: ReturnType<typeof toAudience>) => api.workflowRuns.enrol({ workflowId, audience }),
    onSuccess: ({ enrolled }) => {
      notify.success(t('workflowRuns.enrol.done', { n: enrolled, name }));
      onClose();
    },
    onSettled: () => {
      for (const queryKey of workflowKeys()) void queryClient.invalidateQueries({ queryKey });
    },
  });
  const isCurrent = settled === selection && !preview.isPlaceholderData && !preview.isFetching;
  const counted = isEmpty || !isCurrent ? undefined : preview.data;
  const n = counted?.willEnter ?? 0;
  async function submit() {
    if (!counted) return;
    const facts = factsOf(counted);
    const isMeant = await confirm({
      title: t('workflowRuns.enrol.question', { n, name }),
      text: t(steps.includes('send_message') ? 'workflowRuns.enrol.sends' : 'workflowRuns.enrol.acts'),
      ...(facts.length > 0 && { facts }),
      confirmLabel: t('workflowRuns.enrol.submit', { n }),
      danger: false,
    });
    if (isMeant) enrol.mutate(toAudience(settled));
  }
  if (!hasWords) return null;
  return (
    <FormDialog
      title={t('workflowRuns.enrol.title')}
      description={t('workflowRuns.enrol.text', { name })}
      size="large"
      submitLabel={counted ? t('workflowRuns.enrol.submit', { n }) : t('workflowRuns.enrol.title')}
      isReady={n > 0}
      whyNot={
        isSelectionEmpty(selection)
          ? t('workflowRuns.enrol.chooseFirst')
          : counted
            ? t('workflowRuns.enrol.nobody')
            : t('workflowRuns.enrol.counting')
      }
      isSaving={enrol.isPending}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {enrol.error ? <Banner tone="danger">{workflowErrorMessage(enrol.error)}</Banner> : null}
      <AudiencePicker compact hasCountElsewhere selection={selection} onChange={setSelection} />
      {isEmpty ? null : preview.isError ? (
        <ErrorState
          text={workflowErrorMessage(preview.error)}
          onRetry={() => void preview.refetch()}
          className="py-4"
        />
      ) : preview.data ? (
        <Counted preview={preview.data} isBusy={!isCurrent} />
      ) : (
        <Skeleton className="h-16" />
      )}
    </FormDialog>
  );
}

function factsOf({ blocked, enteredBefore, inProgress, optedOut, willEnter, perMinute }: Preview) {
  const lines = { blocked, enteredBefore, inProgress, optedOut };
  return [
    ...(Object.keys(lines) as (keyof typeof lines)[]) // its keys
      .filter((key) => lines[key] > 0)
      .map((key) => ({ label: t(`workflowRuns.enrol.${key}`), value: formatNumber(lines[key]) })),
    ...(willEnter > perMinute
      ? [
          {
            label: t('workflowRuns.enrol.pace', { n: perMinute }),
            value: formatDuration((willEnter / perMinute) * 60),
          },
        ]
      : []),
  ];
}

function Counted({ preview, isBusy }: { preview: Preview; isBusy: boolean }) {
  return (
    <div className="grid gap-2 border-t border-border pt-4" aria-busy={isBusy || undefined}>
      <p role="status" className="font-semibold">
        {t('workflowRuns.enrol.willEnter', { n: preview.willEnter })}{' '}
        <span className="font-normal text-muted">
          {t('workflowRuns.enrol.ofChosen', { n: preview.chosen })}
        </span>
      </p>
      <dl className="grid gap-1 text-sm text-muted empty:hidden">
        {factsOf(preview).map(({ label, value }) => (
          <div key={label} className="flex justify-between gap-3">
            <dt>{label}</dt>
            <dd className="tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
