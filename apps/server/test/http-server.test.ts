import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createHttpServer } from '../src/http-server.ts';

const QUICK = { headMs: 300, bodyMs: 300, bytesPerSecond: 1000, everyMs: 20 };
const POST = 'POST / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n';

let server: Server;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

/** Reads the body to its end, after waiting `delayMs`, and answers with its length. */
async function listen(delayMs = 0) {
  const interrupted: unknown[] = [];
  server = createHttpServer(
    async (incoming, outgoing) => {
      await sleep(delayMs);
      let size = 0;
      try {
        for await (const piece of incoming) size += (piece as Buffer).length;
        outgoing.end(String(size));
      } catch (error) {
        interrupted.push(error);
      }
    },
    { patience: QUICK },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return interrupted;
}

function open() {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  const answered = new Promise<string>((resolve) => socket.on('data', () => resolve(text)));
  return { socket, closed, answered };
}

const chunk = (size: number) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`;

test('a body that stands still is ended, and its reader hears of it', async () => {
  const interrupted = await listen();
  const { socket, closed } = open();
  socket.write(POST + chunk(10));
  expect(await closed).toMatch(/^HTTP\/1\.1 408 .*"code":"body_too_slow"/s);
  expect(interrupted).toHaveLength(1);
});

test('a body that trickles is ended, however long it goes on', async () => {
  await listen();
  const { socket, closed } = open();
  socket.write(POST);
  const trickle = setInterval(() => socket.write(chunk(1)), 50);
  expect(await closed).toMatch(/^HTTP\/1\.1 408 /);
  clearInterval(trickle);
});

test('a head that trickles is ended', async () => {
  await listen();
  const { socket, closed } = open();
  socket.write('POST / HTTP/1.1\r\n');
  const trickle = setInterval(() => socket.write('x-a: b\r\n'), 50);
  expect(await closed).toMatch(/^HTTP\/1\.1 408 /);
  clearInterval(trickle);
});

test('a body that comes on steadily takes as long as it needs', async () => {
  await listen();
  const { socket, answered } = open();
  socket.write(POST);
  for (let count = 0; count < 30; count += 1) {
    socket.write(chunk(200));
    await sleep(40);
  }
  socket.write('0\r\n\r\n');
  expect(await answered).toMatch(/^HTTP\/1\.1 200 .*6000/s);
});

test('a body that waits for us is not ended', async () => {
  await listen(900);
  const { socket, answered } = open();
  const size = 400_000;
  socket.write(POST + chunk(size) + '0\r\n\r\n');
  expect(await answered).toMatch(new RegExp(`^HTTP/1\\.1 200 .*${size}`, 's'));
});

test('the real server has no limit of five minutes, and closes no connection that a proxy still counts on', async () => {
  server = createHttpServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  expect([server.requestTimeout, server.headersTimeout]).toEqual([0, 20_000]);
  expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
});
