import {
  defaultFlowSettings,
  emptyFlow,
  type FlowConfig,
  type FlowFile,
  type FlowSettings,
  type FlowStep,
  type FlowTrigger,
  type Json,
} from '@app/domain/flows/flow-file';
import { t } from '../../shared/messages.ts';

export const workflowTemplateNames = [
  ...(['welcome', 'winBack', 'abandonedCart', 'appointment'] as const),
  ...(['review', 'leadRouting', 'optIn', 'birthday'] as const),
] as const;
export type WorkflowTemplateName = (typeof workflowTemplateNames)[number];

/** Fields that only the business can fill: they are asked before the workflow is created. */
export type AskedFields = { place: 'trigger' | 'step'; id: string; fields: readonly string[] };
export type WorkflowTemplate = { flow: FlowFile; asks: readonly AskedFields[] };

const mayGetMarketing: Json = { match: 'all', conditions: [{ kind: 'not_opted_out', value: '' }] };
const quietFor: Json = {
  match: 'all',
  conditions: [
    { kind: 'quiet_for', value: '60' },
    { kind: 'not_opted_out', value: '' },
  ],
};
const askTemplate: AskedFields = { place: 'step', id: 'message', fields: ['template', 'variables'] };
const askDate: AskedFields = { place: 'trigger', id: 'start', fields: ['field'] };

/** A workflow to begin with; what `asks` names is still empty. */
export function buildWorkflowTemplate(name: WorkflowTemplateName): WorkflowTemplate {
  switch (name) {
    case 'welcome':
      return {
        flow: build(name, begin('new_contact', {}, mayGetMarketing), [message(), tag('welcomed')], {
          reentry: 'once',
        }),
        asks: [askTemplate],
      };
    case 'winBack':
      return {
        flow: build(
          name,
          begin(
            'time_based',
            { mode: 'every', period: 'week', weekdays: [1], time: '10:00', ...zone, runs: 'each_contact' },
            quietFor,
          ),
          [message(), waitForReply({ amount: 1, unit: 'weeks' }), tag('wonBack')],
          { reentry: 'once' },
        ),
        asks: [askTemplate],
      };
    case 'abandonedCart':
      return {
        flow: build(
          name,
          begin('webhook', { contact: 'create', phone: 'customer.phone', name: 'customer.name' }),
          [
            // The tag of an earlier order is not the goal.
            step('fresh', 'remove_tag', { tag: ordered() }),
            { ...message(), delay: { amount: 1, unit: 'hours' } },
            tag('cartReminder'),
          ],
          { reentry: 'one_at_a_time', goal: { type: 'tag_added', config: { tags: [ordered()] } } },
        ),
        asks: [askTemplate],
      };
    case 'appointment':
      return {
        flow: build(name, begin('time_based', onDate(-1, false)), [
          message(),
          waitForReply({ amount: 1, unit: 'days' }),
          step('note', 'add_note', { text: `${t('automation.template.noteText')} {{steps.reply.text}}` }),
        ]),
        asks: [askDate, askTemplate],
      };
    case 'review':
      return {
        flow: build(
          name,
          begin('conversation_resolved', {}, mayGetMarketing),
          [{ ...message(), delay: { amount: 2, unit: 'hours' } }, tag('reviewRequested')],
          { reentry: 'once' },
        ),
        asks: [askTemplate],
      };
    case 'leadRouting':
      return {
        flow: build(
          name,
          begin('message_received', { match: 'contains', words: leadWords() }),
          [
            step('assign', 'assign_conversation', { to: 'team', team: '' }),
            step('answer', 'send_message', { content: 'text', text: t('automation.template.leadText') }),
            tag('lead'),
          ],
          { reentry: 'one_at_a_time' },
        ),
        asks: [{ place: 'step', id: 'assign', fields: ['team'] }],
      };
    case 'optIn':
      return {
        flow: build(name, begin('consent_changed', { consent: 'opt_in' }), [message(), tag('optedIn')]),
        asks: [askTemplate],
      };
    case 'birthday':
      return {
        flow: build(name, begin('time_based', onDate(0, true), mayGetMarketing), [message()]),
        asks: [askDate, askTemplate],
      };
  }
}

const zone = { zone: 'workspace' };

function onDate(offset: number, yearly: boolean): FlowConfig {
  return { mode: 'date_field', field: '', offset, yearly, time: '09:00', ...zone };
}

function begin(type: string, config: FlowConfig, conditions: Json = null): FlowTrigger {
  return { id: 'start', type, config, conditions };
}

function step(id: string, type: string, config: FlowConfig): FlowStep {
  return { id, type, config, delay: null, next: {} };
}

function message(): FlowStep {
  return step('message', 'send_message', { content: 'template', template: '', variables: {}, buttons: [] });
}

type TagKey = 'welcomed' | 'wonBack' | 'cartReminder' | 'reviewRequested' | 'lead' | 'optedIn';

function tag(key: TagKey): FlowStep {
  return step('tag', 'add_tag', { tag: t(`automation.template.tag.${key}`) });
}

function ordered(): string {
  return t('automation.template.tag.ordered');
}

function waitForReply(timeout: Json): FlowStep {
  return step('reply', 'wait_for_reply', { timeout });
}

function leadWords(): string[] {
  return t('automation.template.leadWords').split(', ');
}

/** The steps follow each other; behind a wait for a reply, where the contact replies. */
function build(
  name: WorkflowTemplateName,
  trigger: FlowTrigger,
  steps: readonly FlowStep[],
  settings: Partial<FlowSettings> = {},
): FlowFile {
  return {
    ...emptyFlow('workflow', t(`automation.template.${name}`), t(`automation.template.${name}.text`)),
    triggers: [trigger],
    start: steps[0]?.id ?? null,
    steps: steps.map((one, index) => ({
      ...one,
      next: { [one.type === 'wait_for_reply' ? 'replied' : 'done']: steps[index + 1]?.id ?? null },
    })),
    settings: { ...defaultFlowSettings, ...settings },
  };
}
