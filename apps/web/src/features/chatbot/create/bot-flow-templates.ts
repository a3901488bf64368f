import { botFlowSettings } from '@app/domain/chatbot/bot-flow';
import { emptyFlow, type FlowConfig, type FlowFile, type FlowStep } from '@app/domain/flows/flow-file';
import { findStepType } from '@app/domain/flows/step-types';
import { t, type MessageKey } from '../../../shared/messages.ts';
import { initialConfig } from '../../automation/editor/flow-draft.ts';

export const botFlowTemplateNames = [
  ...(['openingHours', 'orderStatus', 'appointment'] as const),
  ...(['productQuestion', 'complaint', 'newsletter'] as const),
] as const;
export type BotFlowTemplateName = (typeof botFlowTemplateNames)[number];

/** What only the business knows, asked before the flow is created: the same field of one or several steps. */
export type TemplateAsk = { label: MessageKey; ids: readonly string[]; field: string };
export type BotFlowTemplate = { flow: FlowFile; asks: readonly TemplateAsk[] };

const timeout = { amount: 1, unit: 'hours' };

/** A whole dialogue in the language of the interface, with the ways that customers take. */
export function buildBotFlowTemplate(name: BotFlowTemplateName): BotFlowTemplate {
  switch (name) {
    case 'openingHours':
      return {
        flow: build(name, [
          offer('hours', t('botFlows.tpl.hours'), {
            way: t('botFlows.tpl.hours.way'),
            holidays: t('botFlows.tpl.hours.holidays'),
            person: t('botFlows.tpl.person'),
          }),
          say('way', t('botFlows.tpl.hours.wayText')),
          say('holidays', t('botFlows.tpl.hours.holidaysText')),
          people('person'),
        ]),
        asks: [
          { label: 'botFlows.tpl.openingHours', ids: ['hours'], field: 'text' },
          { label: 'botFlows.tpl.hours.way', ids: ['way'], field: 'text' },
          { label: 'botFlows.tpl.hours.holidays', ids: ['holidays'], field: 'text' },
        ],
      };
    case 'orderStatus':
      return {
        flow: build(name, [
          ask('order', t('botFlows.tpl.order.number'), {}, { done: 'call', invalid: 'person' }),
          step(
            'call',
            'webhook_call',
            {
              ...{
                method: 'GET',
                url: 'https://shop.example.com/orders/{{steps.order.answer}}',
                mayRepeat: true,
              },
              mapping: [{ name: 'order_status', value: 'status' }],
            },
            { done: 'known', failed: 'unknown' },
          ),
          step(
            'known',
            'compare',
            { value: '{{steps.call.order_status}}', operator: 'not_empty' },
            { yes: 'status', no: 'unknown' },
          ),
          say('status', t('botFlows.tpl.order.status')),
          offer(
            'unknown',
            t('botFlows.tpl.order.unknown'),
            {
              again: t('botFlows.tpl.order.again'),
              person: t('botFlows.tpl.person'),
            },
            { again: 'order', person: 'person', other: 'person' },
          ),
          people('person'),
        ]),
        asks: [{ label: 'botFlows.tplAsk.shop', ids: ['call'], field: 'url' }],
      };
    case 'appointment':
      return {
        flow: build(name, [
          ask(
            'day',
            t('botFlows.tpl.appointment.day'),
            { answer: 'date' },
            { done: 'time', invalid: 'person' },
          ),
          ask(
            'time',
            t('botFlows.tpl.appointment.time'),
            {
              answer: 'choice',
              options: [t('botFlows.tpl.morning'), t('botFlows.tpl.noon'), t('botFlows.tpl.afternoon')],
            },
            { done: 'name', invalid: 'person' },
          ),
          ask(
            'name',
            t('botFlows.tpl.appointment.name'),
            { save_to: 'name' },
            { done: 'note', invalid: 'person' },
          ),
          step(
            'note',
            'add_note',
            {
              text: `${t('botFlows.tpl.appointment.note')} {{steps.day.answer}}, {{steps.time.answer}}, {{steps.name.answer}}`,
            },
            { done: 'person' },
          ),
          people('person', t('botFlows.tpl.appointment.done')),
        ]),
        asks: [],
      };
    case 'productQuestion':
      return {
        flow: build(name, [
          ask('question', t('botFlows.tpl.product.ask'), {}, { done: 'answer', invalid: 'person' }),
          step(
            'answer',
            'ai_answer',
            { question: '{{steps.question.answer}}' },
            { done: 'more', unsure: 'person', failed: 'person' },
          ),
          offer(
            'more',
            t('botFlows.tpl.product.more'),
            {
              yes: t('botFlows.tpl.product.another'),
              no: t('botFlows.tpl.product.enough'),
              person: t('botFlows.tpl.person'),
            },
            { yes: 'question', no: 'bye', person: 'person', other: 'person' },
          ),
          say('bye', t('botFlows.tpl.bye')),
          people('person'),
        ]),
        asks: [],
      };
    case 'complaint':
      return {
        flow: build(name, [
          ask('what', t('botFlows.tpl.complaint.what'), {}, { done: 'order', invalid: 'person' }),
          ask(
            'order',
            t('botFlows.tpl.complaint.order'),
            {},
            { done: 'want', invalid: 'want', timed_out: 'note' },
          ),
          ask(
            'want',
            t('botFlows.tpl.complaint.want'),
            {
              answer: 'choice',
              options: [t('botFlows.tpl.replacement'), t('botFlows.tpl.refund'), t('botFlows.tpl.callBack')],
            },
            { done: 'tag', invalid: 'tag', timed_out: 'note' },
          ),
          step('tag', 'add_tag', { tag: t('botFlows.tpl.complaint.tag') }, { done: 'note' }),
          step(
            'note',
            'add_note',
            {
              text: `${t('botFlows.tpl.complaint.note')} {{steps.what.answer}} / {{steps.order.answer}} / {{steps.want.answer}}`,
            },
            { done: 'person' },
          ),
          people('person', t('botFlows.tpl.complaint.done')),
        ]),
        asks: [],
      };
    case 'newsletter':
      return {
        flow: build(name, [
          offer(
            'offer',
            t('botFlows.tpl.newsletter.offer'),
            {
              yes: t('botFlows.tpl.yes'),
              no: t('botFlows.tpl.no'),
            },
            { yes: 'consent', no: 'no', other: 'no' },
          ),
          step('consent', 'record_opt_in', { text: t('botFlows.tpl.newsletter.offer') }, { done: 'tag' }),
          step('tag', 'add_tag', { tag: t('botFlows.tpl.newsletter.tag') }, { done: 'thanks' }),
          say('thanks', t('botFlows.tpl.newsletter.thanks')),
          say('no', t('botFlows.tpl.newsletter.no')),
        ]),
        asks: [{ label: 'botFlows.tplAsk.consent', ids: ['offer', 'consent'], field: 'text' }],
      };
  }
}

