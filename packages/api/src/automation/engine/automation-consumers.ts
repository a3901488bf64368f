import { addInputs, type NewInput } from '@app/flows/flow-inputs';
import { addStarts, type NewStart } from '@app/flows/flow-starts';
import { runClasses } from '@app/flows/flow-host';
import { beginsAnew } from '@app/domain/flows/begins-anew';
import type { FlowConfig } from '@app/domain/flows/flow-file';
import type { EffectOutcome } from '@app/domain/flows/run-state';
import { textOf } from '@app/domain/flows/step-type';
import { findTriggerType } from '@app/domain/flows/trigger-types';
import type { FactConsumer, StoredFact } from '../../platform/facts/fact-consumer.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import { eventFacts, readEvents, type ContactEvent } from './flow-events.ts';

/** Writes who is to enter which flow; nothing is started or sent here. A start at the depth limit is stored as refused. */
export const automationTriggers: FactConsumer = {
  name: 'automation-triggers',
  order: 'none',
  atDepthLimit: 'hear',
  types: eventFacts,
  async handle(page, facts) {
    const events = await readEvents(page, facts);
    if (events.length === 0) return;
    const triggers = await readTriggers(page, [...new Set(events.map(({ type }) => type))]);
    const matching = triggers.flatMap((trigger) => {
      const begun = new Set<string>();
      return events
        .filter(({ type, values }) => type === trigger.type && matches(trigger, values))
        .filter(({ type, fact, contactId }) => beginsAnew(begun, { type, edit: `${fact.id}/${contactId}` }))
        .map((event) => ({ trigger, event }));
    });
    await addStarts(
      page,
      matching
        .filter(({ trigger }) => !trigger.is_goal)
        .toSorted((one, other) => precedenceOf(one.trigger) - precedenceOf(other.trigger))
        .map(({ trigger, event }) => startOf(trigger, event)),
    );
    const reached = matching.filter(({ trigger }) => trigger.is_goal);
    if (reached.length > 0) await addInputs(page, await readGoals(page, reached), page.clock());
  },
};

type TriggerRow = {
  flow_id: string;
  trigger_id: string;
  version: number;
  type: string;
  config: FlowConfig;
  is_goal: boolean;
};

/**
 * Read for each page: a copy in memory could miss that somebody published. Goals count for runs of paused flows, too. Bot flows are
 * left out: the chatbot starts them.
 */
async function readTriggers(scope: ReadScope, types: readonly string[]): Promise<TriggerRow[]> {
  const { rows } = await scope.query<TriggerRow>({
    name: 'flows_find_triggers',
    text: `SELECT t.flow_id, t.trigger_id, t.version, t.type, t.config, t.is_goal FROM flow_triggers t JOIN flows f ON f.id = t.flow_id
      WHERE t.workspace_id = $1 AND t.type = ANY ($2::text[]) AND (t.is_goal OR (f.kind = 'workflow' AND f.status = 'active' AND f.published = t.version))`,
    values: [scope.workspaceId, types],
  });
  return rows;
}

/** Of several workflows that answer a message the one with the closest words does: its start is written first. */
function precedenceOf({ config }: TriggerRow): number {
  const at = ['is', 'starts_with', 'contains'].indexOf(textOf(config, 'match'));
  return at < 0 ? 3 : at;
}

function matches({ type, config }: TriggerRow, values: ContactEvent['values']): boolean {
  return findTriggerType(type)?.matches(config, values) ?? false;
}

function sourceOf({ fact, part }: ContactEvent): string {
  return part === '' ? `fact/${fact.id}` : `fact/${fact.id}/${part}`;
}

function startOf(
  { flow_id: flowId, version, trigger_id: triggerId }: TriggerRow,
  event: ContactEvent,
): NewStart {
  const { contactId, values, fact, at } = event;
  const channelId = typeof values['channel_id'] === 'string' ? values['channel_id'] : null;
  return {
    ...{ flowId, version, triggerId, contactId, channelId, values, at, source: sourceOf(event) },
    class: classOf(event),
    depth: fact.depth,
  };
}

function classOf({ type, isOfMany }: ContactEvent): number {
  if (type === 'message_received' || type === 'form_submission') return runClasses.person;
  return isOfMany ? runClasses.bulk : runClasses.event;
}

async function readGoals(
  scope: ReadScope,
  reached: readonly { trigger: TriggerRow; event: ContactEvent }[],
): Promise<NewInput[]> {
  const { rows } = await scope.query<{ id: string; contact_id: string; flow_id: string; started_at: Date }>(
    `SELECT id, contact_id, flow_id, started_at FROM flow_runs
      WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[]) AND flow_id = ANY ($3::uuid[]) AND status = 'running'`,
    [
      scope.workspaceId,
      reached.map(({ event }) => event.contactId),
      reached.map(({ trigger }) => trigger.flow_id),
    ],
  );
  return rows.flatMap((run) =>
    reached
      .filter(({ trigger, event }) => trigger.flow_id === run.flow_id && event.contactId === run.contact_id)
      .filter(({ event }) => event.at >= run.started_at)
      .map(({ event }) => ({ runId: run.id, source: sourceOf(event), input: { kind: 'goal' as const } })),
  );
}

type WaitingRun = {
  id: string;
  flow_id: string;
  contact_id: string;
  wait: 'reply' | 'event';
  event: { type: string; config: FlowConfig } | null;
};

