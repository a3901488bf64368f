import { createServer, type Socket } from 'node:net';

// A platform that accepts every message at once, as cheaply as a socket allows: what is measured is the sender.

const accepted = `{"messaging_product":"whatsapp","contacts":[{"input":"x","wa_id":"x"}],"messages":[{"id":"wamid.HBgLNDQ3NzAwOTAwMTAwFQIAERgSQjE2RjNENzM2NkU3RkQ0RTA3AA==","message_status":"accepted"}]}`;
const answer = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(accepted)}\r\n\r\n${accepted}`,
);
const token = '{"access_token":"token","expires_in":3599,"token_type":"Bearer"}';
const signedIn = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${token.length}\r\n\r\n${token}`;
let calls = 0;

const server = createServer((socket: Socket) => {
  socket.setNoDelay(true);
  let rest: Buffer = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const headEnd = rest.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const head = rest.toString('latin1', 0, headEnd);
      if (head.startsWith('GET /calls')) {
        const body = String(calls);
        rest = rest.subarray(headEnd + 4);
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
        continue;
      }
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      const end = headEnd + 4 + length;
      if (rest.length < end) return;
      rest = rest.subarray(end);
      // An agent signs in before its first message.
      if (head.startsWith('POST /rcs/token')) {
        socket.write(signedIn);
        continue;
      }
      calls += 1;
      if (calls === 1 || calls % 100_000 === 1)
        process.send?.({ calls, at: performance.timeOrigin + performance.now() });
      socket.write(answer);
    }
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' && address ? address.port : 0 });
});
process.on('disconnect', () => process.exit(0));
