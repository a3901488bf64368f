import { durationMs, type Duration, type FlowConfig } from '../flow-file.ts';
import type { FieldDefinition } from '../field.ts';
import type { StepType, StepVisit } from '../step-type.ts';
import { findTriggerType } from '../trigger-types.ts';

const timeout: FieldDefinition = {
  ...{ name: 'timeout', kind: 'duration', isRequired: true, least: 1000 },
  initial: { amount: 1, unit: 'days' },
};

function endOf({ config, now }: StepVisit): number {
  return now + durationMs(config['timeout'] as Duration); // publishing looked at it
}

/** The next message of the contact. */
export const waitForReply: StepType = {
  ...{ type: 'wait_for_reply', kinds: ['workflow', 'bot'], group: 'wait', needsContact: true, isWait: true },
  fields: [timeout],
  exits: () => ['replied', 'timed_out'],
  values: () => ['text', 'button', 'message_id'],
  enter: (visit) => ({ wait: { kind: 'reply', since: visit.now, until: endOf(visit) } }),
  resume(_visit, input) {
    if (input.kind === 'reply')
      return {
        go: 'replied',
        values: { text: input.text, button: input.button, message_id: input.messageId },
        details: { message_id: input.messageId },
      };
    return input.kind === 'time' || input.kind === 'skip' ? { go: 'timed_out' } : null;
  },
};

/** Something that happens to the contact, in the terms of the triggers. */
export const waitForEvent: StepType = {
  ...{ type: 'wait_for_event', kinds: ['workflow', 'bot'], group: 'wait', needsContact: true, isWait: true },
  fields: [{ name: 'event', kind: 'goal', isRequired: true }, timeout],
  exits: () => ['happened', 'timed_out'],
  values: () => [],
  enter(visit) {
    const event = visit.config['event'] as { type: string; config: FlowConfig }; // publishing looked at it
    return { wait: { kind: 'event', event, since: visit.now, until: endOf(visit) } };
  },
  resume({ config }, input) {
    if (input.kind === 'time' || input.kind === 'skip') return { go: 'timed_out' };
    const { type, config: wanted } = config['event'] as { type: string; config: FlowConfig };
    const isWanted =
      input.kind === 'event' &&
      input.event.type === type &&
      findTriggerType(type)?.matches(wanted, input.event.values) === true;
    if (!isWanted) return null;
    const { message_id: id } = input.event.values;
    // What the run says next may answer that message.
    return { go: 'happened', ...(typeof id === 'string' && { values: { message_id: id } }) };
  },
};