/** Hands on what runs wait for. A message goes to one run: the one that began to wait last. */
export const automationReplies: FactConsumer = {
  name: 'automation-replies',
  order: 'none',
  atDepthLimit: 'hear',
  types: eventFacts,
  async handle(page, facts) {
    const events = await readEvents(page, facts);
    if (events.length === 0) return;
    const { rows } = await page.query<WaitingRun>(
      // What a contact writes in a dialogue with the bot is passed on by the bot, or answered by a part that goes before it.
      {
        name: 'flows_find_waiting',
        text: `SELECT r.id, r.flow_id, r.contact_id, r.wait, r.state->'wait'->'event' AS event FROM flow_runs r JOIN flows f ON f.id = r.flow_id
        WHERE r.contact_id = ANY ($2::uuid[]) AND r.workspace_id = $1 AND r.status = 'running'
          AND (r.wait = 'event' OR (r.wait = 'reply' AND f.kind = 'workflow'))
        ORDER BY (r.state->>'arrivedAt')::bigint DESC, r.id DESC`,
        values: [page.workspaceId, [...new Set(events.map(({ contactId }) => contactId))]],
      },
    );
    const began = await findBeginnings(page, rows, events);
    const answered = new Set<string>();
    const inputs = events.flatMap((event): NewInput[] => {
      const source = sourceOf(event);
      const waiting = rows.filter(
        ({ id, contact_id: contactId }) => contactId === event.contactId && !began.has(`${id} ${source}`),
      );
      const { type, values } = event;
      const at = event.at.getTime();
      const listening = waiting.filter(
        ({ event: wanted }) =>
          wanted?.type === type && findTriggerType(type)?.matches(wanted.config, values) === true,
      );
      const heard = listening.map(({ id }): NewInput => ({
        ...{ runId: id, source },
        input: { kind: 'event', event: { type, values, at } },
      }));
      const replied =
        type === 'message_received' && waiting.find(({ id, wait }) => wait === 'reply' && !answered.has(id));
      if (!replied) return heard;
      answered.add(replied.id);
      const [text, button, messageId] = [values['text'], values['button'], values['message_id']];
      const input = {
        ...{ kind: 'reply' as const, at, messageId: typeof messageId === 'string' ? messageId : '' },
        ...{ text: typeof text === 'string' ? text : '', button: typeof button === 'string' ? button : null },
      };
      return [...heard, { runId: replied.id, source, input }];
    });
    await addInputs(page, inputs, page.clock());
  },
};

/** What began a run is neither its reply nor what it waits for: this consumer may read it only when the run waits already. */
async function findBeginnings(
  scope: ReadScope,
  waiting: readonly WaitingRun[],
  events: readonly ContactEvent[],
): Promise<Set<string>> {
  if (waiting.length === 0) return new Set();
  const { rows } = await scope.query<{ run_id: string; source: string }>(
    `SELECT run_id, source FROM flow_starts
      WHERE workspace_id = $1 AND flow_id = ANY ($2::uuid[]) AND source = ANY ($3::text[]) AND run_id = ANY ($4::uuid[])`,
    [
      ...[scope.workspaceId, [...new Set(waiting.map(({ flow_id: id }) => id))], events.map(sourceOf)],
      waiting.map(({ id }) => id),
    ],
  );
  return new Set(rows.map(({ run_id: id, source }) => `${id} ${source}`));
}

/** Hands on what became of messages that runs wait for. */
export const automationOutcomes: FactConsumer = {
  name: 'automation-outcomes',
  order: 'none',
  atDepthLimit: 'hear',
  types: ['message.sent', 'message.failed', 'message.unknown', 'message.withdrawn'],
  async handle(page, facts) {
    const ids = facts.flatMap(({ subject }) => subject ?? []);
    const { rows } = await page.query<{ run_id: string; visit: number; number: number; message_id: string }>(
      'SELECT run_id, visit, number, message_id FROM flow_effects WHERE workspace_id = $1 AND message_id = ANY ($2::uuid[])',
      [page.workspaceId, ids],
    );
    const asked = new Map(rows.map((row) => [row.message_id, row]));
    const inputs = facts.flatMap((fact): NewInput[] => {
      const effect = fact.subject === null ? undefined : asked.get(fact.subject);
      if (!effect) return [];
      const { visit, number } = effect;
      const input = { kind: 'outcome' as const, visit, number, outcome: outcomeOf(fact) };
      return [{ runId: effect.run_id, source: `fact/${fact.id}`, input }];
    });
    await addInputs(page, inputs, page.clock());
    await settleEffects(page, inputs);
  },
};

function outcomeOf({ type, subject, values }: StoredFact): EffectOutcome {
  const of = { message_id: subject };
  if (type === 'message.sent') return { status: 'done', values: of };
  if (type === 'message.unknown') return { status: 'unknown', code: 'message_unknown' };
  const told = typeof values['code'] === 'string' ? values['code'] : 'refused';
  const code = type === 'message.withdrawn' ? 'withdrawn' : told;
  return { status: 'failed', code, values: of };
}

async function settleEffects(scope: ReadScope, inputs: readonly NewInput[]): Promise<void> {
  const rows = inputs.flatMap(({ runId, input }) =>
    input.kind === 'outcome'
      ? [
          {
            runId,
            visit: input.visit,
            number: input.number,
            state: input.outcome.status,
            outcome: input.outcome,
          },
        ]
      : [],
  );
  if (rows.length === 0) return;
  await scope.query(
    `UPDATE flow_effects e SET state = g.state, outcome = g.outcome, ended_at = $3
       FROM jsonb_to_recordset($2::jsonb) AS g ("runId" uuid, visit integer, number integer, state text, outcome jsonb)
      WHERE e.workspace_id = $1 AND e.run_id = g."runId" AND e.visit = g.visit AND e.number = g.number`,
    [scope.workspaceId, JSON.stringify(rows), scope.clock()],
  );
}
