import { narrowToWorkspace, widenToSystem } from '@app/database/database';
import { findConsentWord } from '@app/domain/contacts/opt-out-keywords';
import type { FlowTransaction, StartToAnswer } from '@app/flows/flow-host';
import { findMessagingSettings } from '../../settings/messaging-settings.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';

type Transaction = FlowTransaction<WorkspaceScope>;
type Answering = StartToAnswer & { messageId: string; factId: number };

/** Who answers a message before workflows do; the names stand in `answered_by_<name>`, the reason of a start that is refused. */
type Answerer = {
  by: string;
  /** The consumer of facts that decides it: until it has heard of the message, nobody knows. Null where the message tells by itself. */
  consumer: string | null;
  /** The ids of those messages that it answers. */
  claim(transaction: Transaction, starts: readonly Answering[]): Promise<ReadonlySet<string>>;
};

/** One message gets one automatic answer, in this order: a word of consent, the bot, a run that waits for the reply, a workflow, the automatic reply. */
const before: readonly Answerer[] = [
  { by: 'consent', consumer: null, claim: findConsent },
  { by: 'bot', consumer: 'chatbot', claim: findBot },
  { by: 'run', consumer: 'automation-replies', claim: findReplied },
];

/** A decision that is not there after so long is not waited for any more. */
const PATIENCE_MS = 60_000;

/**
 * Of workflows that begin with a message and send messages: which must not, by the reason, and which cannot know yet (`later`). Workflows that send
 * nothing all begin. Of several that answer, the first start of the message does: triggers of certain words go before those of any message.
 */
export async function findAnswered(
  transaction: Transaction,
  starts: readonly StartToAnswer[],
  now: number,
): Promise<Map<string, string>> {
  const answering = await findAnswering(transaction, starts);
  const verdicts = new Map<string, string>();
  if (answering.length === 0) return verdicts;
  const unheard = await findUnheard(transaction, answering);
  for (const { by, consumer, claim } of before) {
    const open = answering.filter(({ id }) => !verdicts.has(id));
    const claimed = await claim(transaction, open);
    for (const { id, messageId, factId, at } of open) {
      const isPatient = now - at.getTime() < PATIENCE_MS;
      if (claimed.has(messageId)) verdicts.set(id, `answered_by_${by}`);
      else if (consumer !== null && isPatient && unheard.get(consumer)?.has(factId))
        verdicts.set(id, 'later');
    }
  }
  await leaveToFirst(transaction, answering, verdicts);
  return verdicts;
}

/** Starts by a message, of workflows with a step that sends one. A test is meant as it is. */
async function findAnswering(
  transaction: Transaction,
  starts: readonly StartToAnswer[],
): Promise<Answering[]> {
  const found = starts.flatMap((start) => {
    const [, factId, messageId] = /^fact\/(\d+)\/([0-9a-f-]{36})$/.exec(start.source) ?? [];
    const isMeant = messageId !== undefined && start.values['message_id'] === messageId && !start.isTest;
    return isMeant ? [{ ...start, messageId, factId: Number(factId) }] : [];
  });
  if (found.length === 0) return [];
  const { rows } = await transaction.query<{ key: string }>(
    `SELECT v.flow_id || '/' || v.number AS key FROM flow_versions v JOIN flows f ON f.id = v.flow_id AND f.kind = 'workflow'
      WHERE v.workspace_id = $1 AND v.flow_id = ANY ($2::uuid[]) AND v.content->'steps' @> '[{"type": "send_message"}]'`,
    [transaction.workspaceId, found.map(({ flowId }) => flowId)],
  );
  const sending = new Set(rows.map(({ key }) => key));
  return found.filter(({ flowId, version }) => sending.has(`${flowId}/${version}`));
}

