import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tellLiveEvent } from '../../src/shared/live/live-events.ts';
import { usePresence } from '../../src/shared/presence/use-presence.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, show, shownText } from '../screen.tsx';

const ANN = { id: 'ann', name: 'Ann', isTyping: false };
let said: string[] = [];
beforeEach(() => {
  said = [];
  vi.useFakeTimers();
  vi.stubGlobal('fetch', (path: string, { body = '{}' }: { body?: string } = {}) => {
    const { state } = JSON.parse(body) as { state?: string };
    if (state) said.push(`${path.split('/').at(-2)} ${state}`);
    return Promise.resolve(new Response('{"items":[]}', { headers: { 'content-type': 'application/json' } }));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function Chat({ id }: { id: string }) {
  const { viewers, tellTyping, tellNoTyping } = usePresence(id);
  return (
    <>
      <p>{viewers.map(({ name, isTyping }) => `${name}${isTyping ? ' types' : ''}`).join(', ')}</p>
      <input onInput={tellTyping} onBlur={tellNoTyping} />
    </>
  );
}
const page = (id: string | null) => (
  <QueryClientProvider client={queryClient}>
    {id === null ? <p>closed</p> : <Chat id={id} />}
  </QueryClientProvider>
);

test('who looks is shown as the stream tells it, and this tab says what it shows', async () => {
  const draw = show(page('one'));
  await eventually(() => expect(said).toEqual(['one viewing']));
  tellLiveEvent({ topic: 'viewers', payload: { conversationId: 'one', people: [ANN] } });
  await eventually(() => expect(shownText()).toBe('Ann'));
  tellLiveEvent({ topic: 'viewers', payload: { conversationId: 'other', people: [ANN] } });
  tellLiveEvent({
    topic: 'viewers',
    payload: { conversationId: 'one', people: [{ ...ANN, isTyping: true }] },
  });
  await eventually(() => expect(shownText()).toBe('Ann types'));
  const field = document.querySelector('input');
  for (let key = 0; key < 9; key += 1) field?.dispatchEvent(new InputEvent('input', { bubbles: true }));
  expect(said).toEqual(['one viewing', 'one typing']);
  field?.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(said.slice(2)).toEqual(['one viewing', 'one viewing']);
  draw(page('two'));
  await eventually(() => expect(said.slice(4).toSorted()).toEqual(['one gone', 'two viewing']));
  dispatchEvent(new Event('pagehide'));
  expect(said.at(-1)).toBe('two gone');
  draw(page(null));
});
