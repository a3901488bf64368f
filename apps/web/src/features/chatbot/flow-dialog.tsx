import { botFlowLimits, botTriggerTypes, type BotTriggerType } from '@app/domain/chatbot/bot-flow';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { FieldsState } from '../../shared/actions/form-state.tsx';
import { keepChanged } from '../../shared/actions/keep-changed.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc, readFailure } from '../../shared/api.ts';
import { ButtonLink } from '../../shared/links.tsx';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Button } from '../../ui/button.tsx';
import { ConflictBanner } from '../../ui/conflict-banner.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, Textarea } from '../../ui/input.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { chatbotError, flowsOptions, type BotFlow } from './chatbot-queries.ts';
import { findFlowProblem, isList, newResponse, toInput, valuesOf, type FlowValues } from './flow-values.ts';
import { ResponseFields } from './response-fields.tsx';

/** Edits the list view of a flow, as the server has it now. */
export function FlowDialog({ flowId, onClose }: { flowId: string; onClose: () => void }) {
  // Read once: a later change by somebody else must not pull the ground from under what is typed.
  const [opened, setOpened] = useState<BotFlow>();
  const { data, error, isFetchedAfterMount, refetch } = useQuery({
    ...flowsOptions,
    ...{ staleTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false },
  });
  const found = data?.items.find(({ id }) => id === flowId);
  if (!opened && found && isFetchedAfterMount) setOpened(found);
  if (opened && isList(opened)) return <FlowForm flow={opened} onClose={onClose} />;
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={t('chatbot.editFlow')}
      footer={
        <>
          <Button onClick={onClose}>{t('common.close')}</Button>
          {opened ? (
            <ButtonLink variant="primary" to={paths.botFlow(opened.id)}>
              {t('chatbot.openEditor')}
            </ButtonLink>
          ) : null}
        </>
      }
    >
      {opened ? (
        <p className="text-pretty">{t('chatbot.moreThanList')}</p>
      ) : data && isFetchedAfterMount ? (
        <Banner tone="danger">{t('chatbot.error.gone')}</Banner>
      ) : (
        <FieldsState error={error} onRetry={() => void refetch()} />
      )}
    </Dialog>
  );
}

/** The list view of a flow. `startFrom` stands above it while a new one is made. */
export function FlowForm({
  flow,
  words = '',
  startFrom,
  onClose,
}: {
  flow?: BotFlow;
  words?: string;
  startFrom?: ReactNode;
  onClose: () => void;
}) {
  // Kept as it was opened: what is saved must follow the version that the person saw.
  const [opened, setOpened] = useState(flow);
  const [values, setValues] = useState<FlowValues>(() => valuesOf(flow, words));
  const queryClient = useQueryClient();
  const create = useAction(orpc.chatbot.createFlow.mutationOptions());
  const update = useAction(orpc.chatbot.updateFlow.mutationOptions());
  const failure = create.error ?? update.error;
  const code = failure && readFailure(failure).code;
  const problem = findFlowProblem(values);
  const isChanged = JSON.stringify(toInput(values)) !== JSON.stringify(toInput(valuesOf(opened, words)));
  const closeSaved = useUnsavedWarning(isChanged, 'dialog');
  const set = (part: Partial<FlowValues>) => setValues({ ...values, ...part });
  const { responses } = values;

  /** Their version becomes what the next save is checked against. */
  async function goOnFromTheirs(keepsMine: boolean) {
    try {
      const { items } = await queryClient.fetchQuery({ ...flowsOptions, staleTime: 0 });
      const theirs = items.find(({ id }) => id === opened?.id);
      if (!theirs) {
        notify.error(t('chatbot.error.gone'));
        return;
      }
      if (keepsMine) setValues(keepChanged(valuesOf(opened), values, valuesOf(theirs)));
      else setValues(valuesOf(theirs));
      setOpened(theirs);
      update.reset();
    } catch (error) {
      notify.error(chatbotError(error));
    }
  }

  async function save() {
    const input = toInput(values);
    try {
      if (opened) await update.mutateAsync({ ...input, botFlowId: opened.id, version: opened.version });
      else await create.mutateAsync(input);
      notify.success(t(opened ? 'chatbot.flowSaved' : 'chatbot.flowCreated'));
      closeSaved(onClose);
    } catch {
      // Shown in the form, from the failed call.
    }
    await queryClient.invalidateQueries({ queryKey: flowsOptions.queryKey });
  }

  return (
    <FormDialog
      size="large"
      title={t(opened ? 'chatbot.editFlow' : 'chatbot.createFlow')}
      description={t('chatbot.flowPurpose')}
      submitLabel={t('common.save')}
      isReady={problem === null}
      whyNot={
        problem
          ? t(`chatbot.problem.${problem.code}`, { n: problem.place === null ? 0 : problem.place + 1 })
          : undefined
      }
      isSaving={create.isPending || update.isPending}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {startFrom}
      {code === 'bot_flow_changed' ? (
        <ConflictBanner
          ways={[
            { label: t('chatbot.loadTheirs'), onSelect: () => void goOnFromTheirs(false) },
            { label: t('chatbot.keepMine'), onSelect: () => void goOnFromTheirs(true) },
          ]}
        >
          {t('chatbot.changed')}
        </ConflictBanner>
      ) : failure ? (
        <Banner tone="danger">{chatbotError(failure)}</Banner>
      ) : null}
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field label={t('chatbot.name')} required>
          <Input
            value={values.name}
            maxLength={botFlowLimits.name}
            autoComplete="off"
            onChange={(event) => set({ name: event.target.value })}
          />
        </Field>
        <Field label={t('chatbot.description')}>
          <Input
            value={values.description}
            maxLength={botFlowLimits.description}
            autoComplete="off"
            onChange={(event) => set({ description: event.target.value })}
          />
        </Field>
        <Field label={t('chatbot.triggerType')} hint={t(`chatbot.triggerHint.${values.trigger.type}`)}>
          <Select<BotTriggerType>
            value={values.trigger.type}
            onChange={(type) => set({ trigger: { ...values.trigger, type } })}
            options={botTriggerTypes.map((value) => ({ value, label: t(`chatbot.trigger.${value}`) }))}
          />
        </Field>
        <Field
          label={t('chatbot.keywords')}
          required={values.trigger.type === 'keyword'}
          hint={t('chatbot.keywordsHint')}
        >
          <Textarea
            rows={2}
            value={values.trigger.value}
            maxLength={botFlowLimits.triggerValue}
            placeholder={t('chatbot.keywordsSample')}
            onChange={(event) => set({ trigger: { ...values.trigger, value: event.target.value } })}
          />
        </Field>
      </div>
      <ol className="flex flex-col gap-3">
        {responses.map((response, place) => (
          <ResponseFields
            key={response.key}
            response={response}
            place={place}
            count={responses.length}
            onChange={(next) =>
              set({ responses: responses.map((one) => (one.key === next.key ? next : one)) })
            }
            onMove={(by) => {
              const others = responses.filter(({ key }) => key !== response.key);
              others.splice(place + by, 0, response);
              set({ responses: others });
            }}
            onRemove={() => set({ responses: responses.filter(({ key }) => key !== response.key) })}
          />
        ))}
      </ol>
      {responses.length < botFlowLimits.responses ? (
        <Button
          className="justify-self-start"
          icon={<Plus aria-hidden />}
          onClick={() => set({ responses: [...responses, newResponse()] })}
        >
          {t('chatbot.addResponse')}
        </Button>
      ) : null}
    </FormDialog>
  );
}
