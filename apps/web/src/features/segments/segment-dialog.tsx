import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { cleanText } from '@app/domain/contacts/contact';
import { segmentLimits, type SegmentRules } from '@app/domain/segments/segment-rules';
import { api, orpc, readFailure } from '../../shared/api.ts';
import { whileReachable } from '../../shared/offline/kept-rows.ts';
import { t } from '../../shared/messages.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { useDebounced } from '../../shared/use-debounced.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Button } from '../../ui/button.tsx';
import { ConflictBanner } from '../../ui/conflict-banner.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Banner, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { conditionProblem } from './condition-problem.ts';
import { refreshContacts, type Segment } from '../../shared/contacts/contacts-queries.ts';
import { SegmentConditions } from './segment-conditions.tsx';
import { segmentErrorMessage } from './segments-menu.tsx';

type DialogProps = { onSaved: (segment: Segment) => void; onClose: () => void };

/** Makes a segment, or edits the one that is named, as the server has it now. */
export function SegmentDialog({
  segmentId,
  suggested,
  ...props
}: DialogProps & {
  segmentId: string;
  /** What the rules of a new one begin as. */
  suggested?: SegmentRules | undefined;
}) {
  if (segmentId !== '') return <EditDialog {...props} segmentId={segmentId} />;
  return <SegmentForm {...props} suggested={suggested} />;
}

function EditDialog({ segmentId, ...props }: DialogProps & { segmentId: string }) {
  // Read once: a later change by somebody else must not pull the ground from under what is typed.
  const found = useQuery({
    ...orpc.segments.get.queryOptions({ input: { segmentId } }),
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const [opened, setOpened] = useState<Segment>();
  if (!opened && found.isSuccess && found.isFetchedAfterMount) setOpened(found.data);
  if (opened) return <SegmentForm {...props} segment={opened} />;
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) props.onClose();
      }}
      title={t('contacts.segment.editTitle')}
      footer={<Button onClick={props.onClose}>{t('common.close')}</Button>}
    >
      {found.isError ? (
        <ErrorState text={segmentErrorMessage(found.error)} onRetry={() => void found.refetch()} />
      ) : (
        <SkeletonRegion className="grid gap-5 py-2">
          <Skeleton className="h-9" />
          <Skeleton className="h-9" />
        </SkeletonRegion>
      )}
    </Dialog>
  );
}

const emptyRules: SegmentRules = { match: 'all', conditions: [{ kind: 'has_tag', value: '' }] };

function SegmentForm({
  segment,
  suggested = emptyRules,
  onSaved,
  onClose,
}: DialogProps & { segment?: Segment; suggested?: SegmentRules | undefined }) {
  // Kept as it was opened: what is saved must follow the version that the person saw.
  const [opened, setOpened] = useState(segment);
  const [name, setName] = useState(opened?.name ?? '');
  const [rules, setRules] = useState<SegmentRules>(opened?.rules ?? suggested);
  const queryClient = useQueryClient();
  const create = useAction(orpc.segments.create.mutationOptions());
  const update = useAction(orpc.segments.update.mutationOptions());
  const failure = create.error ?? update.error;
  const isNameTaken = failure !== null && readFailure(failure).code === 'segment_name_taken';
  const [wasTried, setWasTried] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  const rulesProblem = conditionProblem(rules);
  const isNameMissing = cleanText(name) === '';
  const isChanged =
    name !== (opened?.name ?? '') || JSON.stringify(rules) !== JSON.stringify(opened?.rules ?? suggested);
  const closeSaved = useUnsavedWarning(isChanged, 'dialog');

  /** Their version becomes what the next save is checked against. */
  async function goOnFromTheirs(keepsMine: boolean) {
    if (!opened) return;
    try {
      const theirs = await api.segments.get({ segmentId: opened.id });
      setOpened(theirs);
      update.reset();
      if (keepsMine) return;
      setName(theirs.name);
      setRules(theirs.rules);
    } catch (error) {
      notify.error(segmentErrorMessage(error));
    }
  }

  async function save() {
    if (isNameMissing || rulesProblem !== undefined) {
      setWasTried(true);
      // Behind the next drawing, which marks what is missing.
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    try {
      const saved = opened
        ? await update.mutateAsync({ segmentId: opened.id, version: opened.version, name, rules })
        : await create.mutateAsync({ name, rules });
      notify.success(t('contacts.segment.saved'));
      closeSaved(() => onSaved(saved));
    } catch {
      // Shown in the form, from the failed call.
    }
    await refreshContacts(queryClient);
  }

  return (
    <FormDialog
      size="large"
      title={opened ? t('contacts.segment.editTitle') : t('contacts.segment.new')}
      description={t('contacts.segment.purpose')}
      note={
        rulesProblem === undefined ? (
          <MatchingCount rules={rules} />
        ) : (
          <p role="status" className="mr-auto min-w-0 flex-1 basis-56 text-sm text-muted">
            {rulesProblem}
          </p>
        )
      }
      submitLabel={t('common.save')}
      isSaving={create.isPending || update.isPending}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <div ref={form} className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {failure && !isNameTaken ? (
          <SaveRefusal
            error={failure}
            onLoad={() => void goOnFromTheirs(false)}
            onKeep={() => void goOnFromTheirs(true)}
          />
        ) : null}
        <Field
          label={t('contacts.segment.name')}
          required
          error={
            isNameTaken
              ? t('contacts.segment.nameTaken')
              : wasTried && isNameMissing
                ? t('contacts.segment.nameNeeded')
                : undefined
          }
        >
          <Input
            value={name}
            maxLength={segmentLimits.name}
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <SegmentConditions rules={rules} showsProblems={wasTried} onChange={setRules} />
      </div>
    </FormDialog>
  );
}

function SaveRefusal({ error, onLoad, onKeep }: { error: unknown; onLoad: () => void; onKeep: () => void }) {
  if (readFailure(error).code !== 'segment_changed')
    return <Banner tone="danger">{segmentErrorMessage(error)}</Banner>;
  return (
    <ConflictBanner
      ways={[
        { label: t('contacts.changedLoad'), onSelect: onLoad },
        { label: t('contacts.changedKeep'), onSelect: onKeep },
      ]}
    >
      {segmentErrorMessage(error)}
    </ConflictBanner>
  );
}

function MatchingCount({ rules }: { rules: SegmentRules | undefined }) {
  const settled = useDebounced(rules, 250);
  const { data } = useQuery(
    orpc.segments.count.queryOptions({
      input: { rules: settled ?? emptyRules },
      enabled: settled !== undefined,
      placeholderData: whileReachable,
    }),
  );
  return (
    <p role="status" className="mr-auto text-muted tabular-nums">
      {rules && data ? t('contacts.filterCount', { n: data.count }) : null}
    </p>
  );
}
