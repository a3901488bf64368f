import type { QueryClient } from '@tanstack/react-query';
import { orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import type { ConfirmObstacle, ConfirmRequest } from '../../ui/overlays/confirm-request.ts';
import { obstacleOfStart, unlessObstacle, type Remedies } from '../sending/obstacle-words.ts';
import {
  budgetText,
  factsBeforeSending,
  inOne,
  warningsBeforeSending,
  withoutHoldout,
} from '../sending/start-question.ts';
import { choiceAboutValues, type ValueChoice } from '../sending/value-problems.ts';
import { messageOfCampaign } from './campaign-contents.tsx';
import { hasBegun, type Campaign, type CampaignDetails } from './campaigns-queries.ts';

/** Never from what the browser read before, however lately: people decide by these figures. */
const asOfNow = { staleTime: 0 };

/** A question, and what was chosen in it about placeholders without a value. */
export type SendQuestion = { request: ConfirmRequest; values: ValueChoice };

const noChoice = (request: ConfirmRequest): SendQuestion => ({
  request,
  values: { isAllowed: false, option: undefined },
});

/** The question before anything leaves: to how many, at what cost and until when, as the server sees it now. */
export async function questionBeforeSending(
  queryClient: QueryClient,
  shown: Campaign,
  remedies: Remedies,
): Promise<SendQuestion> {
  const { id, name, status } = shown;
  const isPaused = status === 'paused';
  // Paused ahead of its start it has frozen nobody yet: resuming is its start.
  if (isPaused && hasBegun(shown)) {
    const left = await readRest(queryClient, { campaignId: id, whom: 'waiting' });
    return noChoice({
      title: t('campaigns.resumeQuestion', { n: left.receiving }),
      ...unlessObstacle(
        obstacleOfStart(left, remedies),
        inOne(t('campaigns.resumeText', { name }), budgetText(left)),
      ),
      facts: factsBeforeSending({ ...left, languages: null }),
      confirmLabel: t('campaigns.act.resume'),
      danger: false,
    });
  }
  const campaign = await queryClient.fetchQuery({
    ...orpc.campaigns.get.queryOptions({ input: { campaignId: id } }),
    ...asOfNow,
  });
  const { audience, channelId, quietHours, variables } = campaign;
  const message = messageOfCampaign(campaign);
  const preflight =
    message && !hasBegun(campaign) && !('failedOf' in audience)
      ? withoutHoldout(
          await queryClient.fetchQuery({
            ...orpc.campaigns.preflight.queryOptions({
              input: { message, variables, audience, channelId, quietHours },
            }),
            ...asOfNow,
          }),
          campaign.abTest?.holdoutPercent ?? 0,
        )
      : null;
  const n = preflight?.receiving ?? campaign.audienceSize;
  const obstacle = preflight
    ? obstacleOfStart(preflight, remedies, campaign.segments)
    : message === null
      ? templateGone(remedies)
      : undefined;
  // Resuming takes what was said when it was saved.
  const values = preflight && !isPaused ? choiceAboutValues(preflight) : noChoice({ title: '' }).values;
  const request: ConfirmRequest = {
    title: t('campaigns.startQuestion', { n }),
    warnings: preflight && !obstacle ? warningsBeforeSending(preflight) : [],
    option: values.option,
    ...unlessObstacle(
      obstacle,
      inOne(
        t(isPaused ? 'campaigns.resumeText' : 'campaigns.startText', { name }),
        preflight && budgetText(preflight),
      ),
    ),
    facts: factsBeforeSending(preflight ?? asPlanned(campaign)),
    confirmLabel: t(`campaigns.act.${isPaused ? 'resume' : status === 'scheduled' ? 'startNow' : 'start'}`),
    danger: false,
  };
  return { request, values };
}

/** The question before the failed are sent to again: null when somebody else's retry or an opt-out left nobody. */
export async function questionBeforeRetry(
  queryClient: QueryClient,
  campaignId: string,
  remedies: Remedies,
): Promise<SendQuestion | null> {
  const preflight = await queryClient.fetchQuery({
    ...orpc.campaigns.preflightRetry.queryOptions({ input: { campaignId } }),
    ...asOfNow,
  });
  const { receiving, runningId } = preflight;
  if (runningId !== null || receiving === 0) return null;
  const values = choiceAboutValues(preflight);
  const obstacle = obstacleOfStart(preflight, remedies);
  const request: ConfirmRequest = {
    title: t('campaigns.retryQuestion', { n: receiving }),
    warnings: obstacle ? [] : warningsBeforeSending(preflight),
    option: values.option,
    ...unlessObstacle(obstacle, inOne(t('campaigns.retryText'), budgetText(preflight))),
    facts: factsBeforeSending(preflight),
    confirmLabel: t('campaigns.retryConfirm'),
    danger: false,
  };
  return { request, values };
}

/** The question before those are sent to again of whom nobody knows whether they got it: null when late reports left nobody. */
export async function questionBeforeSendingAgain(
  queryClient: QueryClient,
  campaignId: string,
  remedies: Remedies,
): Promise<ConfirmRequest | null> {
  const left = await readRest(queryClient, { campaignId, whom: 'unknown' });
  if (left.receiving === 0) return null;
  return {
    title: t('campaigns.page.sendAgainQuestion', { n: left.receiving }),
    ...unlessObstacle(
      obstacleOfStart(left, remedies),
      inOne(t('campaigns.page.sendAgainText'), budgetText(left)),
    ),
    facts: factsBeforeSending({ ...left, languages: null }),
    confirmLabel: t('campaigns.page.sendAgain'),
  };
}

function readRest(queryClient: QueryClient, input: { campaignId: string; whom: 'waiting' | 'unknown' }) {
  return queryClient.fetchQuery({ ...orpc.campaigns.preflightRest.queryOptions({ input }), ...asOfNow });
}

function templateGone({ message }: Remedies): ConfirmObstacle {
  return {
    text: t('sending.failure.templateGone'),
    step: message && { label: t('sending.preflight.chooseTemplate'), onSelect: message },
  };
}

/** Of a message that is gone the server counts nothing: what stands in the campaign says as much. */
function asPlanned({ audienceSize, plannedCost, priceCurrency }: CampaignDetails) {
  return {
    ...{ receiving: audienceSize, estimatedCost: plannedCost, priceCurrency },
    ...{ languages: null, budgetLeft: null, estimatedSeconds: null, finishesAt: null },
  };
}
