import { newId } from '@app/database/new-id';
import { systemCaller } from '@app/domain/auth/caller';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { FactConsumer } from '../../src/platform/facts/fact-consumer.ts';
import { openFactLog } from '../../src/platform/facts/fact-log.ts';
import { openScope } from '../../src/platform/workspace-scope.ts';
import { openApiFixture, type ApiFixture } from '../api-fixture.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture({}, { isWorking: false });
});
afterAll(() => api.close());
afterEach(() => vi.useRealTimers());

const clock = () => new Date();
const emit = (label: string) =>
  api.db.inSystemWorkspace(api.workspaceId, (tx, client) =>
    openScope({
      ...{ caller: systemCaller('upkeep', api.workspaceId), origin: null, tx, client, clock },
      afterwards: [],
    }).emit({ type: 'custom_field.deleted', subject: null, values: { label } }),
  );

/** Only the waiting of a log stands still, also between its looks each second; the database goes on. */
const stopTime = () =>
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  });

/** Writes down what it hears, page by page. */
function openConsumer(given: Partial<FactConsumer>) {
  const pages: unknown[][] = [];
  const consumer: FactConsumer = {
    ...{ name: `pace-${newId()}`, order: 'none', atDepthLimit: 'hear', types: ['custom_field.deleted'] },
    async handle(_page, facts) {
      pages.push(facts.map(({ values }) => values['label']));
    },
    ...given,
  };
  return { consumer, pages };
}

test('the first fact of a row is handled at once and the others together, while a prompt consumer rests at no time', async () => {
  const [ordinary, prompt] = [openConsumer({}), openConsumer({ isPrompt: 'each' })];
  const logger = { info() {}, warn() {}, error() {} };
  stopTime();
  const log = await openFactLog({ db: api.db, clock, logger }, [ordinary.consumer, prompt.consumer]);
  const wait = (ms: number) => vi.advanceTimersByTime(ms);
  const heard = async (pages: unknown[][], count: number) => {
    while (pages.flat().length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  try {
    await emit('one');
    log.wake();
    wait(30);
    await heard(ordinary.pages, 1);
    for (const label of ['two', 'three', 'four']) {
      await emit(label);
      log.wake();
      wait(30);
      await heard(prompt.pages, prompt.pages.flat().length + 1);
    }
    expect(ordinary.pages).toEqual([['one']]);
    wait(150);
    await heard(ordinary.pages, 4);
    expect(ordinary.pages).toEqual([['one'], ['two', 'three', 'four']]);
    expect(prompt.pages).toEqual([['one'], ['two'], ['three'], ['four']]);
  } finally {
    vi.useRealTimers();
    await log.close();
  }
});

test('who is prompt with the first fact reads it before others, and a row of facts in pages', async () => {
  const [ordinary, first] = [openConsumer({}), openConsumer({ isPrompt: 'first' })];
  const logger = { info() {}, warn() {}, error() {} };
  stopTime();
  const log = await openFactLog({ db: api.db, clock, logger }, [ordinary.consumer, first.consumer]);
  const heard = async (pages: unknown[][], count: number) => {
    while (pages.flat().length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  try {
    await emit('one');
    log.wake();
    vi.advanceTimersByTime(5);
    await heard(first.pages, 1);
    expect(ordinary.pages).toEqual([]);
    vi.advanceTimersByTime(25);
    await heard(ordinary.pages, 1);
    for (const label of ['two', 'three']) {
      await emit(label);
      log.wake();
      vi.advanceTimersByTime(30);
    }
    expect(first.pages).toEqual([['one']]);
    vi.advanceTimersByTime(150);
    await heard(first.pages, 3);
    expect(first.pages).toEqual([['one'], ['two', 'three']]);
  } finally {
    vi.useRealTimers();
    await log.close();
  }
});
