import { indexConnectorKinds } from '@app/domain/integrations/connector-kind';
import { createOutgoingCalls } from '@app/providers/calls/outgoing-calls';
import { waitFor } from '@app/providers/calls/service-limits';
import { createSandbox, type Sandbox } from '@app/sandbox/sandbox';
import { expect } from 'vitest';
import { runSync } from '../../src/integrations/sync/run-sync.ts';
import type { Integration } from '../../src/integrations/integrations-queries.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import type { ContractVendor } from './contract-vendors.ts';

export type VendorScene = {
  fixture: ApiFixture;
  admin: ApiCaller;
  sandbox: Sandbox;
  /** Posts to an address of the connection, which must be answered 200. */
  act(path: string, body?: object): Promise<Integration>;
  read(): Promise<Integration>;
  connect(): Promise<Integration>;
  /** Does the work of the run that is open, until it ends or waits. */
  untilStill(signal?: AbortSignal): Promise<Integration>;
  sync(): Promise<Integration>;
  close(): Promise<void>;
};

/** A short pause between two tries of a sync or a call is over at once. Calls still wait as long as the service asks for. */
export const goOn = async (): Promise<void> => {};

/** The whole API against the stand-in of a vendor, over HTTP. */
export async function openVendor(name: string, vendor: Pick<ContractVendor, 'kind'>): Promise<VendorScene> {
  const { sceneOf, close } = await openVendors({ [name]: vendor });
  return { ...sceneOf(name), close };
}

/** One API with several connectors, each against its stand-in. They share the workspace: a test connects one and disconnects it. */
export async function openVendors(vendors: Record<string, Pick<ContractVendor, 'kind'>>): Promise<{
  sandboxUrl: string;
  sceneOf(name: string): Omit<VendorScene, 'close'>;
  close(): Promise<void>;
}> {
  const sandbox = createSandbox();
  const { url } = await sandbox.start({ port: 0 });
  const connectors = Object.values(vendors).map(({ kind }) => ({ ...kind({ sandboxUrl: url }), limit: {} }));
  const calls = createOutgoingCalls({
    namedHosts: ['127.0.0.1'],
    pause: (ms, signal) => (ms < 1_000 ? goOn() : waitFor(ms, signal)),
  });
  const fixture = await openApiFixture(
    { connectorKinds: indexConnectorKinds(connectors), calls },
    { isWorking: false },
  );
  const admin = await fixture.as('admin');
  // The work of the job, at once and in this process.
  const runAll = async (signal = new AbortController().signal) => {
    const { rows } = await fixture.db.systemPool.query<{ id: string }>('SELECT id FROM integrations');
    const { workspaceId, parts } = fixture;
    for (const { id } of rows) await runSync(parts, { workspaceId, integrationId: id, signal, wait: goOn });
  };
  return {
    sandboxUrl: url,
    sceneOf(name) {
      const connector = connectors.find((one) => one.name === name)!; // one of the vendors above
      const act = async (path: string, body: object = {}): Promise<Integration> => {
        const answer = await admin.post(`/api/integrations/${name}/${path}`, body, crypto.randomUUID());
        expect([answer.status, await answer.clone().text()]).toEqual([200, expect.anything()]);
        return answer.json<Integration>();
      };
      const read = async () => (await admin.get(`/api/integrations/${name}`)).json<Integration>();
      const untilStill = async (signal?: AbortSignal) => {
        await runAll(signal);
        return read();
      };
      return {
        ...{ fixture, admin, sandbox, act, read, untilStill },
        connect: () => act('connect', { values: { ...connector.sandbox } }),
        async sync() {
          await act('sync');
          return untilStill();
        },
      };
    },
    async close() {
      await fixture.close();
      await calls.close();
      await sandbox.close();
    },
  };
}
