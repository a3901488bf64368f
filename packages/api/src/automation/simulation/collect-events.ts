import { nextOccurrence } from '@app/domain/flows/flow-schedule';
import type { FlowFile, Json } from '@app/domain/flows/flow-file';
import { textOf } from '@app/domain/flows/step-type';
import type { StoredEvent } from '@app/domain/flows/simulation/simulate-contact';
import { findTrigger } from '@app/domain/flows/simulation/simulate-contact';
import { findConsentWord } from '@app/domain/contacts/opt-out-keywords';
import type { SegmentRules } from '@app/domain/segments/segment-rules';
import { findMessagingSettings } from '../../settings/messaging-settings.ts';
import type { StoredFact } from '../../platform/facts/fact-consumer.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import { eventFacts, FRESH_MS, readEvents, type ContactEvent } from '../engine/flow-events.ts';
import { chosenBy } from '../engine/sweeps/due-triggers.ts';
import { findSwept, type Swept } from '../engine/sweeps/sweep.ts';
import { readCampaigns, sweepsOf, type TriggerRow } from '../engine/sweeps/sweeping-facts.ts';

/** An event of a contact; `side` for what begins runs of one of the two flows alone, such as the clock. */
export type FoundEvent = StoredEvent & { contactId: string | null; side: Side | null };
export type Side = 'draft' | 'published';
export type Sides = { draft: FlowFile; published: FlowFile | null };

export const sides: readonly Side[] = ['draft', 'published'];
const SWEPT_FACTS = ['contacts.imported', 'campaign.completed'];
const FACTS_AT_ONCE = 500;

type FactRow = {
  id: string;
  type: string;
  version: number;
  subject_kind: string;
  subject_id: string | null;
  actor: StoredFact['actor'];
  values: StoredFact['values'];
  occurred_at: Date;
  recorded_at: Date;
  depth: number;
};

/** The next facts after `afterId` that were recorded since `from`, in their order. */
export async function readFacts(
  scope: ReadScope,
  { from, afterId }: { from: Date; afterId: string },
): Promise<{ facts: (StoredFact & { recordedAt: Date })[]; lastId: string; isOver: boolean }> {
  const { rows } = await scope.query<FactRow>(
    `SELECT id, type, version, subject_kind, subject_id, actor, "values", occurred_at, recorded_at, depth FROM events
      WHERE workspace_id = $1 AND recorded_at >= $2 AND id > $3 AND type = ANY ($4::text[]) ORDER BY id LIMIT ${FACTS_AT_ONCE}`,
    [scope.workspaceId, from, afterId, [...eventFacts, ...SWEPT_FACTS]],
  );
  const facts = rows.map((row) => ({
    ...{ id: Number(row.id), workspaceId: scope.workspaceId, type: row.type, version: row.version },
    ...{ subjectKind: row.subject_kind, subject: row.subject_id, actor: row.actor, values: row.values },
    ...{ occurredAt: row.occurred_at.toISOString(), recordedAt: row.recorded_at, depth: row.depth },
  }));
  return { facts, lastId: rows.at(-1)?.id ?? afterId, isOver: rows.length < FACTS_AT_ONCE };
}

/** What these facts say of contacts. A message that was old when it came is history. */
export async function eventsOf(
  scope: ReadScope,
  facts: readonly (StoredFact & { recordedAt: Date })[],
): Promise<FoundEvent[]> {
  const recorded = new Map<number, Date>(facts.map(({ id, recordedAt }) => [id, recordedAt]));
  const heard = facts.filter(({ type }) => !SWEPT_FACTS.includes(type));
  const events = (await readEvents(scope, heard, { messagesFrom: new Date(0) })).filter(
    ({ type, fact, at }) => !isMessage(type) || recorded.get(fact.id)!.getTime() - at.getTime() <= FRESH_MS, // each is of these facts
  );
  const answered = await findAnswered(scope, events);
  return events.map(({ type, values, at, contactId, part, fact }) => ({
    ...{ type, values, at: at.getTime(), contactId, side: null, triggerId: null, factId: fact.id },
    answeredBy: isMessage(type) ? (answered.get(part) ?? null) : null,
  }));
}

function isMessage(type: string): boolean {
  return type === 'message_received' || type === 'form_submission';
}

/** By message: a word of consent, or the bot, answered it. */
async function findAnswered(
  scope: ReadScope,
  events: readonly ContactEvent[],
): Promise<Map<string, 'consent' | 'bot'>> {
  const messages = events.filter(({ type }) => type === 'message_received');
  if (messages.length === 0) return new Map();
  const { rows } = await scope.query<{ source: string }>(
    `SELECT source FROM flow_starts WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[]) AND source = ANY ($3::text[]) AND state <> 'refused'`,
    [
      ...[scope.workspaceId, messages.map(({ contactId }) => contactId)],
      messages.map(({ part }) => `bot/${part}`),
    ],
  );
  const answered = new Map<string, 'consent' | 'bot'>(
    rows.map(({ source }) => [source.slice('bot/'.length), 'bot']),
  );
  const { consentWords } = await findMessagingSettings(scope);
  for (const { part, values } of messages)
    if (findConsentWord(typeof values['text'] === 'string' ? values['text'] : '', consentWords) !== null)
      answered.set(part, 'consent');
  return answered;
}

