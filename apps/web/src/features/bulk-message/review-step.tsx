import { useNavigate } from '@tanstack/react-router';
import { Eye, Pencil, Send } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { ReactNode } from 'react';
import { isDoneBefore, isUnanswered, newKey, readFailure } from '../../shared/api.ts';
import { useCustomFields } from '../../shared/contacts/custom-fields.ts';
import { ButtonLink } from '../../shared/links.tsx';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { isSelectionEmpty, segmentsIn, toAudience } from '../sending/audience/audience-selection.ts';
import { describeSelection } from '../sending/audience/audience-words.ts';
import { useFilterNames } from '../sending/audience/filter-names.ts';
import { toMessageChoice, toVariables, variablesOf } from '../sending/message/message-draft.ts';
import { RecipientPreview } from '../sending/message/recipient-preview.tsx';
import { NumberField, useChosenNumber } from '../sending/number-field.tsx';
import { TAKE_BACK_SECONDS } from '../sending/held-start.tsx';
import { PreflightPanel, usePreflight } from '../sending/preflight-panel.tsx';
import { QuietHoursFields } from '../sending/quiet-hours-fields.tsx';
import {
  findScheduleProblem,
  scheduledInstant,
  ScheduleFields,
  scheduleProblemText,
} from '../sending/schedule-fields.tsx';
import { SegmentDescriptions } from '../sending/audience/segment-descriptions.tsx';
import { useKnownSegments } from '../sending/audience/segment-queries.ts';
import { sendingErrorMessage } from '../sending/sending-failure.ts';
import { TestSendButton } from '../sending/test-send-button.tsx';
import { useTemplate } from '../sending/message/template-queries.ts';
import { UnfilledWarning } from '../sending/message/variable-fields.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { Banner } from '../../ui/states.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import type { BulkMessageDraft } from './bulk-message-draft.ts';
import { StepFooter } from './step-footer.tsx';
import { useSendQuestion } from './use-send-question.ts';
import { useSendBulkMessage, type SentBulkMessage } from './use-send-bulk-message.ts';

const PreviewDialog = lazyDialog(async () => (await import('./preview-dialog.tsx')).PreviewDialog);

export interface ReviewStepProps {
  draft: BulkMessageDraft;
  onChange: (patch: Partial<BulkMessageDraft>) => void;
  onGoTo: (step: 'contacts' | 'message') => void;
  onSent: (sent: SentBulkMessage) => void;
  back: ReactNode;
}

