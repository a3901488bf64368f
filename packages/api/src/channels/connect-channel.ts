import { randomBytes } from 'node:crypto';
import { channels } from '@app/database/channels/channels-tables';
import type { Channel } from '@app/database/channels/find-channel';
import { newId } from '@app/database/new-id';
import { shareContacts } from '@app/delivery/follow-merges';
import { liftStop, stopChannel } from '@app/delivery/run-controls';
import { emitRuns } from '@app/delivery/emit-runs';
import { DISCONNECTED } from '@app/domain/channels/disconnected';
import { readCredentials, type Credentials } from '@app/domain/channels/channel-credentials';
import type { ConnectionCheck } from '@app/domain/channels/channel-connector';
import { and, eq } from 'drizzle-orm';
import type { SignedInContext } from '../platform/request-context.ts';
import { sealCredentials } from '../platform/stored-credentials.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import type { ConnectableKind } from './connection-view.ts';

export type Issue = { field: string; message: string };
export type Proven =
  | { outcome: 'proven'; credentials: Credentials; proof: ConnectionCheck }
  | { outcome: 'connection_incomplete'; issues: Issue[] }
  | { outcome: 'connection_refused'; issues: Issue[] }
  | { outcome: 'platform_unreachable'; issues: Issue[] };

/** Whether everything is there, and the platform finds each value right. */
export async function proveAll(kind: ConnectableKind, written: Credentials): Promise<Proven> {
  const { credentials, problems } = readCredentials(kind.credentials, {
    ...{ [kind.connector.webhookToken]: newWebhookToken() },
    ...written,
  });
  if (problems.length > 0) {
    const issues = problems.map(({ field, problem }) => ({ field, message: problem }));
    return { outcome: 'connection_incomplete', issues };
  }
  const proof = await kind.connector.prove(credentials);
  const issuesOf = (state: 'wrong' | 'unproven') =>
    proof.fields
      .filter((field) => field.state === state)
      .map(({ field, problem }) => ({ field, message: problem ?? 'platform_away' }));
  const wrong = issuesOf('wrong');
  if (wrong.length > 0) return { outcome: 'connection_refused', issues: wrong };
  const unproven = issuesOf('unproven');
  if (unproven.length > 0) return { outcome: 'platform_unreachable', issues: unproven };
  return { outcome: 'proven', credentials, proof };
}

/** A word that nobody guesses, with a prefix by which people know it. */
export function newWebhookToken(): string {
  return `verify_${randomBytes(18).toString('base64url')}`;
}

export async function lockChannel(
  { tx, workspaceId }: ReadScope,
  channelId: string,
): Promise<Channel | null> {
  const [found] = await tx
    .select()
    .from(channels)
    .where(and(eq(channels.workspaceId, workspaceId), eq(channels.id, channelId)))
    .for('update');
  return found ?? null;
}

type Sealed = Pick<SignedInContext, 'secrets'>;
type ProvenValues = Extract<Proven, { outcome: 'proven' }>;

/** Answers with the id of the new channel. */
export async function addChannel(
  scope: WorkspaceScope,
  { secrets }: Sealed,
  kind: ConnectableKind,
  { credentials, proof }: ProvenValues,
): Promise<string | 'channel_exists'> {
  const id = newId();
  const { address, credentials: stored } = await sealCredentials(kind.credentials, credentials, secrets);
  const added = await scope.tx
    .insert(channels)
    .values({
      ...{ id, workspaceId: scope.workspaceId, kind: kind.name, address, credentials: stored },
      ...{ displayName: proof.displayName ?? '', accountName: proof.accountName ?? '' },
      ...{ isConnected: true, lastSyncAt: scope.clock(), createdAt: scope.clock() },
      messagesPerSecond: proof.messagesPerSecond ?? kind.rates.messagesPerSecond,
      credentialsEndAt: proof.endsAt,
    })
    .onConflictDoNothing()
    .returning({ id: channels.id });
  if (added.length === 0) return 'channel_exists';
  const values = { name: proof.displayName ?? '' };
  await scope.emit({ type: 'channel.connected', subject: id, values });
  return id;
}

/** Null when it is saved: it is connected then, and what had stopped for its credentials goes on. */
export async function changeChannel(
  scope: WorkspaceScope,
  { secrets }: Sealed,
  kind: ConnectableKind,
  { channelId, version, changed, credentials, proof }: ProvenValues & Changed,
): Promise<'channel_not_found' | 'channel_changed' | null> {
  // Before the number: whoever replaces the workspace has them first, too.
  await shareContacts(scope, scope.workspaceId);
  const channel = await lockChannel(scope, channelId);
  if (!channel) return 'channel_not_found';
  if (channel.version !== version) return 'channel_changed';
  const sealed = await sealCredentials(kind.credentials, credentials, secrets);
  await scope.tx
    .update(channels)
    .set({
      // What is the same stays sealed as it was, so that the clients of the number stay open.
      credentials: changed.length === 0 ? channel.credentials : sealed.credentials,
      ...{ displayName: proof.displayName ?? channel.displayName },
      ...{ accountName: proof.accountName ?? channel.accountName },
      ...{ isConnected: true, lastSyncAt: scope.clock(), version: version + 1 },
      ...{ trouble: null, troubleDetail: null, troubleAt: null, credentialsEndAt: proof.endsAt },
    })
    .where(eq(channels.id, channelId));
  const code = channel.stoppedCode;
  if (code !== null && kind.connector.mendedBy(code) === 'credentials') await goOn(scope, channelId);
  const name = proof.displayName ?? channel.displayName;
  await scope.emit(
    channel.isConnected
      ? { type: 'channel.changed', subject: channelId, values: { name, fields: [...changed] } }
      : { type: 'channel.connected', subject: channelId, values: { name } },
  );
  return null;
}

export type Changed = { channelId: string; version: number; changed: readonly string[] };

/** Lets a mended channel send again, and its runs with it, once nobody replaces what is here. */
export async function goOn(scope: WorkspaceScope, channelId: string): Promise<void> {
  await shareContacts(scope, scope.workspaceId);
  const runs = await liftStop(scope, channelId);
  await emitRuns(scope, (_, __, fact) => scope.emit(fact), runs);
}

/** Nothing leaves any more; what runs is paused, and what is waiting waits. */
export async function disconnectChannel(
  scope: WorkspaceScope,
  channelId: string,
): Promise<'channel_not_found' | null> {
  const channel = await lockChannel(scope, channelId);
  if (!channel) return 'channel_not_found';
  if (!channel.isConnected) return null;
  const stop = { code: DISCONNECTED, detail: '', blocks: 'everything' } as const;
  const paused = await stopChannel(scope, channelId, stop);
  await scope.tx
    .update(channels)
    .set({ isConnected: false, version: channel.version + 1 })
    .where(eq(channels.id, channelId));
  await emitRuns(scope, (_, __, fact) => scope.emit(fact), paused);
  const values = { name: channel.displayName };
  await scope.emit({ type: 'channel.disconnected', subject: channelId, values });
  return null;
}

/** The names of what is another than what is stored. */
export function changedFields(
  before: Credentials,
  after: Credentials,
  { fields }: ConnectableKind['credentials'],
): string[] {
  return fields.map(({ name }) => name).filter((name) => before[name] !== after[name]);
}