export type Span = { from: Date; to: Date };
/** Up to `most` events. */
type Bound = Span & { most: number };

/** What the clock, imports and campaigns would have begun: contacts are those of today. */
export async function sweptEvents(
  scope: ReadScope,
  flows: Sides,
  facts: readonly StoredFact[],
  bound: Bound,
): Promise<FoundEvent[]> {
  const found: FoundEvent[] = [];
  for (const side of sides) {
    const flow = flows[side];
    if (!flow) continue;
    for (const wanted of await listSwept(scope, flow, facts, bound)) {
      const left = bound.most - found.length;
      if (left <= 0) return found;
      found.push(...(await sweep(scope, wanted, side, left)));
    }
  }
  return found;
}

type Wanted = {
  triggerId: string;
  type: string;
  conditions: Json;
  chosen: Swept;
  at: number;
  values: { readonly [name: string]: Json };
};

async function listSwept(
  scope: ReadScope,
  flow: FlowFile,
  facts: readonly StoredFact[],
  { from, to }: Span,
): Promise<Wanted[]> {
  const names = await readCampaigns(scope, facts);
  const wanted: Wanted[] = [];
  for (const { id, type, config, conditions } of flow.triggers) {
    const row: TriggerRow = { flow_id: '', trigger_id: id, version: 0, type, config };
    for (const fact of facts)
      for (const { chosen, dueAt, values } of sweepsOf(row, fact, names))
        if (dueAt <= to)
          wanted.push({ triggerId: id, type, conditions, chosen, at: dueAt.getTime(), values });
    if (type !== 'time_based') continue;
    const zone = await readZone(scope);
    for (let next = nextOccurrence(config, zone, from.getTime()); next !== null;) {
      const { at } = next;
      if (at > to.getTime()) break;
      const values = { due_at: new Date(at).toISOString() };
      wanted.push({ ...{ triggerId: id, type, conditions, at, values }, chosen: chosenBy(config, next) });
      next = nextOccurrence(config, zone, at);
    }
  }
  return wanted;
}

async function readZone(scope: ReadScope): Promise<string> {
  const { rows } = await scope.query<{ zone: string }>(
    `SELECT coalesce(settings->>'timeZone', 'UTC') AS zone FROM workspaces WHERE id = $1`,
    [scope.workspaceId],
  );
  return rows[0]?.zone ?? 'UTC';
}

async function sweep(
  scope: ReadScope,
  { triggerId, type, conditions, chosen, at, values }: Wanted,
  side: Side,
  limit: number,
): Promise<FoundEvent[]> {
  const ids: (string | null)[] =
    chosen.kind === 'nobody'
      ? [null]
      : await findSwept(scope, {
          ...{ chosen, afterId: null, limit },
          conditions: conditions as unknown as SegmentRules | null, // publishing looked at them
        });
  return ids.map((contactId) => ({
    ...{ type, values, at, contactId, triggerId, side, answeredBy: null, factId: null },
  }));
}

/** Calls and filled-in forms of that time; a trigger of the draft that has another id or type had none. */
export async function calledEvents(
  scope: ReadScope,
  workflowId: string,
  { draft, published }: Sides,
  { from, to, most }: Bound,
): Promise<FoundEvent[]> {
  const { rows } = await scope.query<{
    trigger_id: string | null;
    contact_id: string | null;
    values: { [name: string]: Json };
    at: Date;
  }>(
    `SELECT trigger_id, contact_id, "values", at FROM flow_starts WHERE workspace_id = $1 AND flow_id = $2 AND NOT is_test
        AND (source LIKE 'hook/%' OR source LIKE 'form/%') AND at >= $3 AND at <= $4
        AND (state = 'started' OR contact_id IS NOT NULL) ORDER BY at, id LIMIT $5`,
    [scope.workspaceId, workflowId, from, to, most],
  );
  const types = ['webhook', 'form_submission'];
  return rows.flatMap(({ trigger_id: triggerId, contact_id: contactId, values, at }) =>
    sides.flatMap((side): FoundEvent[] => {
      const flow = side === 'draft' ? draft : published;
      const trigger = flow?.triggers.find(({ id }) => id === triggerId);
      if (!trigger || triggerId === null || !types.includes(trigger.type)) return [];
      const isAlone = trigger.type === 'webhook' && textOf(trigger.config, 'contact') === 'none';
      return [
        {
          ...{
            type: trigger.type,
            values,
            at: at.getTime(),
            triggerId,
            side,
            answeredBy: null,
            factId: null,
          },
          contactId: isAlone ? null : contactId,
        },
      ];
    }),
  );
}

/** Whether an event begins a run of either flow. */
export function beginsRun({ draft, published }: Sides, event: FoundEvent): boolean {
  return sides.some((side) => {
    const flow = side === 'draft' ? draft : published;
    return flow !== null && (event.side ?? side) === side && findTrigger(flow, event) !== undefined;
  });
}
