import { durationMs, type Duration, type FlowConfig } from '@app/domain/flows/flow-file';
import { listOfTexts, textOf } from '@app/domain/flows/step-type';
import { findTriggerType } from '@app/domain/flows/trigger-types';
import { runClasses } from '@app/flows/flow-host';
import { wakeFlows } from '@app/flows/flow-inputs';
import type { FactConsumer, StoredFact } from '../../../platform/facts/fact-consumer.ts';
import type { ReadScope } from '../../../platform/workspace-scope.ts';
import { clockWaits, wakeClockWaits } from './clock-waits.ts';
import { moveSchedules } from './due-triggers.ts';
import { addSweeps, type NewSweep } from './sweep.ts';

export type TriggerRow = {
  flow_id: string;
  trigger_id: string;
  version: number;
  type: string;
  config: FlowConfig;
};

/** Facts about more contacts than they name begin a sweep: an import that made contacts, a campaign that was completed. */
export const automationSweeps: FactConsumer = {
  name: 'automation-sweeps',
  order: 'none',
  atDepthLimit: 'hear',
  types: ['contacts.imported', 'campaign.completed'],
  async handle(page, facts) {
    const { rows } = await page.query<TriggerRow>(
      `SELECT t.flow_id, t.trigger_id, t.version, t.type, t.config FROM flow_triggers t JOIN flows f ON f.id = t.flow_id
        WHERE t.workspace_id = $1 AND t.type IN ('new_contact', 'tag_added', 'campaign_outcome') AND NOT t.is_goal
          AND f.status = 'active' AND f.published = t.version`,
      [page.workspaceId],
    );
    const names = await readCampaigns(page, facts);
    const sweeps = facts.flatMap((fact) => rows.flatMap((trigger) => sweepsOf(trigger, fact, names)));
    await addSweeps(page, sweeps);
    if (sweeps.length > 0) await wakeFlows(page, runClasses.bulk);
  },
};

/** Another time zone of the workspace moves what is planned by it and what waits by it; another number of a contact what waits by the zone of the contact. */
export const automationTimes: FactConsumer = {
  name: 'automation-times',
  order: 'none',
  atDepthLimit: 'hear',
  types: ['settings.updated', 'contact.updated'],
  async handle(page, facts, { jobs }) {
    const settings = facts.filter(
      ({ type, values }) => type === 'settings.updated' && values['part'] === 'general',
    );
    const [first, ...others] = settings;
    if (first) {
      await moveSchedules(page, page.clock());
      await jobs?.enqueue(page.causedBy(first, ...others), clockWaits, page.workspaceId, {});
    }
    const renumbered = facts.filter(
      ({ type, values }) => type === 'contact.updated' && listOf(values['fields']).includes('phone'),
    );
    await wakeClockWaits(page, [...new Set(renumbered.flatMap(({ subject }) => subject ?? []))]);
  },
};

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export async function readCampaigns(
  scope: ReadScope,
  facts: readonly StoredFact[],
): Promise<Map<string, string>> {
  const ids = facts.flatMap(({ type, subject }) => (type === 'campaign.completed' ? (subject ?? []) : []));
  if (ids.length === 0) return new Map();
  const { rows } = await scope.query<{ id: string; name: string }>(
    'SELECT id, name FROM campaigns WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
    [scope.workspaceId, ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export function sweepsOf(
  trigger: TriggerRow,
  { id, type, subject, occurredAt, depth }: StoredFact,
  names: ReadonlyMap<string, string>,
): NewSweep[] {
  if (subject === null) return [];
  const at = new Date(occurredAt);
  const { flow_id: flowId, trigger_id: triggerId, version, config } = trigger;
  const common = { flowId, triggerId, version, source: `fact/${id}`, depth, at };
  if (type === 'contacts.imported') {
    if (trigger.type === 'new_contact')
      return [{ ...common, dueAt: at, values: {}, chosen: { kind: 'import', importId: subject } }];
    if (trigger.type !== 'tag_added') return [];
    // A contact that got several of the tags enters once, by the first of them.
    const tags = listOfTexts(config, 'tags');
    return tags.map((tag, place) => ({
      ...{ ...common, source: `${common.source}/${tag.toLowerCase()}`, dueAt: at, values: { tag } },
      chosen: { kind: 'import_tag', importId: subject, tag, others: tags.slice(0, place) },
    }));
  }
  const brought = { campaign_id: subject, campaign: names.get(subject) ?? '' };
  const isMeant =
    trigger.type === 'campaign_outcome' && findTriggerType(trigger.type)?.matches(config, brought) === true;
  if (!isMeant) return [];
  const outcome = textOf(config, 'outcome');
  const afterMs = durationMs((config['after'] ?? { amount: 0, unit: 'seconds' }) as Duration); // publishing looked at it
  return [
    {
      ...common,
      ...{ dueAt: new Date(at.getTime() + afterMs), values: { ...brought, outcome } },
      chosen: { kind: 'campaign', campaignId: subject, outcome },
    },
  ];
}
