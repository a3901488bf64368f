import { useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { isDoneBefore, isUnanswered, readFailure } from '../../shared/api.ts';
import { useCustomFields } from '../../shared/contacts/custom-fields.ts';
import { t } from '../../shared/messages.ts';
import { askAboutValues } from '../sending/ask-about-values.ts';
import { AudiencePicker } from '../sending/audience/audience-picker.tsx';
import { isSelectionEmpty, toAudience } from '../sending/audience/audience-selection.ts';
import { CustomMessageField } from '../sending/message/custom-message-field.tsx';
import { isMessageEmpty, variablesOf } from '../sending/message/message-draft.ts';
import { RecipientPreview } from '../sending/message/recipient-preview.tsx';
import { NumberField, useChosenNumber } from '../sending/number-field.tsx';
import { QuietHoursFields } from '../sending/quiet-hours-fields.tsx';
import {
  findScheduleProblem,
  scheduledInstant,
  ScheduleFields,
  scheduleProblemText,
  type ScheduleProblem,
} from '../sending/schedule-fields.tsx';
import { useTemplate } from '../sending/message/template-queries.ts';
import { VariableFields } from '../sending/message/variable-fields.tsx';
import { useKeptForm, useOpenedForm } from '../../shared/actions/kept-form.ts';
import { KeptNotice } from '../../shared/actions/kept-notice.tsx';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { MoreOptions } from '../../ui/controls/more-options.tsx';
import { Banner } from '../../ui/states.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { notify } from '../../ui/toast.ts';
import { ContentBubble, useChannelFor, useContent, variablesOfContent } from './campaign-contents.tsx';
import {
  isComplete,
  toCampaignInput,
  toCampaignMessage,
  type CampaignFormValues,
} from './campaign-form-values.ts';
import { hasBegun, type CampaignDetails } from './campaigns-queries.ts';
import { AbTestSwitch } from './ab-test/ab-test-switch.tsx';
import { CountsLinksField } from './links/counts-links-field.tsx';
import { FallbackFields } from './fallback/fallback-fields.tsx';
import { renamed, useSaveCampaign, type CampaignInput } from './save-campaign.ts';
import { SaveFailure } from './save-failure.tsx';
import { FormPreflight } from './steps/form-preflight.tsx';
import { FormStepList, FormStepSection, useFormSteps } from './steps/form-steps.tsx';
import { TemplateField } from './template-field.tsx';
import { keptCampaign, useUnanswered } from './unanswered-campaign.ts';

export interface CampaignFormProps {
  title: string;
  initial: CampaignFormValues;
  /** Which form it is, among those of this user: a new one, or the copy of which campaign. */
  form: string;
  /** The campaign that is changed; a new one is created without it. */
  campaign?: CampaignDetails | undefined;
  /** Its message is a stored content of this kind of channel. */
  channelKind?: string | undefined;
  onClose: () => void;
}

export function CampaignForm({ title, initial, form, campaign: opened, ...props }: CampaignFormProps) {
  const { channelKind, onClose } = props;
  const unanswered = useUnanswered(form, opened === undefined);
  const kept = useOpenedForm(opened && hasBegun(opened) ? null : `campaign:${form}`, initial, {
    version: opened?.version ?? null,
    packing: keptCampaign,
  });
  const [foundAt, setFoundAt] = useState(unanswered?.found ? undefined : kept.found?.at);
  const [campaign, setCampaign] = useState(opened && { ...opened, version: kept.version ?? opened.version });
  const [written, setValues] = useState(unanswered?.found?.values ?? kept.found?.values ?? initial);
  const { content, isGone } = useContent(written.contentId);
  const channelId = useChannelFor(content, useChosenNumber(written.channelId ?? null));
  const values = { ...written, channelId };
  const [isDirty, setDirty] = useState(unanswered?.found !== undefined || kept.found !== undefined);
  const [scheduleProblem, setScheduleProblem] = useState<ScheduleProblem | null>(null);
  const nameField = useRef<HTMLInputElement>(null);
  const contactsLabel = useId();
  const { template } = useTemplate(values.message.templateId);
  const save = useSaveCampaign(campaign, unanswered?.key);
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const hasStarted = campaign !== undefined && hasBegun(campaign);
  const names =
    values.contentId === null ? variablesOf(values.message, template) : variablesOfContent(content);
  const fields = useCustomFields();
  // A template that is chosen but not loaded yet has variables that nobody knows of.
  const isReady = hasStarted
    ? values.name.trim() !== ''
    : isComplete(values) &&
      (values.contentId !== null
        ? content !== undefined
        : values.message.templateId === null || template !== undefined);

  useKeptForm(kept, written, isDirty);
  const closeSaved = useUnsavedWarning(isDirty, 'form', kept.forget);

  function startOver() {
    kept.forget();
    setCampaign(opened);
    setValues(initial);
    setDirty(false);
    setFoundAt(undefined);
  }

  function change(patch: Partial<CampaignFormValues>) {
    setValues((before) => ({ ...before, ...patch }));
    setDirty(true);
    setScheduleProblem(null);
  }

  function submit(): void {
    const input = hasStarted ? renamed(campaign, values) : toCampaignInput(values, names, fields);
    if (!input) return void notify.error(t('sending.failure.templateGone'));
    const problem = hasStarted ? null : problemNow(values);
    setScheduleProblem(problem);
    if (problem !== null) return;
    // What is scheduled leaves without another question.
    if (hasStarted || input.status !== 'scheduled') return store(input);
    void askAboutValues(queryClient, confirm, input).then(
      (answer) => answer && store({ ...input, ...answer }),
    );
  }

  function store(input: CampaignInput): void {
    if (!campaign) unanswered?.keep(values);
    save.mutate(input, {
      onSuccess: () => {
        unanswered?.forget();
        kept.forget();
        notify.success(t(campaign ? 'campaigns.done.update' : 'campaigns.done.create'));
        closeSaved(onClose);
      },
      onError: (error) => {
        const { code } = readFailure(error);
        // A key that was used names the campaign that it made: it stays until somebody goes on with that one.
        if (!isUnanswered(error) && !isDoneBefore(code)) unanswered?.forget();
        if (code === 'campaign_schedule_past') setScheduleProblem('past');
        if (code === 'campaign_schedule_missing') setScheduleProblem('missing');
      },
    });
  }

  const steps = useFormSteps(!hasStarted);
  const hasMessage = values.contentId !== null || !isMessageEmpty(values.message);
  const done = {
    message: values.name.trim() !== '' && hasMessage,
    contacts: !isSelectionEmpty(values.selection),
    // Without a time it is a draft: that is said once the rest is there.
    schedule: isReady && scheduleProblem === null,
    // Nothing is filled in there.
    check: false,
  };

  return (
    <FormDialog
      title={campaign === opened ? title : t('campaigns.form.edit')}
      size={hasStarted ? 'large' : 'wide'}
      initialFocus={nameField}
      className={hasStarted ? 'gap-5' : 'gap-x-6 gap-y-5 lg:grid-cols-[minmax(0,1fr)_18rem]'}
      note={
        isReady || hasStarted ? null : (
          <p className="mr-auto text-sm text-muted">
            {values.fallback?.templateId === null && isComplete({ ...values, fallback: null })
              ? t('campaigns.fallback.whyDisabled')
              : t('campaigns.form.whyDisabled')}
          </p>
        )
      }
      submitLabel={campaign ? t('campaigns.form.update') : t('campaigns.form.create')}
      isReady={isReady}
      isSaving={save.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      {steps ? <FormStepList steps={steps} done={done} /> : null}
      <div className={column}>
        {save.isError ? (
          <SaveFailure
            error={save.error}
            isNew={campaign === undefined}
            onFound={(saved) => {
              unanswered?.forget();
              save.reset();
              setCampaign(saved);
            }}
          />
        ) : unanswered?.found && !campaign && !save.isPending ? (
          <Banner tone="warning">{t('campaigns.form.saveUnknown')}</Banner>
        ) : null}
        {foundAt === undefined ? null : <KeptNotice at={foundAt} onStartOver={startOver} />}
        {hasStarted ? <Banner>{t('campaigns.form.onlyName')}</Banner> : null}
        <FormStepSection steps={steps} step="message">
          <Field label={t('campaigns.form.name')}>
            <Input
              ref={nameField}
              value={values.name}
              maxLength={200}
              required
              placeholder={t('campaigns.form.namePlaceholder')}
              onChange={(event) => change({ name: event.target.value })}
            />
          </Field>
          {hasStarted ? null : (
            <>
              <TemplateField
                message={values.message}
                isCustom={values.isCustom}
                content={content}
                channelKind={channelKind}
                isContentGone={isGone}
                onContent={(next) =>
                  change({
                    ...{ isCustom: false, contentId: next.id },
                    message: { ...values.message, templateId: null, customMessage: '' },
                  })
                }
                onTemplate={(templateId) =>
                  change({
                    ...{ isCustom: false, contentId: null },
                    message: { ...values.message, templateId, customMessage: '' },
                  })
                }
                onInContactLanguage={(inContactLanguage) =>
                  change({ message: { ...values.message, inContactLanguage } })
                }
                onCustom={() =>
                  change({
                    isCustom: true,
                    contentId: null,
                    message: { ...values.message, templateId: null },
                  })
                }
              />
              {values.isCustom ? (
                <CustomMessageField
                  value={values.message.customMessage}
                  onChange={(customMessage) => change({ message: { ...values.message, customMessage } })}
                />
              ) : null}
              <VariableFields
                names={names}
                variables={values.message.variables}
                onChange={(variables) => change({ message: { ...values.message, variables } })}
              />
            </>
          )}
        </FormStepSection>
      </div>
      {hasStarted ? null : (
        <aside
          aria-label={t('sending.message.preview')}
          // An empty telephone would stand between two fields of a small screen.
          className={classNames(
            'lg:sticky lg:top-12 lg:col-start-2 lg:row-span-2 lg:row-start-2 lg:self-start',
            written.contentId === null && isMessageEmpty(written.message) && 'max-lg:hidden',
          )}
        >
          {written.contentId === null ? (
            <RecipientPreview message={written.message} selection={written.selection} channelId={channelId} />
          ) : (
            <ContentBubble content={content} />
          )}
        </aside>
      )}
      <div className={column}>
        {hasStarted ? null : (
          <>
            <FormStepSection steps={steps} step="contacts">
              <div role="group" aria-labelledby={contactsLabel} className="flex flex-col gap-2">
                <p id={contactsLabel} className="font-medium">
                  {t('campaigns.form.contacts')}
                </p>
                <AudiencePicker
                  compact
                  selection={values.selection}
                  onChange={(selection) => change({ selection })}
                />
              </div>
              <NumberField value={channelId} onChange={(next) => change({ channelId: next })} />
            </FormStepSection>
            <FormStepSection steps={steps} step="schedule">
              <ScheduleFields
                label={t('campaigns.form.schedule')}
                schedule={values.schedule}
                error={scheduleProblem ? scheduleProblemText(scheduleProblem) : undefined}
                // A time makes it a scheduled campaign and no time a draft, until the user chooses otherwise below.
                onChange={(schedule) =>
                  change({
                    schedule,
                    status:
                      schedule.local === ''
                        ? 'draft'
                        : values.schedule.local === ''
                          ? 'scheduled'
                          : values.status,
                  })
                }
              />
              <Field label={t('campaigns.form.status')} hint={t('campaigns.form.statusHint')}>
                <Select
                  value={values.status}
                  onChange={(status) => change({ status })}
                  options={[
                    { value: 'draft', label: t('campaigns.status.draft') },
                    { value: 'scheduled', label: t('campaigns.status.scheduled') },
                  ]}
                />
              </Field>
              <MoreOptions
                label={t('campaigns.form.more')}
                isUsed={
                  values.quietHours !== null ||
                  !values.countsLinks ||
                  values.fallback !== null ||
                  values.abTest !== null ||
                  values.bestTime
                }
              >
                {values.abTest === null ? (
                  <Switch
                    label={t('campaigns.bestTime.switch')}
                    hint={t('campaigns.bestTime.hint')}
                    checked={values.bestTime}
                    onChange={({ target }) => change({ bestTime: target.checked })}
                  />
                ) : null}
                <QuietHoursFields
                  quietHours={values.quietHours}
                  sendsAt={values.status === 'draft' ? null : scheduledInstant(values.schedule)}
                  onChange={(quietHours) => change({ quietHours })}
                />
                <FallbackFields
                  channelId={channelId}
                  fallback={values.fallback}
                  audience={toAudience(values.selection)}
                  onChange={(fallback) => change({ fallback })}
                />
                <AbTestSwitch
                  test={values.abTest}
                  message={toCampaignMessage(values)}
                  audience={toAudience(values.selection)}
                  channelId={channelId}
                  onChange={(abTest) => change({ abTest, ...(abTest && { bestTime: false }) })}
                />
                <CountsLinksField
                  value={values.countsLinks}
                  onChange={(countsLinks) => change({ countsLinks })}
                />
              </MoreOptions>
            </FormStepSection>
            <FormStepSection steps={steps} step="check">
              <FormPreflight values={values} names={names} />
            </FormStepSection>
          </>
        )}
        {hasStarted ? (
          <QuietHoursFields
            quietHours={values.quietHours}
            sendsAt={null}
            onChange={(quietHours) => change({ quietHours })}
          />
        ) : null}
      </div>
    </FormDialog>
  );
}

function problemNow({ status, schedule }: CampaignFormValues): ScheduleProblem | null {
  return status === 'scheduled' ? findScheduleProblem(schedule, Date.now()) : null;
}

/** What is written stands beside what becomes of it, on a telephone above it. */
const column = 'grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-5';
