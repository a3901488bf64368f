import { QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { ServerDataClient } from './server-data-client.ts';

/** A list of the server whose answers are given by hand. */
function openList({ meta = {} } = {}) {
  let isEvent = false;
  const client = new ServerDataClient(
    { defaultOptions: { queries: { retry: false, staleTime: 60_000 } } },
    { isConnected: () => true, isTelling: () => isEvent },
  );
  const answers: ((people: string[]) => void)[] = [];
  const options = {
    queryKey: ['online'],
    meta,
    queryFn: () => new Promise<string[]>((give) => answers.push(give)),
  };
  const show = () => new QueryObserver(client, options).subscribe(() => undefined);
  const stop = show();
  /** As the page does when the stream tells of a change. */
  const hear = () => {
    isEvent = true;
    const told = client.invalidateQueries();
    isEvent = false;
    return told;
  };
  return { client, answers, hear, read: () => client.getQueryData(['online']), show, stop };
}

test('an answer from before a change is not the last word', async () => {
  const { client, answers, read, stop } = openList();
  const changed = [client.invalidateQueries({ queryKey: ['online'] }), client.invalidateQueries()];
  answers[0]?.([]);
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.(['Amara']);
  await Promise.all(changed);
  expect(read()).toEqual(['Amara']);
  expect(answers).toHaveLength(2);
  stop();
});

test('an act is read once, whichever of its answer and its event comes first', async () => {
  for (const isAnswerFirst of [true, false]) {
    const { client, answers, hear, read, stop } = openList();
    const acting = client
      .getMutationCache()
      .build(client, { mutationFn: () => new Promise(() => undefined) });
    void acting.execute(undefined);
    answers[0]?.(['Amara']);
    await expect.poll(read).toEqual(['Amara']);
    const answer = () => client.invalidateQueries({ queryKey: ['online'] });
    const told = [isAnswerFirst ? answer() : hear()];
    await new Promise((resolve) => setTimeout(resolve, 150));
    told.push(isAnswerFirst ? hear() : answer());
    await expect.poll(() => answers.length).toBe(2);
    answers[1]?.([]);
    await Promise.all(told);
    expect(read()).toEqual([]);
    expect(answers).toHaveLength(2);
    stop();
  }
});

test('a row of events is read now and then, not at each and not only after the last', async () => {
  const { answers, hear, read, stop } = openList();
  answers[0]?.(['Amara']);
  await expect.poll(read).toEqual(['Amara']);
  const events = setInterval(() => void hear(), 10);
  await expect.poll(() => answers.length).toBe(2);
  clearInterval(events);
  stop();
});

test('what somebody waits for is read once for the events of one change, and soon again', async () => {
  const { answers, hear, read, stop } = openList({ meta: { isPrompt: true } });
  answers[0]?.(['Amara']);
  await expect.poll(read).toEqual(['Amara']);
  void hear();
  await expect.poll(() => answers.length, { interval: 1 }).toBe(2);
  answers[1]?.(['Amara', 'Ben']);
  await expect.poll(read).toEqual(['Amara', 'Ben']);
  void hear();
  void hear();
  await expect.poll(() => answers.length, { interval: 1 }).toBe(3);
  stop();
});

test('what was told and is to stand still is not read, and the next telling is', async () => {
  const { client, answers, hear, read, stop } = openList();
  answers[0]?.(['Amara']);
  await expect.poll(read).toEqual(['Amara']);
  const told = hear();
  client.clearTold({ queryKey: ['online'] });
  await told;
  expect(answers).toHaveLength(1);
  void hear();
  await expect.poll(() => answers.length).toBe(2);
  stop();
});

test('what was asked for since the change is not asked for again', async () => {
  const { client, answers, read, show, stop } = openList();
  answers[0]?.(['Amara']);
  await expect.poll(read).toEqual(['Amara']);
  const told = client.invalidateQueries();
  stop();
  // Another page shows it meanwhile.
  const stopOther = show();
  expect(answers).toHaveLength(2);
  answers[1]?.([]);
  await told;
  expect(read()).toEqual([]);
  expect(answers).toHaveLength(2);
  stopOther();
});

test('a change that comes while the list is read again is read too', async () => {
  const { client, answers, read, stop } = openList();
  answers[0]?.(['Amara']);
  await expect.poll(read).toEqual(['Amara']);
  const first = client.invalidateQueries();
  await expect.poll(() => answers.length).toBe(2);
  const second = client.invalidateQueries();
  answers[1]?.(['Amara', 'Ben']);
  await expect.poll(() => answers.length).toBe(3);
  answers[2]?.(['Ben']);
  await Promise.all([first, second]);
  expect(read()).toEqual(['Ben']);
  stop();
});

test('what nobody looks at is read when somebody does', async () => {
  const { client, answers, read, show, stop } = openList();
  answers[0]?.(['Amara']);
  await expect.poll(read).toEqual(['Amara']);
  stop();
  await client.invalidateQueries();
  expect(answers).toHaveLength(1);
  const stopOther = show();
  expect(answers).toHaveLength(2);
  stopOther();
});

test('a list of very many pages follows the slower the more there are', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  try {
    for (const [pages, isReadSoon] of [
      [10, true],
      [40, false],
    ] as const) {
      let isEvent = false;
      let reads = 0;
      const client = new ServerDataClient(
        { defaultOptions: { queries: { retry: false, staleTime: 60_000 } } },
        { isConnected: () => true, isTelling: () => isEvent },
      );
      const queryFn = () => {
        reads += 1;
        return Promise.resolve({ pages: Array.from({ length: pages }, () => ({ items: [] })) });
      };
      const stop = new QueryObserver(client, { queryKey: ['list'], queryFn }).subscribe(() => undefined);
      const hear = () => {
        isEvent = true;
        void client.invalidateQueries();
        isEvent = false;
      };
      await vi.advanceTimersByTimeAsync(100);
      hear();
      await vi.advanceTimersByTimeAsync(500);
      expect(reads).toBe(2);
      hear();
      await vi.advanceTimersByTimeAsync(2_000);
      expect(reads).toBe(isReadSoon ? 3 : 2);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(reads).toBe(3);
      stop();
    }
  } finally {
    vi.useRealTimers();
  }
});
