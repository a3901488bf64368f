import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TwoHosts } from './two-hosts.ts';

/** What left the product: how often a contact's number stands in calls, mails and messages. */
export type Outside = { calls: Map<string, number>; mails: Map<string, number> };

/** One in so many calls gets no answer, so that the product cannot know whether it arrived. */
const LOST_ANSWERS = 0.02;

/** A service that counts the calls of each contact: the number is the path. */
export async function openCalled(random: () => number) {
  const calls = new Map<string, number>();
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      countOne(calls, decodeURIComponent(request.url ?? '').slice(1));
      if (random() < LOST_ANSWERS) request.socket.destroy();
      else response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ calls, host: `127.0.0.1:${port}` },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const READ_EVERY_MS = 400;

/**
 * Counts mails by their subject. The mail box of the sandbox stores the last 300, so it is read again and again; `close` throws if some were missed.
 */
export function countMails({ sandbox }: Pick<TwoHosts, 'sandbox'>, subjectStart: string) {
  const mails = new Map<string, number>();
  let last = 0;
  let missed = 0;
  const read = async () => {
    const answer = await sandbox<{ mails: { id: number; subject: string }[] }>('mail');
    for (const { id, subject } of answer.mails.toReversed()) {
      if (id <= last) continue;
      missed += id - last - 1;
      last = id;
      if (subject.startsWith(subjectStart)) countOne(mails, subject.slice(subjectStart.length));
    }
  };
  let isOpen = true;
  const reading = (async () => {
    while (isOpen) {
      await read();
      await new Promise((resolve) => setTimeout(resolve, READ_EVERY_MS));
    }
  })();
  reading.catch(() => undefined);
  return {
    mails,
    async close() {
      isOpen = false;
      await reading;
      await read();
      if (missed > 0) throw new Error(`${missed} mails were gone before they were counted`);
    },
  };
}

function countOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
