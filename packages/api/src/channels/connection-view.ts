import type { connection } from '@app/contracts/channels/connections-contract';
import { listChannels, senderOf, type Channel } from '@app/database/channels/find-channel';
import {
  connectionProblems,
  ENDS_SOON_MS,
  type ChannelConnector,
} from '@app/domain/channels/channel-connector';
import type { ChannelKind } from '@app/domain/channels/channel-kind';
import type { Credentials } from '@app/domain/channels/channel-credentials';
import type { z } from 'zod';
import { findMissing } from '../platform/guard-access.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { openFields } from '../platform/stored-credentials.ts';
import { connectionOf } from './channel-connection.ts';

export type Connection = z.infer<typeof connection>;
export type ConnectableKind = ChannelKind & { connector: ChannelConnector };
export type Server = 'platform' | 'sandbox';

/** What is shorter would say too much of itself by its end. */
const LONG_ENOUGH_TO_SHOW = 12;

/** The kinds that people can connect themselves. */
export function connectableKinds({ channelKinds }: Pick<SignedInContext, 'channelKinds'>): ConnectableKind[] {
  return channelKinds.names.flatMap((name) => findConnectable({ channelKinds }, name) ?? []);
}

export function findConnectable(
  { channelKinds }: Pick<SignedInContext, 'channelKinds'>,
  name: string,
): ConnectableKind | null {
  const kind = channelKinds.find(name);
  return kind?.connector ? { ...kind, connector: kind.connector } : null;
}

/** Where the platform calls us for a kind of channel. */
export function webhookUrlOf({ publicUrl, session }: SignedInContext, kind: string): string {
  return `${publicUrl}/webhooks/${kind}/${session.workspaceSlug}`;
}

/** Where calls go: the real platform, or the stand-in of this installation; null where there is none. */
export function addressOfServer(
  { sandboxUrl }: Pick<SignedInContext, 'sandboxUrl'>,
  { server: { platform, standInPath } }: ChannelConnector,
  server: Server,
): string | null {
  if (server === 'platform') return platform;
  return sandboxUrl === undefined ? null : sandboxUrl.replace(/\/+$/, '') + standInPath;
}

export async function readConnections(context: SignedInContext): Promise<Connection[]> {
  const all = await context.read(({ tx, workspaceId }) => listChannels(tx, workspaceId));
  const shown = all.filter(({ kind }) => findConnectable(context, kind));
  return Promise.all(
    shown.map((channel) => showConnection(context, channel, channel === senderOf(all, channel.kind))),
  );
}

/** A channel that people can connect themselves. */
export async function readConnectable(context: SignedInContext, channelId: string): Promise<Channel | null> {
  const all = await context.read(({ tx, workspaceId }) => listChannels(tx, workspaceId));
  return all.find(({ id, kind }) => id === channelId && findConnectable(context, kind)) ?? null;
}

/** As it is now, for whoever changed it. */
export async function readConnection(context: SignedInContext, channelId: string): Promise<Connection> {
  const found = (await readConnections(context)).find(({ id }) => id === channelId);
  if (!found) throw new Error('A channel that was just saved is there.');
  return found;
}

async function showConnection(
  context: SignedInContext,
  channel: Channel,
  isDefault: boolean,
): Promise<Connection> {
  const kind = findConnectable(context, channel.kind);
  if (!kind) throw new Error(`Nobody can connect a channel of the kind ${channel.kind}.`);
  const { connector, credentials: form } = kind;
  const opened = await openFields(form, channel.credentials, context.secrets);
  const server = serverOf(context, channel);
  const hidden = [connector.server.field, connector.webhookToken];
  const shown = form.fields.filter(({ name }) => !hidden.includes(name));
  return {
    ...{ id: channel.id, kind: channel.kind, version: channel.version, isConnected: channel.isConnected },
    ...{ isDefault, server, displayName: channel.displayName, accountName: channel.accountName },
    values: pick(shown, (field) => (field.isSecret ? null : (opened[field.name] ?? ''))),
    secrets: pick(shown, (field) => (field.isSecret ? { lastFour: endOf(opened[field.name] ?? '') } : null)),
    webhookUrl: webhookUrlOf(context, channel.kind),
    webhookToken: !findMissing('settings:manage', context.caller)
      ? (opened[connector.webhookToken] ?? '')
      : null,
    webhookProblem: server === 'sandbox' ? null : webhookProblemOf(context),
    stopped:
      channel.stoppedCode === null && channel.stoppedReason === null
        ? null
        : { code: channel.stoppedCode, blocks: channel.stoppedFor ?? 'everything' },
    trouble: describeTrouble(channel, context.clock()),
    endsAt: endingOf(channel, context.clock()),
    lastSync: channel.lastSyncAt?.toISOString() ?? null,
  };
}

/** What ends by itself has ended, also while nobody asks the platform. */
function describeTrouble(channel: Channel, now: Date): Connection['trouble'] {
  const { trouble, troubleDetail, troubleAt, credentialsEndAt } = channel;
  const problem = connectionProblems.find((known) => known === trouble);
  if (!problem || !troubleAt)
    return credentialsEndAt && credentialsEndAt <= now
      ? { problem: 'token_expired', detail: null, at: credentialsEndAt.toISOString() }
      : null;
  return { problem, detail: troubleDetail, at: troubleAt.toISOString() };
}

function endingOf({ credentialsEndAt: endsAt }: Channel, now: Date): string | null {
  const leftMs = endsAt ? endsAt.getTime() - now.getTime() : 0;
  return endsAt && leftMs > 0 && leftMs < ENDS_SOON_MS ? endsAt.toISOString() : null;
}

/** Whose calls a stored channel makes, connected or not. */
export function serverOf(context: SignedInContext, channel: Channel): Connection['server'] {
  const { kind } = connectionOf({ ...channel, isConnected: true }, context);
  if (kind === 'sandbox') return 'sandbox';
  const found = findConnectable(context, channel.kind);
  const stored = channel.credentials.values[found?.connector.server.field ?? ''] ?? '';
  return URL.parse(stored)?.origin === URL.parse(found?.connector.server.platform ?? '')?.origin
    ? 'platform'
    : 'other';
}

function webhookProblemOf({ publicUrl, isLocalOnly }: SignedInContext): Connection['webhookProblem'] {
  if (isLocalOnly) return 'local_address';
  return publicUrl.startsWith('https:') ? null : 'not_https';
}

type Field = ConnectableKind['credentials']['fields'][number];

function pick<Value>(fields: readonly Field[], read: (field: Field) => Value | null): Record<string, Value> {
  const found: [string, Value][] = [];
  for (const field of fields) {
    const value = read(field);
    if (value !== null) found.push([field.name, value]);
  }
  return Object.fromEntries(found);
}

function endOf(secret: Credentials[string]): string {
  return secret.length < LONG_ENOUGH_TO_SHOW ? '' : secret.slice(-4);
}
