import type { FlowKind } from './flow-file.ts';
import type { TriggerType } from './trigger-type.ts';
import { botTriggers } from './triggers/bot-triggers.ts';
import { byHand } from './triggers/by-hand-trigger.ts';
import {
  consentChanged,
  conversationResolved,
  messageReceived,
  newContact,
  tagAdded,
} from './triggers/contact-triggers.ts';
import { formSubmission } from './triggers/form-trigger.ts';
import { integrationEvent } from './triggers/integration-trigger.ts';
import { webhook } from './triggers/webhook-trigger.ts';
import { campaignOutcome, timeBased } from './triggers/sweeping-triggers.ts';

/** Every type of trigger, in the order in which the editor offers them: one line each. */
export const triggerTypes: readonly TriggerType[] = [
  ...[newContact, tagAdded, messageReceived, timeBased, webhook, formSubmission],
  ...[campaignOutcome, conversationResolved, consentChanged, integrationEvent, byHand],
  ...botTriggers,
];

const byType = new Map(triggerTypes.map((one) => [one.type, one]));

export function findTriggerType(type: string): TriggerType | undefined {
  return byType.get(type);
}

export function triggerTypesOf(kind: FlowKind): TriggerType[] {
  return triggerTypes.filter(({ kinds }) => kinds.includes(kind));
}
