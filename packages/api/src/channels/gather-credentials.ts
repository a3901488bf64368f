import type { Channel } from '@app/database/channels/find-channel';
import type { Credentials } from '@app/domain/channels/channel-credentials';
import type { SignedInContext } from '../platform/request-context.ts';
import { openFields } from '../platform/stored-credentials.ts';
import { addressOfServer, serverOf, type ConnectableKind, type Server } from './connection-view.ts';

export type WrittenConnection = { server: Server; values: Readonly<Record<string, string>> };

/**
 * What people wrote, with what is stored in place of secrets that they left out. A stored secret goes to no other server than the one it
 * is of. Null where this installation has no such server.
 */
export async function gatherCredentials(
  context: SignedInContext,
  kind: ConnectableKind,
  { server, values }: WrittenConnection,
  channel: Channel | null,
): Promise<Credentials | null> {
  const address = addressOfServer(context, kind.connector, server);
  const isSame = channel !== null && serverOf(context, channel) === server;
  // A channel with an address of the operator's own keeps it.
  if (address === null) return null;
  const stored = isSame ? await openFields(kind.credentials, channel.credentials, context.secrets) : {};
  const written: Record<string, string> = {};
  for (const { name } of kind.credentials.fields) {
    const value = Object.hasOwn(values, name) ? (values[name] ?? '').trim() : '';
    const known = value === '' ? stored[name] : value;
    if (known !== undefined && known !== '') written[name] = known;
  }
  return { ...written, [kind.connector.server.field]: address };
}
