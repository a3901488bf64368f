import { isFieldShown, type FieldDefinition } from '@app/domain/flows/field';
import type {
  Duration,
  FlowConfig,
  FlowFile,
  FlowStep,
  FlowTrigger,
  Json,
} from '@app/domain/flows/flow-file';
import { findStepType } from '@app/domain/flows/step-types';
import { findTriggerType } from '@app/domain/flows/trigger-types';
import { conditionsOf, type SegmentRules } from '@app/domain/segments/segment-rules';
import { useQueries, useQuery } from '@tanstack/react-query';
import { orpc } from '../../../shared/api.ts';
import { useCustomFields } from '../../../shared/contacts/custom-fields.ts';
import { formatList, formatWeekday } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { can } from '../../../shared/session.ts';
import { durationText, optionName, triggerName } from '../flow-words.ts';

/** Names of what steps refer to, by id; those that are gone or not known yet are missing. */
export type ReferenceNames = ReadonlyMap<string, string>;

/** The names of what a flow refers to: templates, workflows, campaigns, files, fields, members and teams. */
export function useReferenceNames({ steps, triggers }: Pick<FlowFile, 'steps' | 'triggers'>): ReferenceNames {
  const parts = [
    ...steps.map(({ type, config }) => ({ fields: findStepType(type)?.fields ?? [], config })),
    ...triggers.map(({ type, config }) => ({ fields: findTriggerType(type)?.fields ?? [], config })),
  ];
  const idsOf = (kind: FieldDefinition['kind']) => [
    ...new Set(
      parts.flatMap(({ fields, config }) =>
        fields
          .filter((field) => field.kind === kind && isFieldShown(field, config))
          .map(({ name }) => config[name])
          .filter((id): id is string => typeof id === 'string' && id !== ''),
      ),
    ),
  ];
  const templates = useQueries({
    queries: idsOf('template').map((templateId) =>
      orpc.templates.get.queryOptions({ input: { templateId } }),
    ),
  });
  const workflows = useQueries({
    queries: idsOf('workflow').map((workflowId) =>
      orpc.workflows.get.queryOptions({ input: { workflowId } }),
    ),
  });
  const campaigns = useQueries({
    queries: idsOf('campaign').map((campaignId) =>
      orpc.campaigns.get.queryOptions({ input: { campaignId } }),
    ),
  });
  const fields = useCustomFields() ?? [];
  const files = useQueries({
    queries: idsOf('media').map((mediaId) => orpc.media.get.queryOptions({ input: { mediaId } })),
  });
  const botFlows = useQuery({
    ...orpc.chatbot.listFlows.queryOptions({ input: {} }),
    enabled: idsOf('bot_flow').length > 0,
  });
  const assignees = useQuery({
    ...orpc.conversations.listAssignees.queryOptions({ input: {} }),
    enabled: can('messages:update') && (idsOf('team').length > 0 || idsOf('user').length > 0),
  });
  return new Map([
    ...fields.map(({ id, label }): [string, string] => [id, label]),
    ...[...templates, ...workflows, ...campaigns, ...files].flatMap(({ data }): [string, string][] =>
      data ? [[data.id, data.name]] : [],
    ),
    ...[
      ...(botFlows.data?.items ?? []),
      ...(assignees.data?.teams ?? []),
      ...(assignees.data?.people ?? []),
    ].map(({ id, name }): [string, string] => [id, name]),
  ]);
}

/** What a step does, in a line: the tag, the template, the time. Empty while nothing is set. */
export function stepSummary({ type, config }: FlowStep, names: ReferenceNames): string {
  return fieldsSummary(type, findStepType(type)?.fields ?? [], config, names);
}

export function triggerSummary({ type, config, conditions }: FlowTrigger, names: ReferenceNames): string {
  const own = fieldsSummary(type, findTriggerType(type)?.fields ?? [], config, names);
  const n = countRules(conditions);
  return [own, n > 0 ? t('automation.summary.conditions', { n }) : ''].filter(Boolean).join(' · ');
}

function fieldsSummary(
  type: string,
  fields: readonly FieldDefinition[],
  config: FlowConfig,
  names: ReferenceNames,
): string {
  return fields
    .filter((field) => isFieldShown(field, config) && !UNSAID.has(`${type}.${field.name}`))
    .map((field) => valueText(type, field, config[field.name] ?? null, names))
    .filter(Boolean)
    .join(' · ');
}

/** Long texts of a page; its title says which one it is. */
const UNSAID: ReadonlySet<string> = new Set(['form_submission.intro', 'form_submission.consent']);

/** Choices that no other field says. */
const SAID: ReadonlySet<string> = new Set(['outcome', 'period', 'consent', 'media']);

/** Receivers (`to`) that another field names, and the usual one of a mail. */
const NAMED: ReadonlySet<string> = new Set(['team', 'user', 'owner']);

/** Fields that others say more clearly, such as the choice between a template and a text, are left out. */
function valueText(
  type: string,
  { kind, name, isRequired }: FieldDefinition,
  value: Json,
  names: ReferenceNames,
): string {
  switch (kind) {
    case 'tag':
    case 'text':
    case 'long_text':
    case 'time':
    case 'url':
    case 'email':
    case 'slug':
      return typeof value === 'string' ? value : '';
    case 'date_time':
      return typeof value === 'string' ? value.replace('T', ' ') : '';
    case 'tags':
    case 'words':
      return formatList(textsOf(value), 'or');
    case 'choices':
      return (Array.isArray(value) ? (value as { title: string }[]) : [])
        .map(({ title }) => title)
        .join(' · ');
    case 'template':
    case 'bot_flow':
    case 'workflow':
    case 'media':
    case 'team':
    case 'user':
    case 'campaign':
    case 'custom_field':
      return typeof value === 'string' ? (names.get(value) ?? '') : '';
    case 'duration':
      return value === null ? '' : durationText(value as Duration); // as the file has it
    case 'weekdays':
      return formatList(
        (Array.isArray(value) ? (value as number[]) : []).map((day) => formatWeekday(day % 7)),
        'and',
      );
    case 'rules': {
      const n = countRules(value);
      return n > 0 ? t('automation.summary.conditions', { n }) : '';
    }
    case 'shares':
      return (Array.isArray(value) ? (value as { name: string; percent: number }[]) : [])
        .map((share) => `${share.name} ${share.percent}%`)
        .join(' · ');
    case 'goal':
      return triggerName(String((value as { type?: string } | null)?.type ?? ''));
    case 'choice':
      if (!isRequired || typeof value !== 'string') return '';
      return SAID.has(name) || (name === 'to' && !NAMED.has(value)) ? optionName(value, type) : '';
    default:
      return '';
  }
}

function textsOf(value: Json): string[] {
  return Array.isArray(value) ? value.filter((item: Json): item is string => typeof item === 'string') : [];
}

function countRules(value: Json): number {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 0;
  const rules = value as unknown as SegmentRules; // as the file has it
  return Array.isArray(rules.conditions) ? conditionsOf(rules).length : 0;
}
