import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BodyTooSlow, openBody } from '../../src/platform/http-edge/read-body.ts';
import { createLargeReader } from '../../src/webhooks/large-webhooks.ts';
import { passUntil, startLineClock, waitOnLine } from './line-clock.ts';

const EVERY_MS = 50;
const KB = 1024;
const PLATFORM = '203.0.113.9';
/** Four networks, four bodies of each: all places of a workspace. */
const STRANGERS = Array.from({ length: 16 }, (_, place) => `198.51.${100 + (place % 4)}.7`);

type ReadLarge = ReturnType<typeof createLargeReader>;

/** Sends a body at a speed, in kB and kB/s; what its reader says, and after how many milliseconds. */
async function send(readLarge: ReadLarge, address: string, { size, speed }: { size: number; speed: number }) {
  const whole = new Uint8Array(size * KB);
  const piece = Math.ceil((speed * KB * EVERY_MS) / 1000);
  const begun = performance.now();
  let sent = 0;
  // As on a line of this speed: what a timer is late by comes together with the next piece.
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (sent === whole.length) return controller.close();
      await waitOnLine(EVERY_MS);
      const due = Math.max(sent + piece, Math.floor(((performance.now() - begun) * speed * KB) / 1000));
      controller.enqueue(whole.subarray(sent, due));
      sent = Math.min(whole.length, due);
    },
  });
  const headers = { 'content-length': String(whole.length) };
  const request = new Request('http://localhost', {
    ...{ method: 'POST', body: stream, headers, duplex: 'half' },
  } as RequestInit);
  const outcome = await readLarge(openBody(request), { slug: 'acme', address }).catch(
    (error: unknown) => error,
  );
  return { outcome, ms: performance.now() - begun };
}

beforeEach(startLineClock);
afterEach(() => {
  vi.useRealTimers();
});

test('large webhooks of a slow line are read to their end, also several at once', async () => {
  const readLarge = createLargeReader();
  const sent = Array.from({ length: 6 }, () => send(readLarge, PLATFORM, { size: 300, speed: 100 }));
  const { answer: answers } = await passUntil(Promise.all(sent));
  expect(answers.map(({ outcome }) => outcome)).toEqual(Array(6).fill(true));
});

test('strangers who hold all places give way to the platform, the slowest of them first', async () => {
  const readLarge = createLargeReader();
  const slow = send(readLarge, PLATFORM, { size: 1_000, speed: 160 });
  const strangers = STRANGERS.slice(1).map((address) => send(readLarge, address, { size: 600, speed: 40 }));
  const { answer: quick } = await passUntil(send(readLarge, '192.0.2.1', { size: 300, speed: 10_000 }));
  expect(quick.outcome).toBe(true);
  // Theirs take 15 seconds.
  expect(quick.ms).toBeLessThan(12_000);
  expect((await passUntil(slow)).answer.outcome).toBe(true);
  const outcomes = (await passUntil(Promise.all(strangers))).answer.map(({ outcome }) => outcome);
  expect(outcomes.filter((outcome) => outcome instanceof BodyTooSlow).length).toBeGreaterThan(0);
});

test('a place is held for as long as its body may take, and no longer', async () => {
  const readLarge = createLargeReader();
  const { answer, ms } = await passUntil(send(readLarge, PLATFORM, { size: 3_000, speed: 10 }));
  expect(answer.outcome).toBeInstanceOf(BodyTooSlow);
  expect(ms).toBeLessThan(12_000);
});
