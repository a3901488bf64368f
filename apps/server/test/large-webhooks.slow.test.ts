import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHostFixture, wrapValue, type HostFixture } from './host-fixture.ts';

const LARGE = 100 * 1024;
const STRANGER = '127.0.0.2';
const PLATFORM = '127.0.0.3';

let host: HostFixture;
const sockets: Socket[] = [];
beforeAll(async () => {
  host = await openHostFixture();
});
afterAll(async () => {
  sockets.forEach((socket) => socket.destroy());
  await host.close();
});

/** Says that 3 MB will come, sends a little now and then, and never proves who it is. */
function trickle(): { answer: Promise<string> } {
  const { port } = new URL(host.url);
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: STRANGER });
  sockets.push(socket);
  let text = '';
  socket.on('error', () => undefined);
  socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  socket.write(
    `POST /webhooks/whatsapp/sample HTTP/1.1\r\nhost: 127.0.0.1:3000\r\nx-hub-signature-256: sha256=00\r\ncontent-length: ${3 * 1024 * 1024}\r\n\r\n`,
  );
  const timer = setInterval(() => socket.write('x'.repeat(1024)), 100);
  const answer = new Promise<string>((resolve) => {
    socket.on('data', () => text.includes('}') && resolve(text));
    socket.on('close', () => resolve(text));
  });
  void answer.then(() => clearInterval(timer));
  return { answer };
}

/** A webhook of the platform, too large to be read at once. */
function deliverLarge(): Promise<number | undefined> {
  const body = JSON.stringify({ ...wrapValue({}), padding: 'x'.repeat(LARGE) });
  const signature = createHmac('sha256', 'sandbox-app-secret').update(body).digest('hex');
  return new Promise((resolve, reject) => {
    const sending = request(
      `${host.url}/webhooks/whatsapp/sample`,
      {
        method: 'POST',
        localAddress: PLATFORM,
        headers: { 'x-hub-signature-256': `sha256=${signature}`, 'content-length': Buffer.byteLength(body) },
      },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      },
    );
    sending.on('error', reject);
    sending.end(body);
  });
}

test('a stranger who sends slowly keeps no large webhook of the platform waiting, and is soon ended', async () => {
  const strangers = Array.from({ length: 12 }, trickle);
  const first = Promise.race(strangers.map(({ answer }) => answer));
  await new Promise((resolve) => setTimeout(resolve, 200)); // all of them stand in line
  let isOneEnded = false;
  void first.then(() => (isOneEnded = true));
  expect(await deliverLarge()).toBe(200);
  // It waited for none of them. How soon they end, `slow-webhooks.test.ts` measures on a clock of their own.
  expect(isOneEnded).toBe(false);
  expect(await first).toMatch(/^HTTP\/1\.1 408 .*"code":"body_too_slow"/s);
});
