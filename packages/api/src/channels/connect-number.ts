import { listChannels, type Channel } from '@app/database/channels/find-channel';
import type { Credentials } from '@app/domain/channels/channel-credentials';
import type { SignedInContext } from '../platform/request-context.ts';
import { openFields } from '../platform/stored-credentials.ts';
import { addChannel, changeChannel, changedFields, proveAll, type Proven } from './connect-channel.ts';
import type { ConnectableKind } from './connection-view.ts';

type Connected =
  | { outcome: 'connected'; channelId: string }
  | { outcome: 'channel_exists' }
  | Exclude<Proven, { outcome: 'proven' }>;

/**
 * Connects a number after the platform found every value right. One that works with these values already is connected: whoever lost the
 * first answer hears it again. One that was disconnected is connected anew, and stays the number of its conversations.
 */
export async function connectNumber(
  context: SignedInContext,
  kind: ConnectableKind,
  credentials: Credentials,
): Promise<Connected> {
  const known = await findKnown(context, kind, credentials);
  if (known?.worksWithThese) return { outcome: 'connected', channelId: known.channel.id };
  if (known?.channel.isConnected) return { outcome: 'channel_exists' };
  const word = kind.connector.webhookToken;
  const proven = await proveAll(kind, { ...(known && pick(known.stored, word)), ...credentials });
  if (proven.outcome !== 'proven') return proven;
  if (known) {
    const { id: channelId, version } = known.channel;
    const changed = changedFields(known.stored, proven.credentials, kind.credentials);
    const refusal = await context.change((scope) =>
      changeChannel(scope, context, kind, { ...proven, channelId, version, changed }),
    );
    if (!refusal) return { outcome: 'connected', channelId };
  } else {
    const channelId = await context.change((scope) => addChannel(scope, context, kind, proven));
    if (channelId !== 'channel_exists') return { outcome: 'connected', channelId };
  }
  // Somebody was quicker: who asked twice at once hears the same twice.
  const now = await findKnown(context, kind, credentials);
  return now?.worksWithThese
    ? { outcome: 'connected', channelId: now.channel.id }
    : { outcome: 'channel_exists' };
}

type Known = { channel: Channel; stored: Credentials; worksWithThese: boolean };

/** The channel of this number, whatever opens it. */
async function findKnown(
  context: SignedInContext,
  { name, credentials: form, connector }: ConnectableKind,
  credentials: Credentials,
): Promise<Known | null> {
  const address = form.addressOf(credentials);
  const all = await context.read(({ tx, workspaceId }) => listChannels(tx, workspaceId));
  const channel = all.find((one) => one.kind === name && one.address === address);
  if (!channel) return null;
  const stored = await openFields(form, channel.credentials, context.secrets);
  // A word for the webhooks that nobody wrote was made by us.
  const isSame = (field: string) =>
    (field === connector.webhookToken && credentials[field] === undefined) ||
    (credentials[field] ?? '') === (stored[field] ?? '');
  const worksWithThese = channel.isConnected && form.fields.every((field) => isSame(field.name));
  return { channel, stored, worksWithThese };
}

function pick(credentials: Credentials, field: string): Credentials {
  const value = credentials[field];
  return value === undefined ? {} : { [field]: value };
}