function build(name: BotFlowTemplateName, steps: readonly FlowStep[]): FlowFile {
  return {
    ...emptyFlow('bot', t(`botFlows.tpl.${name}`), t(`botFlows.tpl.${name}.text`)),
    triggers: [
      {
        id: 'begin',
        type: 'keyword',
        config: { value: t(`botFlows.tpl.${name}.keywords`) },
        conditions: null,
      },
    ],
    ...{ start: steps[0]?.id ?? null, steps, settings: botFlowSettings },
  };
}

function step(id: string, type: string, config: FlowConfig, next: FlowStep['next'] = {}): FlowStep {
  return { id, type, config: { ...initialConfig(findStepType(type)?.fields), ...config }, delay: null, next };
}

function say(id: string, text: string): FlowStep {
  return step(id, 'send_message', { content: 'text', text });
}

function ask(id: string, text: string, config: FlowConfig, next: FlowStep['next']): FlowStep {
  return step(id, 'ask', { text, timeout, ...config }, next);
}

/** Choices whose names are those of the steps that they lead to, unless `next` says otherwise. */
function offer(id: string, text: string, titles: Record<string, string>, next?: FlowStep['next']): FlowStep {
  const names = Object.keys(titles);
  const choices = names.map((name) => ({ name, title: titles[name] ?? '' }));
  return step(
    id,
    'offer_choices',
    { text, timeout, choices },
    next ?? Object.fromEntries(names.map((name) => [name, name])),
  );
}

function people(id: string, text = t('botFlows.tpl.handover')): FlowStep {
  return step(id, 'handoff', { to: 'anyone', text });
}
