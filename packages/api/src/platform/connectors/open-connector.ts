import type { StoredCredentials } from '@app/database/channels/channels-tables';
import type { Credentials } from '@app/domain/channels/channel-credentials';
import type { Connector, ConnectorCall, ConnectorKind } from '@app/domain/integrations/connector-kind';
import { openFields } from '../stored-credentials.ts';
import type { ApiDependencies } from '../request-context.ts';

/** A connector as a workspace has stored it. Its calls share the limits of this workspace's account with the vendor. */
export async function openConnector(
  parts: Pick<ApiDependencies, 'calls' | 'secrets'>,
  kind: ConnectorKind,
  { workspaceId, credentials }: { workspaceId: string; credentials: StoredCredentials },
): Promise<Connector> {
  return openWith(parts, kind, workspaceId, await openFields(kind.credentials, credentials, parts.secrets));
}

/** The same with credentials that are not stored yet, to check them first. */
export function openWith(
  parts: Pick<ApiDependencies, 'calls'>,
  kind: ConnectorKind,
  workspaceId: string,
  credentials: Credentials,
): Connector {
  return kind.open(credentials, { call: callsOf(parts, kind, workspaceId) });
}

/** Calls of a kind within the limits of a workspace's account. */
export function callsOf(
  { calls }: Pick<ApiDependencies, 'calls'>,
  kind: ConnectorKind,
  workspaceId: string,
): ConnectorCall {
  return (call) => calls.call({ ...call, service: `${kind.name}:${workspaceId}`, limit: kind.limit });
}
