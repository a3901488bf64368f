import {
  emptySelection,
  fromAudience,
  isSelectionEmpty,
  toAudience,
} from '../sending/audience/audience-selection.ts';
import type { AudienceSelection } from '../sending/audience/audience-selection.ts';
import {
  emptyMessage,
  isMessageEmpty,
  toMessageChoice,
  toVariables,
  type KnownFields,
} from '../sending/message/message-draft.ts';
import type { MessageDraft } from '../sending/message/message-draft.ts';
import { emptySchedule, scheduledInstant, scheduleOf } from '../sending/schedule-fields.tsx';
import type { Schedule } from '../sending/schedule-fields.tsx';
import type { QuietHours } from '@app/domain/campaigns/quiet-hours';
import { toFallback, type FallbackDraft } from './fallback/fallback-draft.ts';
import { fromAbTest, isAbTestComplete, toAbTest, type AbTestDraft } from './ab-test/ab-test-draft.ts';
import type { CampaignDetails } from './campaigns-queries.ts';

export interface CampaignFormValues {
  name: string;
  message: MessageDraft;
  /** A stored content of a channel kind that is sent in place of both. */
  contentId: string | null;
  /** What follows where it does not arrive. */
  fallback: FallbackDraft | null;
  /** Each contact gets it in their best hour. */
  bestTime: boolean;
  /** The variants beside the message, and what names the winner. */
  abTest: AbTestDraft | null;
  /** A text of one's own is being written instead of a template. */
  isCustom: boolean;
  selection: AudienceSelection;
  schedule: Schedule;
  status: 'draft' | 'scheduled';
  quietHours: QuietHours | null;
  /** Its links are counted, where the workspace counts any. */
  countsLinks: boolean;
  /** The number that it leaves through; null for that of the workspace. */
  channelId: string | null;
}

export function newCampaignValues(quietHours: QuietHours | null = null): CampaignFormValues {
  return {
    name: '',
    message: emptyMessage,
    contentId: null,
    fallback: null,
    abTest: null,
    bestTime: false,
    isCustom: false,
    selection: emptySelection,
    schedule: emptySchedule(),
    status: 'draft',
    quietHours,
    countsLinks: true,
    channelId: null,
  };
}

export function valuesOf(campaign: CampaignDetails): CampaignFormValues {
  const { name, templateId, customMessage, variables, audience, segments, scheduledAt, status, quietHours } =
    campaign;
  const { channelId, inContactLanguage, contentId } = campaign;
  return {
    name,
    message: { templateId, customMessage: customMessage ?? '', variables, inContactLanguage },
    contentId,
    fallback: campaign.fallback,
    abTest: fromAbTest(campaign.abTest),
    bestTime: campaign.bestTime,
    countsLinks: campaign.countsLinks,
    isCustom: customMessage !== null,
    selection: fromAudience(audience, segments),
    schedule: scheduleOf(scheduledAt),
    status: status === 'scheduled' ? 'scheduled' : 'draft',
    quietHours,
    channelId,
  };
}

/** Name, template or text, and somebody to send it to: without these the button stays disabled. */
export function isComplete(values: CampaignFormValues): boolean {
  const { name, message, contentId, selection, fallback } = values;
  const hasMessage = contentId !== null || !isMessageEmpty(message);
  if (fallback !== null && fallback.templateId === null) return false;
  if (!isAbTestComplete(values.abTest)) return false;
  return name.trim() !== '' && hasMessage && !isSelectionEmpty(selection);
}

/** The message in the words of the API; null while there is none. */
export function toCampaignMessage({ contentId, message }: Pick<CampaignFormValues, 'contentId' | 'message'>) {
  return contentId === null ? toMessageChoice(message) : { contentId };
}

/** In the words of the API; null while it is incomplete. */
export function toCampaignInput(
  values: CampaignFormValues,
  variableNames: readonly string[],
  fields: KnownFields,
) {
  const message = toCampaignMessage(values);
  if (message === null) return null;
  return {
    name: values.name.trim(),
    message,
    variables: toVariables(variableNames, values.message.variables, fields),
    audience: toAudience(values.selection),
    status: values.status,
    quietHours: values.quietHours,
    channelId: values.channelId,
    fallback: toFallback(values.fallback),
    abTest: toAbTest(values.abTest, fields),
    bestTime: values.bestTime,
    countsLinks: values.countsLinks,
    scheduledAt: scheduledInstant(values.schedule)?.toISOString() ?? null,
  };
}
