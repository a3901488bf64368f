import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Pool } from 'undici';
import { peersFolder } from '../harness/processes.ts';
import {
  type Answer,
  connections,
  messageBody,
  report,
  sendHeaders,
  sendPath,
  untilStarted,
} from './measure.ts';

// The usual way: one BullMQ job per message on Redis, sent with undici or with the global fetch.

type BullMq = {
  Queue: new (
    name: string,
    options: object,
  ) => {
    addBulk(jobs: object[]): Promise<unknown>;
    obliterate(options: object): Promise<void>;
    close(): Promise<void>;
  };
  Worker: new (
    name: string,
    work: (job: { data: { seq: number } }) => Promise<unknown>,
    options: object,
  ) => {
    on(event: 'completed', listener: () => void): void;
    run(): Promise<void>;
    close(): Promise<void>;
  };
};

const [url = '', redisPort = '0', count = '0', transport = 'undici'] = process.argv.slice(2);
const messages = Number(count);
const peers = createRequire(join(peersFolder, 'package.json'));
const { Queue, Worker } = peers('bullmq') as BullMq;
const connection = { host: '127.0.0.1', port: Number(redisPort), maxRetriesPerRequest: null };
const queue = new Queue('bench', { connection });
await queue.obliterate({ force: true });
const addedAt = performance.now();
for (let from = 0; from < messages; from += 5_000)
  await queue.addBulk(
    Array.from({ length: Math.min(5_000, messages - from) }, (_, place) => ({
      name: 'send',
      data: { seq: from + place, name: `Person ${from + place}` },
      opts: { removeOnComplete: true },
    })),
  );
process.send?.({ enqueuedMs: performance.now() - addedAt });
const pool = new Pool(url, { connections, pipelining: 1 });

async function send(seq: number): Promise<string> {
  const body = messageBody(`49157${10_000_000 + seq}`, `Person ${seq}`, `bench.${seq}.1`);
  if (transport === 'fetch') {
    const response = await fetch(url + sendPath, { method: 'POST', headers: sendHeaders, body });
    return ((await response.json()) as Answer).messages[0].id;
  }
  const answer = await pool.request({ path: sendPath, method: 'POST', headers: sendHeaders, body });
  return ((await answer.body.json()) as Answer).messages[0].id;
}

let done = 0;
const worker = new Worker('bench', ({ data }) => send(data.seq), {
  connection,
  concurrency: connections,
  autorun: false,
});
await untilStarted();
const startedAt = performance.now();
const cpu = process.cpuUsage();
worker.on('completed', () => {
  done += 1;
  if (done === messages) report(messages, startedAt, cpu);
});
void worker.run();