/** By consumer: the facts among these that it has not heard yet. One that this installation does not have hears of none. */
async function findUnheard(
  transaction: Transaction,
  answering: readonly Answering[],
): Promise<Map<string, Set<number>>> {
  await widenToSystem(transaction);
  const { rows } = await transaction.query<{ name: string; id: string }>(
    `SELECT c.name, e.id FROM events e, event_consumers c
      WHERE e.id = ANY ($1::bigint[]) AND e.workspace_id = $2 AND e.recorded_at > $3 AND c.name = ANY ($4::text[])
        AND NOT pg_visible_in_snapshot(e.txid, c.seen)
        AND NOT (c.batch IS NOT NULL AND e.id <= c.last_id AND pg_visible_in_snapshot(e.txid, c.batch))`,
    [
      ...[answering.map(({ factId }) => factId), transaction.workspaceId],
      new Date(Math.min(...answering.map(({ at }) => at.getTime())) - 60_000),
      before.flatMap(({ consumer }) => consumer ?? []),
    ],
  );
  await narrowToWorkspace(transaction, transaction.workspaceId);
  const byName = Map.groupBy(rows, ({ name }) => name);
  return new Map([...byName].map(([name, all]) => [name, new Set(all.map(({ id }) => Number(id)))]));
}

async function findConsent(transaction: Transaction, starts: readonly Answering[]) {
  if (starts.length === 0) return new Set<string>();
  const scope = transaction.as({
    ...{ flowId: starts[0]!.flowId, flowName: '', runId: starts[0]!.flowId, kind: 'workflow', depth: 0 },
  });
  const { consentWords } = await findMessagingSettings(scope);
  const said = ({ values }: Answering) => (typeof values['text'] === 'string' ? values['text'] : '');
  return new Set(
    starts
      .filter((start) => findConsentWord(said(start), consentWords) !== null)
      .map(({ messageId }) => messageId),
  );
}

/** The bot's runs name the message that they answer. */
async function findBot(transaction: Transaction, starts: readonly Answering[]) {
  const { rows } = await transaction.query<{ source: string }>(
    `SELECT source FROM flow_starts WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[]) AND source = ANY ($3::text[]) AND state <> 'refused'`,
    [
      ...[transaction.workspaceId, starts.map(({ contactId }) => contactId)],
      starts.map(({ messageId }) => `bot/${messageId}`),
    ],
  );
  return new Set(rows.map(({ source }) => source.slice('bot/'.length)));
}

async function findReplied(transaction: Transaction, starts: readonly Answering[]) {
  const { rows } = await transaction.query<{ id: string }>(
    `SELECT i.input->>'messageId' AS id FROM flow_inputs i JOIN flow_runs r ON r.id = i.run_id
      WHERE i.workspace_id = $1 AND r.contact_id = ANY ($2::uuid[]) AND i.input->>'kind' = 'reply' AND i.input->>'messageId' = ANY ($3::text[])`,
    [
      ...[transaction.workspaceId, starts.map(({ contactId }) => contactId)],
      starts.map(({ messageId }) => messageId),
    ],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Starts are looked at in the order in which they were written. */
async function leaveToFirst(
  transaction: Transaction,
  answering: readonly Answering[],
  verdicts: Map<string, string>,
): Promise<void> {
  const { rows } = await transaction.query<{ id: string; source: string; state: string }>(
    `SELECT s.id, s.source, s.state FROM flow_starts s JOIN flow_versions v ON v.flow_id = s.flow_id AND v.number = s.version
       JOIN flows f ON f.id = s.flow_id AND f.kind = 'workflow'
      WHERE s.workspace_id = $1 AND s.contact_id = ANY ($2::uuid[]) AND s.source = ANY ($3::text[]) AND s.state <> 'refused' AND NOT s.is_test
        AND v.content->'steps' @> '[{"type": "send_message"}]' ORDER BY s.id`,
    [
      ...[transaction.workspaceId, answering.map(({ contactId }) => contactId)],
      answering.map(({ source }) => source),
    ],
  );
  const first = new Map<string, { id: string; state: string }>();
  for (const row of rows)
    if (!first.has(row.source) && !verdicts.get(row.id)?.startsWith('answered')) first.set(row.source, row);
  for (const { id, source } of answering) {
    const other = first.get(source);
    if (verdicts.has(id) || !other || other.id === id) continue;
    // One that is open may still be refused, by its conditions for instance: then this one answers.
    verdicts.set(id, other.state === 'started' ? 'answered_by_workflow' : 'later');
  }
}