export function ReviewStep({ draft, onChange, onGoTo, onSent, back }: ReviewStepProps) {
  const { selection, message, isScheduled, schedule, quietHours } = draft;
  const segments = useKnownSegments(segmentsIn(selection));
  const filterNames = useFilterNames(selection.filters);
  const { template } = useTemplate(message.templateId);
  const choice = toMessageChoice(message);
  const audience = toAudience(selection);
  const channelId = useChosenNumber(draft.channelId);
  const names = variablesOf(message, template);
  const variables = toVariables(names, message.variables, useCustomFields());
  const preflight = usePreflight(choice, audience, channelId, {
    ...{ quietHours, variables },
    startsAt: isScheduled ? (scheduledInstant(schedule)?.toISOString() ?? null) : null,
  });
  const navigate = useNavigate();
  const ask = useSendQuestion({
    settings: () => void navigate({ to: paths.settings, search: { tab: 'api' } }),
    message: () => onGoTo('message'),
    audience: () => onGoTo('contacts'),
  });
  const send = useSendBulkMessage(draft.key);
  const [isPreviewOpen, setPreviewOpen] = useState(false);
  const [triedAt, setTriedAt] = useState<number>();
  const [openedAt] = useState(() => new Date());
  const scheduleProblem =
    isScheduled && triedAt !== undefined ? findScheduleProblem(schedule, triedAt) : null;
  const receiving = preflight.data?.receiving;
  const problem = isSelectionEmpty(selection)
    ? t('sending.failure.noContacts')
    : choice === null
      ? t('sending.failure.noContent')
      : scheduleProblem
        ? scheduleProblemText(scheduleProblem)
        : send.isError
          ? failureOfSend(send.error)
          : undefined;
  const sentBefore = send.isError ? readSentBefore(send.error) : null;
  // A template that is chosen but not loaded yet has variables that nobody knows of.
  const isReady = message.templateId === null || template !== undefined;

  async function submit(): Promise<void> {
    if (isSelectionEmpty(selection) || choice === null) return;
    const now = Date.now();
    setTriedAt(now);
    if (isScheduled && findScheduleProblem(schedule, now) !== null) return;
    const scheduledAt = isScheduled ? (scheduledInstant(schedule)?.toISOString() ?? null) : null;
    const asked = { message: choice, variables, audience, channelId, quietHours };
    const answer = isScheduled ? await ask.mayWait(asked) : await ask.isSure(asked, segments);
    if (answer === null) return;
    send.mutate(
      {
        audience,
        message: choice,
        variables,
        ...answer,
        scheduledAt,
        quietHours,
        channelId,
        takeBackSeconds: TAKE_BACK_SECONDS,
      },
      { onSuccess: onSent },
    );
  }

  return (
    <>
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <Panel title={t('sending.preflight.title')}>
            <PreflightPanel
              query={preflight}
              segments={segments}
              onChooseTemplate={() => onGoTo('message')}
              onChooseContacts={() => onGoTo('contacts')}
            />
          </Panel>
          <Panel
            title={t('bulkMessage.recipients')}
            actions={
              <IconButton
                label={t('bulkMessage.changeContacts')}
                size="small"
                onClick={() => onGoTo('contacts')}
              >
                <Pencil aria-hidden />
              </IconButton>
            }
          >
            <p>{describeSelection(selection, filterNames)}</p>
            {segments.length > 0 ? (
              <div className="mt-2">
                <SegmentDescriptions segments={segments} isLive />
              </div>
            ) : null}
          </Panel>
          <Panel>
            <div className="mb-4 empty:hidden">
              <NumberField value={channelId} onChange={(next) => onChange({ channelId: next })} />
            </div>
            <Switch
              label={t('bulkMessage.schedule')}
              hint={isScheduled ? t('bulkMessage.scheduleOnHint') : t('bulkMessage.scheduleHint')}
              checked={isScheduled}
              onChange={(event) => onChange({ isScheduled: event.target.checked })}
            />
            {isScheduled ? (
              <div className="mt-4">
                <ScheduleFields
                  schedule={schedule}
                  onChange={(next) => onChange({ schedule: next })}
                  error={scheduleProblem ? scheduleProblemText(scheduleProblem) : undefined}
                />
              </div>
            ) : null}
            <div className="mt-4 border-t border-border pt-4">
              <QuietHoursFields
                quietHours={quietHours}
                sendsAt={isScheduled ? scheduledInstant(schedule) : openedAt}
                onChange={(next) => onChange({ quietHours: next })}
              />
            </div>
          </Panel>
        </div>
        <Panel
          title={t('bulkMessage.message')}
          actions={
            <>
              <Button
                variant="ghost"
                size="small"
                icon={<Eye aria-hidden />}
                onClick={() => setPreviewOpen(true)}
              >
                {t('bulkMessage.preview')}
              </Button>
              <IconButton
                label={t('bulkMessage.changeMessage')}
                size="small"
                onClick={() => onGoTo('message')}
              >
                <Pencil aria-hidden />
              </IconButton>
            </>
          }
        >
          <RecipientPreview message={message} selection={selection} channelId={channelId} />
          <div className="mt-3 flex justify-center">
            <TestSendButton message={choice && isReady ? { message: choice, variables, channelId } : null} />
          </div>
          <div className="mt-3">
            <UnfilledWarning names={names} variables={message.variables} />
          </div>
        </Panel>
      </div>
      {sentBefore ? (
        <SentBefore
          {...sentBefore}
          onSendAnother={() => {
            send.reset();
            onChange({ key: newKey() });
          }}
        />
      ) : null}
      <StepFooter problem={problem}>
        {back}
        <Button
          variant="primary"
          icon={<Send aria-hidden />}
          loading={send.isPending || ask.isAsking}
          disabled={!isReady || sentBefore !== null}
          onClick={() => void submit()}
        >
          {!receiving
            ? t('bulkMessage.send')
            : t(isScheduled ? 'bulkMessage.scheduleTo' : 'bulkMessage.sendTo', { n: receiving })}
        </Button>
      </StepFooter>
      {isPreviewOpen && choice !== null ? (
        <Suspense>
          <PreviewDialog chosen={{ message, selection, channelId }} onClose={() => setPreviewOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

/** A refusal says why it was not sent; a lost answer says nothing, and is no reason to send again with another key. */
function failureOfSend(error: unknown): string {
  if (readSentBefore(error)) return t('bulkMessage.sentBefore');
  if (isUnanswered(error)) return t('bulkMessage.sendUnknown');
  return `${t('bulkMessage.sendFailed')}: ${sendingErrorMessage(error)}`;
}

/** An earlier try of this draft had reached the server, with what the draft said then. */
function readSentBefore(error: unknown): { campaignId: string | null } | null {
  const { code, values } = readFailure(error);
  if (!isDoneBefore(code)) return null;
  return { campaignId: typeof values['made'] === 'string' ? values['made'] : null };
}

function SentBefore({ campaignId, onSendAnother }: { campaignId: string | null; onSendAnother: () => void }) {
  return (
    <Banner
      tone="warning"
      action={
        <>
          <ButtonLink to={campaignId === null ? paths.campaigns : paths.campaign(campaignId)} size="small">
            {t('bulkMessage.viewCampaign')}
          </ButtonLink>
          <Button size="small" onClick={onSendAnother}>
            {t('bulkMessage.sendAnother')}
          </Button>
        </>
      }
    >
      {t('bulkMessage.sentBeforeText')}
    </Banner>
  );
}
