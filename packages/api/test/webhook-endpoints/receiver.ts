import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = {
  headers: Record<string, string>;
  body: string;
  event: { type: string; data: Record<string, unknown> };
};

/** A receiver of webhooks on this machine. It answers as `answer` says, with 200 unless told otherwise. */
export async function openReceiver() {
  const received: Received[] = [];
  let status: number | 'never' = 200;
  let text = 'ok';
  let headers: Record<string, string> = {};
  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      received.push({ headers: request.headers as Record<string, string>, body, event: JSON.parse(body) });
      if (status !== 'never') response.writeHead(status, headers).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    answer(next: number | 'never', body = 'ok', extra: Record<string, string> = {}) {
      [status, text, headers] = [next, body, extra];
    },
    ids: () => received.map((one) => one.headers['webhook-id']),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
