import { contract } from '@app/contracts/contract';
import { takesKey, type EndpointMeta } from '@app/contracts/endpoint';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRequestMemory, newKey } from './request-memory.ts';
import { isReading } from '../offline/reading-calls.ts';

class Lost extends Error {}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const requestOnce = createRequestMemory((error) => error instanceof Lost);
  const keys: string[] = [];
  const pending: PromiseWithResolvers<string>[] = [];
  const press = (act = 'create {}', formKey?: string) =>
    requestOnce(
      act,
      (key) => {
        keys.push(key);
        const answer = Promise.withResolvers<string>();
        pending.push(answer);
        return answer.promise;
      },
      formKey,
    );
  return { press, keys, answer: pending };
}

describe('an act', () => {
  test('pressed twice on a slow line is one request with one answer', async () => {
    const { press, keys, answer } = open();
    const both = [press(), press()];
    answer[0]!.resolve('done');
    expect(await Promise.all(both)).toEqual(['done', 'done']);
    expect(keys).toHaveLength(1);
  });

  test('pressed again just after its answer is the same press, and later another one', async () => {
    const { press, keys, answer } = open();
    const first = press();
    answer[0]!.resolve('done');
    await first;
    expect(await press()).toBe('done');
    vi.advanceTimersByTime(1_001);
    void press();
    expect(new Set(keys).size).toBe(2);
  });

  test('pressed again after another one in between is a new one', async () => {
    const { press, keys, answer } = open();
    const pause = press('pause');
    answer[0]!.resolve('paused');
    await pause;
    const resume = press('resume');
    answer[1]!.resolve('running');
    await resume;
    void press('pause');
    expect(keys).toHaveLength(3);
  });

  test('whose answer was lost keeps its key for the next try', async () => {
    const { press, keys, answer } = open();
    const lost = press();
    answer[0]!.reject(new Lost());
    await expect(lost).rejects.toThrow(Lost);
    vi.advanceTimersByTime(600_000);
    const again = press();
    answer[1]!.resolve('done');
    expect(await again).toBe('done');
    expect(new Set(keys).size).toBe(1);
  });

  test('that was refused gets a new key', async () => {
    const { press, keys, answer } = open();
    const refused = press();
    answer[0]!.reject(new Error('refused'));
    await expect(refused).rejects.toThrow('refused');
    void press();
    expect(new Set(keys).size).toBe(2);
  });

  test('with other content is another one', () => {
    const { press, keys } = open();
    void press('create {"name":"a"}');
    void press('create {"name":"b"}');
    expect(new Set(keys).size).toBe(2);
  });

  test('with other content has the same key when it comes from the same form', async () => {
    const { press, keys, answer } = open();
    const form = newKey();
    const lost = press('create {"name":"a"}', form);
    answer[0]!.reject(new Lost());
    await expect(lost).rejects.toThrow(Lost);
    void press('create {"name":"b"}', form);
    expect(keys).toEqual([form, form]);
  });
});

describe('what the web takes for reading', () => {
  const endpoints = Object.entries(contract).flatMap(([feature, all]) =>
    Object.entries(all).map(([name, endpoint]) => [`${feature}.${name}`, name, endpoint] as const),
  );
  test.each(endpoints)('%s is what the contract says', (_, name, endpoint) => {
    const { meta, route } = endpoint['~orpc'];
    const { repeat } = meta as EndpointMeta; // set by endpoint() for every contract
    // The rest is harmless either way.
    const wanted = route.method === 'GET' || (takesKey(repeat) ? false : isReading(name));
    expect(isReading(name)).toBe(wanted);
  });
});

test('a new key is a random UUID, which the server takes as an id too', () => {
  const keys = Array.from({ length: 500 }, newKey);
  for (const key of keys)
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(keys).size).toBe(500);
});
