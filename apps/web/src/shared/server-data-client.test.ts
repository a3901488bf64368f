import { QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { ServerDataClient } from './server-data-client.ts';

/** A list of the server whose answers are given by hand. */
function openList() {
  const client = new ServerDataClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
  const answers: ((people: string[]) => void)[] = [];
  const options = {
    queryKey: ['online'],
    queryFn: () => new Promise<string[]>((give) => answers.push(give)),
  };
  const stop = new QueryObserver(client, options).subscribe(() => undefined);
  return { client, answers, read: () => client.getQueryData(['online']), stop };
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

test('later changes are read at once', async () => {
  const { client, answers, read, stop } = openList();
  answers[0]?.(['Amara']);
  await expect.poll(read).toEqual(['Amara']);
  const changed = client.invalidateQueries({ queryKey: ['online'] });
  expect(answers).toHaveLength(2);
  answers[1]?.([]);
  await changed;
  expect(read()).toEqual([]);
  stop();
});
