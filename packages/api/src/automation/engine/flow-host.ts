import { randomInt, randomUUID } from 'node:crypto';
import { bindTo } from '@app/database/bind-value';
import { isLiveSql } from '@app/database/conversations/message-history';
import { newId } from '@app/database/new-id';
import type { SqlQueries } from '@app/database/sql-queries';
import { segmentSql } from '@app/database/segments/segment-filter';
import { messageLeftName } from '@app/delivery/engine/engine-wake';
import type { FlowHost } from '@app/flows/flow-host';
import { actorCaller } from '@app/domain/auth/caller';
import { contactZoneOf } from '@app/domain/flows/contact-zone';
import type { FlowGoal, Json } from '@app/domain/flows/flow-file';
import { tagAdded } from '@app/domain/flows/triggers/contact-triggers';
import { countOpenMessages } from '../../conversations/sending/withdraw-queued.ts';
import type { ApiDependencies } from '../../platform/request-context.ts';
import {
  openScope,
  runAfterwards,
  type Afterwards,
  type WorkspaceScope,
} from '../../platform/workspace-scope.ts';
import { findAnswered } from './who-answers.ts';
import { findUndecided } from './undecided-messages.ts';
import type { EffectParts } from './effects/effect-parts.ts';
import { flowEffects } from './flow-effects.ts';
import { noteFailures } from './note-failures.ts';
import { makeStarts } from './sweeps/make-starts.ts';

export type FlowHostParts = Pick<ApiDependencies, 'clock' | 'facts' | 'logger'> & EffectParts;

/** A flow with so many messages that have not left starts no more of many: campaigns and agents send, too. */
const MOST_QUEUED = 500;

/** All that the engine of flows gets of the product: its transactions, what runs know, and what their effects do; `more` are those of other features. */
export function openFlowHost(
  parts: FlowHostParts,
  more: FlowHost<WorkspaceScope>['effects'] = {},
): FlowHost<WorkspaceScope> {
  const { db, clock, facts, logger } = parts;
  const transactions: Pick<FlowHost<WorkspaceScope>, 'systemPool' | 'inWorkspace' | 'now'> = {
    systemPool: db.systemPool,
    now: () => clock().getTime(),
    async inWorkspace(workspaceId, work) {
      const afterwards: Afterwards = [];
      const result = await db.inSystemWorkspace(workspaceId, (tx, client) => {
        const shared = { tx, client, clock, afterwards, origin: null, wake: facts.wake };
        return work({
          workspaceId,
          query: (text, values) => client.query(text, values),
          as: ({ kind, flowId, flowName, runId, depth }) =>
            openScope({
              ...shared,
              caller: actorCaller(kind === 'bot' ? 'bot' : 'automation', {
                ...{ id: flowId, name: flowName, workspaceId },
              }),
              cause: { kind: 'run', id: runId, depth },
            }),
        });
      });
      await runAfterwards(afterwards, logger);
      return result;
    },
  };
  return {
    ...transactions,
    // An agent's reply waits to be sent.
    writingNotice: { channel: messageLeftName, payload: 'agent' },
    makeStarts: (signal) => makeStarts({ ...transactions, logger }, signal),
    effects: { ...more, ...flowEffects(parts) },
    findMeeting,
    readContacts,
    readWorkspace,
    findReply,
    findUndecided: (transaction, contactIds) => findUndecided(transaction, contactIds, clock()),
    findAnswered: (transaction, starts) => findAnswered(transaction, starts, clock().getTime()),
    isGoalReached,
    async hasManyQueued(transaction, flowId) {
      const scope = transaction.as({ flowId, flowName: '', runId: flowId, kind: 'workflow', depth: 0 });
      return (await countOpenMessages(scope, { source: `flow/${flowId}` })) >= MOST_QUEUED;
    },
    noteFailures: (transaction, failed) => noteFailures(transaction, failed, clock()),
    async pauseFlow(transaction, { flowId, reason, runId }) {
      const { rows } = await transaction.query<{ name: string; kind: 'workflow' | 'bot' }>(
        `UPDATE flows SET status = 'paused', paused_for = $3, paused_by_run = $4, updated_at = $5
          WHERE workspace_id = $1 AND id = $2 AND status = 'active' RETURNING name, kind`,
        [transaction.workspaceId, flowId, reason, runId, clock()],
      );
      const [flow] = rows;
      if (!flow) return;
      const scope = transaction.as({
        ...{ flowId, flowName: flow.name, kind: flow.kind, runId: runId ?? flowId, depth: 0 },
      });
      await scope.emit({
        type: 'workflow.paused',
        subject: flowId,
        values: { name: flow.name, reason, runId },
      });
    },
    random: () => randomInt(2 ** 32),
    newId,
    logger,
    ownerId: randomUUID(),
  };
}

