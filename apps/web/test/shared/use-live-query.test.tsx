import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { liveTelling, tellLiveEvent } from '../../src/shared/live/live-events.ts';
import { useLiveQuery } from '../../src/shared/live/use-live-query.ts';
import { ServerDataClient } from '../../src/shared/server-data-client.ts';
import { eventually, show, shownText } from '../screen.tsx';

const key = ['contacts'];

/** A page that shows how often the server was asked, as far as it follows `contactId`. */
function openPage({ contactId = '' } = {}) {
  const client = new ServerDataClient({}, liveTelling);
  let asked = 0;
  function Page({ isOn }: { isOn: boolean }) {
    const { data } = useQuery({ queryKey: key, queryFn: () => Promise.resolve((asked += 1)) });
    useLiveQuery(['contacts', 'messages'], [key], {
      isOn,
      concerns: (payload) => contactId === '' || payload['contactId'] === contactId,
    });
    return <p>{isOn ? data : `${data} for now`}</p>;
  }
  const page = (isOn: boolean) => (
    <QueryClientProvider client={client}>
      <Page isOn={isOn} />
    </QueryClientProvider>
  );
  const draw = show(page(true));
  return {
    asked: () => asked,
    turn: (isOn: boolean) => draw(page(isOn)),
    isOutdated: () => client.getQueryState(key)?.isInvalidated,
  };
}

const shows = (text: string) => eventually(() => expect(shownText()).toBe(text));

test('what is shown follows the events of its topics, and those that were missed', async () => {
  const { asked } = openPage();
  await shows('1');
  tellLiveEvent({ topic: 'templates', payload: {} });
  tellLiveEvent({ topic: 'contacts', payload: {} });
  await shows('2');
  tellLiveEvent({ topic: 'resync', payload: {} });
  await shows('3');
  expect(asked()).toBe(3);
});

test('an event about something else is not followed', async () => {
  const { asked } = openPage({ contactId: 'ann' });
  await shows('1');
  tellLiveEvent({ topic: 'contacts', payload: { contactId: 'ben' } });
  tellLiveEvent({ topic: 'contacts', payload: { contactId: 'ann' } });
  await shows('2');
  expect(asked()).toBe(2);
});

test('a row of events is followed now and then, and its end is not missed', async () => {
  const { asked } = openPage();
  await shows('1');
  const begun = Date.now();
  const events = setInterval(() => tellLiveEvent({ topic: 'contacts', payload: {} }), 20);
  await shows('3');
  const reads = asked() - 1;
  const seconds = (Date.now() - begun) / 1000;
  clearInterval(events);
  tellLiveEvent({ topic: 'contacts', payload: {} });
  expect(reads).toBeLessThanOrEqual(1 + seconds);
  await shows('4');
});

test('switched off, it stands still', async () => {
  const { asked, turn, isOutdated } = openPage();
  await shows('1');
  turn(false);
  await shows('1 for now');
  tellLiveEvent({ topic: 'contacts', payload: {} });
  expect(isOutdated()).toBe(false);
  turn(true);
  await shows('1');
  tellLiveEvent({ topic: 'contacts', payload: {} });
  await shows('2');
  expect(asked()).toBe(2);
});
