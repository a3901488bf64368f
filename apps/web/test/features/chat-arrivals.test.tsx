import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useArrivals } from '../../src/features/chat/use-arrivals.ts';
import type { TimelineAnswer, TimelineItem } from '../../src/features/chat/timeline-window.ts';
import { tellLiveEvent } from '../../src/shared/live/live-events.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, show } from '../screen.tsx';

const KEY = ['the chat'];
let asked: string[] = [];

const item = (id: string, second: number) =>
  ({
    kind: 'message',
    id,
    text: id,
    at: `2026-03-01T12:00:${String(second).padStart(2, '0')}.000Z`,
  }) as TimelineItem;
const answer = (items: TimelineItem[]): TimelineAnswer => ({
  items,
  older: null,
  newer: null,
  hasNewer: false,
});

function Chat() {
  const { data } = useQuery({ queryKey: KEY, queryFn: () => answer([]), staleTime: Infinity });
  const withArrived = useArrivals('c1', KEY, () => true);
  const [isListening, setListening] = useState(false);
  // Behind the effect that listens.
  useEffect(() => setListening(true), []);
  const ids = data && isListening ? withArrived(data).items.map(({ id }) => `<${id}>`) : [];
  return <p>{ids.join('')}</p>;
}

beforeEach(async () => {
  asked = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const { json } = (await request.json()) as { json: { ids: string } };
    asked.push(json.ids);
    return new Response(JSON.stringify({ json: answer(json.ids.split(',').map((id) => item(id, 9))) }), {
      headers: { 'content-type': 'application/json' },
    });
  });
  queryClient.setQueryData(KEY, answer([item('first', 1)]));
  show(
    <QueryClientProvider client={queryClient}>
      <Chat />
    </QueryClientProvider>,
  );
  await vi.waitUntil(() => document.body.textContent === '<first>');
});
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

const bring = (payload: object) =>
  tellLiveEvent({ topic: 'arrived-messages', payload: { conversationId: 'c1', ...payload } });
const name = (...ids: string[]) =>
  tellLiveEvent({ topic: 'messages', payload: { conversationIds: ['c1'], arrivedIds: ids } });

test('messages that the stream brings stand in the chat in their order, and nothing is asked for', async () => {
  for (const [second, id] of ['two', 'three', 'four'].entries()) {
    bring({ ids: [id] });
    name(id);
    bring({ ids: [id], items: [item(id, second + 2)] });
  }
  await eventually(() => expect(document.body.textContent).toBe('<four><three><two><first>'));
  expect(asked).toEqual([]);
});

test('messages that are only named, or cannot be brought, are asked for', async () => {
  name('two');
  await eventually(() => expect(document.body.textContent).toBe('<two><first>'));
  bring({ ids: ['three'] });
  name('three');
  expect(asked).toEqual(['two']);
  bring({ ids: ['three'], items: null });
  await eventually(() => expect(asked).toEqual(['two', 'three']));
  await eventually(() => expect(document.body.textContent).toContain('<three>'));
});

test('what is brought for another conversation stays out', async () => {
  bring({ conversationId: 'c2', ids: ['other'], items: [item('other', 5)] });
  bring({ ids: ['mine'], items: [item('mine', 6)] });
  await eventually(() => expect(document.body.textContent).toBe('<mine><first>'));
});
