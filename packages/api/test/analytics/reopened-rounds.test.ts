import { dayIn } from '@app/domain/analytics/report-period';
import { expect, test } from 'vitest';
import { openArrivals } from '../arrivals.ts';
import { said } from '../arriving-events.ts';

const { admin, arrive, query } = await openArrivals();
const PHONE = '+14155552671';
const MINUTE = 60_000;

type Conversation = { id: string; version: number };
type Inbox = {
  responses: number;
  responseMs: number | null;
  resolutions: number;
  resolutionMs: number | null;
};

/** A message of so many minutes ago, and when it was written. */
async function write(minutesAgo: number): Promise<number> {
  const occurredAt = Math.floor((Date.now() - minutesAgo * MINUTE) / 1000) * 1000;
  await arrive(said({ phone: PHONE }, 'Hello', { occurredAt }));
  return occurredAt;
}

async function find(): Promise<Conversation> {
  const [row] = await query<{ id: string }>('SELECT id FROM conversations');
  return (await admin.get(`/api/conversations/${row!.id}`)).json<Conversation>();
}

/** Does it, and says between which times that was. */
async function timed(act: () => Promise<unknown>): Promise<[number, number]> {
  const begun = Date.now();
  await act();
  return [begun, Date.now()];
}

const answer = () =>
  timed(async () => {
    const { id } = await find();
    const response = await admin.post(`/api/conversations/${id}/messages`, { message: { text: 'Hi' } });
    expect(response.status).toBe(200);
  });
const put = (status: 'open' | 'resolved') =>
  timed(async () => {
    const { id, version } = await find();
    const response = await admin.put(`/api/conversations/${id}/status`, { version, status });
    expect(response.status).toBe(200);
  });

async function readInbox(): Promise<Inbox> {
  const day = (hours: number) => dayIn('UTC', Date.now() + hours * 60 * MINUTE);
  return (await admin.get(`/api/analytics/inbox?from=${day(-24)}&to=${day(24)}&zone=UTC`)).json<Inbox>();
}

/** The mean is that of times from each opening to what happened between the two times beside it. */
function expectMean(mean: number | null, ...of: (readonly [number, readonly [number, number]])[]): void {
  const meanOf = (end: 0 | 1) => of.reduce((sum, [from, at]) => sum + at[end] - from, 0) / of.length;
  expect(mean).toBeGreaterThanOrEqual(Math.floor(meanOf(0)));
  expect(mean).toBeLessThanOrEqual(Math.ceil(meanOf(1)));
}

test('a conversation that is opened again by hand goes on; one that a message opens again begins anew', async () => {
  const opened = await write(60);
  const answered = await answer();
  await put('resolved');
  await put('open');
  const taken = await readInbox();
  expect(taken).toMatchObject({ responses: 1, resolutions: 0, resolutionMs: null });
  await answer();
  const resolved = await put('resolved');
  const first = await readInbox();
  expect(first).toMatchObject({ responses: 1, resolutions: 1 });
  expectMean(first.responseMs, [opened, answered]);
  expectMean(first.resolutionMs, [opened, resolved]);

  // From its message on, not from when the conversation was opened at first.
  const again = Date.now();
  await arrive(said({ phone: PHONE }, 'One more thing', { occurredAt: again }));
  const answeredAgain = await answer();
  const resolvedAgain = await put('resolved');
  const both = await readInbox();
  expect(both).toMatchObject({ responses: 2, resolutions: 2 });
  expectMean(both.responseMs, [opened, answered], [again, answeredAgain]);
  expectMean(both.resolutionMs, [opened, resolved], [again, resolvedAgain]);
});
