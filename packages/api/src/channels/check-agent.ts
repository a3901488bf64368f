import { channels } from '@app/database/channels/channels-tables';
import { listChannels, type Channel } from '@app/database/channels/find-channel';
import { emitRuns } from '@app/delivery/emit-runs';
import { stopChannel } from '@app/delivery/run-controls';
import type { AgentState } from '@app/domain/channels/agent-desk';
import type { AgentConnector } from '@app/domain/channels/channel-connector';
import { explainDeliveryError } from '@app/domain/messaging/delivery-error-messages';
import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { defineJob, every } from '../platform/jobs/define-job.ts';
import type { Jobs } from '../platform/jobs/enqueue-job.ts';
import { openFields } from '../platform/stored-credentials.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { sweepEach } from '../platform/jobs/sweep-each.ts';
import { changeAsSystem, type SystemParts } from '../platform/system-work.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { goOn, lockChannel } from './connect-channel.ts';
import { findConnectable } from './connection-view.ts';

const EVERY_SECONDS = 60;

/** What an event said of an agent, in case the platform does not answer the question itself. */
const said = z.object({
  at: z.iso.datetime(),
  stop: z.object({ code: z.string(), blocks: z.enum(['everything', 'campaigns']) }).nullable(),
});
type Said = z.infer<typeof said>;

/**
 * Asks the platform whether an agent may send, and stops or resumes its channel accordingly. One carrier of several says little, so an event
 * counts alone only where the platform does not answer.
 */
export const checkAgent = defineJob({
  name: 'check-agent',
  as: 'upkeep',
  payload: z.object({ channelId: z.uuid(), said: said.nullable() }),
  repeat: 'while-open',
  ...{ attempts: 3, pauseSeconds: 10, longestPauseSeconds: 60, timeoutSeconds: 60, atOnce: 4 },
  async run(parts, { payload }) {
    const { channelId } = payload;
    const all = await parts.read(({ tx, workspaceId }) => listChannels(tx, workspaceId));
    const channel = all.find(({ id }) => id === channelId);
    const kind = channel && findConnectable(parts, channel.kind);
    const agent = kind?.connector.agent;
    if (!channel?.isConnected || !kind || !agent) return { outcome: 'not_connected' };
    const at = parts.clock();
    const asked = await agent.readState(
      await openFields(kind.credentials, channel.credentials, parts.secrets),
    );
    const known = asked ? { state: asked, at } : payload.said && readSaid(payload.said);
    if (!known) return { outcome: 'not_said' };
    await parts.change((scope) => applyState(scope, channelId, known, agent));
    return { outcome: known.state.maySend ? 'may_send' : 'stopped' };
  },
});

/** Has the agent of a channel checked after an event; call it in the transaction that stores the event. */
export async function enqueueAgentCheck(
  jobs: Jobs,
  scope: WorkspaceScope,
  { channelId, state, at }: { channelId: string; state: AgentState; at: Date },
): Promise<void> {
  const stop = state.maySend ? null : { code: state.code, blocks: state.blocks };
  const instant = at.toISOString();
  await jobs.enqueue(scope, checkAgent, `${channelId}/${instant}`, {
    ...{ channelId, said: { at: instant, stop } },
  });
}

function readSaid({ at, stop }: Said): { state: AgentState; at: Date } {
  return { at: new Date(at), state: stop ? { maySend: false, ...stop } : { maySend: true } };
}

async function applyState(
  scope: WorkspaceScope,
  channelId: string,
  { state, at }: { state: AgentState; at: Date },
  { stops }: Pick<AgentConnector, 'stops'>,
): Promise<void> {
  if (!state.maySend) {
    const { code, blocks } = state;
    const detail = explainDeliveryError({ code, title: '' });
    const paused = await stopChannel(scope, channelId, { code, detail, blocks, at });
    return emitRuns(scope, (_, __, fact) => scope.emit(fact), paused);
  }
  const channel = await lockChannel(scope, channelId);
  if (!channel) return;
  const isEnded = isStoppedBy(channel, stops) && (channel.stoppedAt === null || channel.stoppedAt <= at);
  if (isEnded) await goOn(scope, channelId);
  // An older notice that comes later stops nothing.
  await scope.tx
    .update(channels)
    .set({ resumedAt: sql`greatest(${channels.resumedAt}, ${at})` })
    .where(and(eq(channels.workspaceId, scope.workspaceId), eq(channels.id, channelId)));
  if (isEnded) await scope.emit({ type: 'channel.resumed', subject: channelId, values: {} });
}

function isStoppedBy({ stoppedCode }: Pick<Channel, 'stoppedCode'>, stops: readonly string[]): boolean {
  return stoppedCode !== null && stops.includes(stoppedCode);
}

type AskingParts = SystemParts & Pick<SignedInContext, 'channelKinds' | 'jobs'>;

/** Somebody found just now that the connection of a stopped agent works: the platform is asked at once, not with the next round. */
export async function askStoppedAgent(parts: AskingParts, channel: Channel): Promise<void> {
  const { id, workspaceId } = channel;
  const stops = findConnectable(parts, channel.kind)?.connector.agent?.stops ?? [];
  if (!isStoppedBy(channel, stops)) return;
  await changeAsSystem(parts, 'upkeep', workspaceId, (scope) =>
    parts.jobs.enqueue(scope, checkAgent, id, { channelId: id, said: null }),
  );
}

/** Enqueues that job for each channel that waits for its platform: no event tells that a service account may use its agent again. */
export const checkedAgents = every(EVERY_SECONDS, {
  name: 'agents-checked',
  timeoutSeconds: 120,
  afterStartSeconds: 20,
  async run(parts) {
    const { channelKinds } = parts;
    const codes = channelKinds.names.flatMap(
      (name) => channelKinds.of({ kind: name }).connector?.agent?.stops ?? [],
    );
    const { rows } = await parts.db.systemPool.query<{ id: string; workspace_id: string }>(
      'SELECT id, workspace_id FROM channels WHERE is_connected AND stopped_code = ANY ($1) ORDER BY id',
      [codes],
    );
    await sweepEach(parts, rows, ({ id, workspace_id: workspaceId }) =>
      changeAsSystem(parts, 'upkeep', workspaceId, (scope) =>
        parts.jobs.enqueue(scope, checkAgent, id, { channelId: id, said: null }),
      ),
    );
    return { channels: rows.length };
  },
});
