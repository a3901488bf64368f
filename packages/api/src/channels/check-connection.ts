import { channels } from '@app/database/channels/channels-tables';
import type { Channel } from '@app/database/channels/find-channel';
import { connectionProblems, type ConnectionCheck } from '@app/domain/channels/channel-connector';
import type { PlatformAnswer } from '@app/domain/channels/platform-answer';
import { and, eq } from 'drizzle-orm';
import type { SignedInContext } from '../platform/request-context.ts';
import { openFields } from '../platform/stored-credentials.ts';
import { changeAsSystem, type SystemParts } from '../platform/system-work.ts';
import { lockChannel } from './connect-channel.ts';
import { findConnectable } from './connection-view.ts';

export type CheckParts = SystemParts & Pick<SignedInContext, 'channelKinds' | 'secrets'>;
type Checked = Pick<Channel, 'id' | 'workspaceId' | 'kind' | 'credentials' | 'version' | 'trouble'>;
type Said = Pick<ConnectionCheck, 'fields' | 'endsAt'>;

/** Keeps what the platform said of the stored values of a channel, so that everybody sees it at once. */
export async function keepProof(
  parts: SystemParts,
  { id, workspaceId, version }: Checked,
  { fields, endsAt }: Said,
): Promise<void> {
  const wrong = fields.find(({ state }) => state === 'wrong');
  // While the platform is away or busy, what it said last holds.
  if (!wrong && fields.some(({ state }) => state === 'unproven')) return;
  const trouble = wrong?.problem ?? null;
  const troubleDetail = wrong?.detail?.slice(0, 500) ?? null;
  await changeAsSystem(parts, 'upkeep', workspaceId, async (scope) => {
    const channel = await lockChannel(scope, id);
    // What was saved meanwhile was proven by itself.
    if (!channel || channel.version !== version) return;
    // Of what opens nothing the platform does not say when it ends.
    const credentialsEndAt = wrong ? channel.credentialsEndAt : endsAt;
    const isAsBefore =
      channel.trouble === trouble &&
      channel.troubleDetail === troubleDetail &&
      channel.credentialsEndAt?.getTime() === credentialsEndAt?.getTime();
    if (isAsBefore) return;
    await scope.tx
      .update(channels)
      .set({
        ...{ trouble, troubleDetail, troubleAt: trouble === null ? null : scope.clock() },
        credentialsEndAt,
      })
      .where(and(eq(channels.workspaceId, workspaceId), eq(channels.id, id)));
    const before = connectionProblems.find((known) => known === channel.trouble);
    await scope.emit({
      ...{ type: 'channel.checked', subject: id },
      values: { problem: trouble ?? 'none', problemBefore: before ?? 'none' },
    });
  });
}

/** A refusal that new credentials would mend has each of them tried by itself; so has an answer that contradicts an earlier one. */
export async function checkAfter(
  parts: CheckParts,
  channel: Checked,
  answer: { outcome: 'done' } | Exclude<PlatformAnswer<never>, { outcome: 'done' }>,
): Promise<void> {
  const kind = findConnectable(parts, channel.kind);
  if (!kind) return;
  const isRefused =
    answer.outcome === 'refused' && kind.connector.mendedBy(answer.code ?? '') === 'credentials';
  const isBetter = answer.outcome === 'done' && channel.trouble !== null;
  if (!isRefused && !isBetter) return;
  const credentials = await openFields(kind.credentials, channel.credentials, parts.secrets);
  await keepProof(parts, channel, await kind.connector.prove(credentials));
}
