import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSandbox } from '@app/sandbox/sandbox';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Json = Record<string, unknown>;

export type ConnectionFixture = ApiFixture & {
  /** Origin under which the sandbox reaches the webhooks, over real HTTP. */
  origin: string;
  sandboxUrl: string;
  admin: ApiCaller;
  control<Answer = Json>(path: string, body?: Json): Promise<Answer>;
  /** What the platform knows of the sample number. */
  written(values?: Record<string, string>): {
    kind: string;
    server: 'sandbox';
    values: Record<string, string>;
  };
};

/** The API with a port for webhooks, and the sandbox as its platform. Not connected yet. */
export async function openConnectionFixture(): Promise<ConnectionFixture> {
  const sandbox = createSandbox({ behaviour: { latencyMs: 0, webhookRetryBaseMs: 20 } });
  const { url: sandboxUrl } = await sandbox.start({ port: 0 });
  const behind: { app?: ApiFixture['app'] } = {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = 'GET', url = '/' } = request;
      const headers = new Headers(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      const body = method === 'GET' ? {} : { body: Buffer.concat(chunks) };
      void Promise.resolve(behind.app?.request(`${origin}${url}`, { method, headers, ...body })).then(
        async (answer) => response.writeHead(answer?.status ?? 503).end(await answer?.text()),
      );
    });
  });
  // As the product's server: on a busy machine a client comes back later than the five seconds of Node.js.
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const api = await openApiFixture({ sandboxUrl, publicUrl: origin });
  behind.app = api.app;
  return {
    ...api,
    ...{ origin, sandboxUrl, admin: await api.as('admin') },
    async control<Answer>(path: string, body?: Json) {
      const answer = await fetch(`${sandboxUrl}/_sandbox/${path}`, {
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      return (await answer.json()) as Answer; // the caller knows what the control answers
    },
    written: (values = {}) => ({
      ...{ kind: 'whatsapp', server: 'sandbox' },
      values: { ...sampleValues, ...values },
    }),
    async close() {
      server.closeAllConnections();
      server.close();
      await api.close();
      await sandbox.close();
    },
  };
}

const sampleValues = {
  phoneNumberId: '200000000000001',
  businessAccountId: '100000000000001',
  appId: '300000000000001',
  accessToken: 'sandbox-access-token',
  appSecret: 'sandbox-app-secret',
};
