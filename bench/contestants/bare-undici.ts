import { Pool } from 'undici';
import {
  type Answer,
  connections,
  messageBody,
  report,
  sendHeaders,
  sendPath,
  untilStarted,
} from './measure.ts';

// The most that Node.js and undici can do here: a loop without a database that forgets what it sent.

const [url = '', count = '0'] = process.argv.slice(2);
const messages = Number(count);
const pool = new Pool(url, { connections, pipelining: 1 });
let next = 0;
await untilStarted();
const startedAt = performance.now();
const cpu = process.cpuUsage();
await Promise.all(
  Array.from({ length: connections }, async () => {
    while (next < messages) {
      const seq = next;
      next += 1;
      const { body } = await pool.request({
        path: sendPath,
        method: 'POST',
        headers: sendHeaders,
        body: messageBody(`49157${10_000_000 + seq}`, `Person ${seq}`, `bench.${seq}.1`),
      });
      const { messages: accepted } = (await body.json()) as Answer;
      if (!accepted[0].id) throw new Error('Not accepted');
    }
  }),
);
report(messages, startedAt, cpu);
