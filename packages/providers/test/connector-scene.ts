import type { Connector, ConnectorKind } from '@app/domain/integrations/connector-kind';
import { createSandbox, type Sandbox } from '@app/sandbox/sandbox';
import { createOutgoingCalls } from '../src/calls/outgoing-calls.ts';

export type ConnectorScene = {
  sandbox: Sandbox;
  url: string;
  /** A connection to the stand-in, with its credentials or with these in their place. */
  open: (values?: Record<string, string>) => Connector;
  close: () => Promise<void>;
};

/** A started sandbox, and connections of one kind to its stand-in. */
export async function openConnectorScene(
  kindOf: (parts: { sandboxUrl: string }) => ConnectorKind,
): Promise<ConnectorScene> {
  const calls = createOutgoingCalls({ namedHosts: ['127.0.0.1'] });
  const sandbox = createSandbox();
  const { url } = await sandbox.start({ port: 0 });
  const kind = kindOf({ sandboxUrl: url });
  return {
    ...{ sandbox, url },
    open: (values = {}) =>
      kind.open(
        { ...kind.sandbox, ...values },
        { call: (call) => calls.call({ ...call, service: `${kind.name}:test` }) },
      ),
    async close() {
      await calls.close();
      await sandbox.close();
    },
  };
}
