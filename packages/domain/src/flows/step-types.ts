import type { FlowKind } from './flow-file.ts';
import type { StepType } from './step-type.ts';
import { addTag, addToCampaign, removeTag, setField } from './steps/contact-steps.ts';
import { ask } from './steps/ask.ts';
import { aiAnswer, handoff, recordOptIn, startBotFlow } from './steps/bot-steps.ts';
import { branch, compare, jump, randomSplit, startWorkflow, stop } from './steps/logic.ts';
import { offerChoices } from './steps/offer-choices.ts';
import { sendMedia } from './steps/send-media.ts';
import { sendMessage } from './steps/send-message.ts';
import { addNote, assignConversation, emailNotification } from './steps/team-steps.ts';
import { waitForEvent, waitForReply } from './steps/wait-for.ts';
import { wait } from './steps/wait.ts';
import { webhookCall } from './steps/webhook-call.ts';

/** Every type of step, in the order in which the editor offers them: one line each. */
export const stepTypes: readonly StepType[] = [
  ...[
    sendMessage,
    sendMedia,
    ask,
    offerChoices,
    aiAnswer,
    addTag,
    removeTag,
    setField,
    recordOptIn,
    addToCampaign,
  ],
  ...[handoff, assignConversation, addNote, emailNotification, webhookCall],
  ...[wait, waitForReply, waitForEvent],
  ...[branch, compare, randomSplit, jump, startBotFlow, startWorkflow, stop],
];

const byType = new Map(stepTypes.map((one) => [one.type, one]));

export function findStepType(type: string): StepType | undefined {
  return byType.get(type);
}

export function stepTypesOf(kind: FlowKind): StepType[] {
  return stepTypes.filter(({ kinds }) => kinds.includes(kind));
}