type Transaction = SqlQueries & { readonly workspaceId: string };

export async function findMeeting(
  transaction: Transaction,
  contactIds: readonly string[],
  rules: Parameters<FlowHost<WorkspaceScope>['findMeeting']>[2],
): Promise<Set<string>> {
  const values: unknown[] = [transaction.workspaceId, contactIds];
  const condition = segmentSql(rules, bindTo(values), {
    ...{ workspaceId: transaction.workspaceId, alias: 'c' },
  });
  const { rows } = await transaction.query<{ id: string }>(
    `SELECT c.id FROM contacts c WHERE c.workspace_id = $1 AND c.id = ANY ($2::uuid[]) AND ${condition}`,
    values,
  );
  return new Set(rows.map(({ id }) => id));
}

/** A tag is a goal that lasts; the others are moments. */
async function isGoalReached(
  transaction: Transaction,
  { contactId, goal }: { contactId: string; goal: FlowGoal },
): Promise<boolean> {
  if (goal.type !== 'tag_added') return false;
  const { rows } = await transaction.query<{ tags: string[] }>(
    'SELECT tags FROM contacts WHERE workspace_id = $1 AND id = $2',
    [transaction.workspaceId, contactId],
  );
  return rows.some(({ tags }) => tags.some((tag) => tagAdded.matches(goal.config, { tag })));
}

type ContactRow = {
  id: string;
  name: string;
  phone: string | null;
  email: string | null;
  language: string | null;
  fields: { [key: string]: Json } | null;
};

export async function readContacts(transaction: Transaction, contactIds: readonly string[]) {
  const { rows } = await transaction.query<ContactRow & { zone: string }>(
    `SELECT c.id, c.name, c.phone, c.email, c.language, coalesce(w.settings->>'timeZone', 'UTC') AS zone,
            (SELECT jsonb_object_agg(f.key, c.custom_values -> f.id::text) FROM custom_fields f
              WHERE f.workspace_id = c.workspace_id AND c.custom_values ? f.id::text) AS fields
       FROM contacts c JOIN workspaces w ON w.id = c.workspace_id WHERE c.workspace_id = $1 AND c.id = ANY ($2::uuid[])`,
    [transaction.workspaceId, contactIds],
  );
  return new Map(
    rows.map(({ id, name, phone, email, language, fields, zone }) => [
      id,
      {
        contact: {
          ...{ id, name, first_name: name.trim().split(/\s+/)[0] ?? '', phone, email, language },
          fields: fields ?? {},
        },
        contactZone: contactZoneOf(phone, zone),
      },
    ]),
  );
}

export async function readWorkspace(transaction: Transaction) {
  const { rows } = await transaction.query<{ name: string; zone: string }>(
    `SELECT coalesce(nullif(settings->>'businessName', ''), name) AS name, coalesce(settings->>'timeZone', 'UTC') AS zone
       FROM workspaces WHERE id = $1`,
    [transaction.workspaceId],
  );
  return { workspace: { business: rows[0]?.name ?? '' }, workspaceZone: rows[0]?.zone ?? 'UTC' };
}

async function findReply(
  transaction: Transaction,
  { contactId, since }: { contactId: string; since: Date },
): Promise<Awaited<ReturnType<FlowHost<WorkspaceScope>['findReply']>>> {
  // Platforms name whole seconds: of the second in which the wait began, what arrived after that is a reply.
  const { rows } = await transaction.query<{ id: string; text: string | null; at: Date }>(
    `SELECT id, text, occurred_at AS at FROM messages
      WHERE workspace_id = $1 AND contact_id = $2 AND direction = 'in' AND occurred_at >= date_trunc('second', $3::timestamptz)
        AND (occurred_at >= $3 OR received_at > $3) AND is_said(messages) AND ${isLiveSql('messages')}
      ORDER BY occurred_at, id LIMIT 1`,
    [transaction.workspaceId, contactId, since],
  );
  const [reply] = rows;
  if (!reply) return null;
  return {
    ...{ kind: 'reply', messageId: reply.id, text: reply.text ?? '', button: null },
    at: reply.at.getTime(),
  };
}
