import { afterEach, expect, test, vi } from 'vitest';
import { eventually } from '../screen.tsx';
import { tellLiveEvent } from '../../src/shared/live/live-events.ts';
import { followAct } from '../../src/shared/long-acts/follow-act.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('an end that is told while an older answer is on its way is not missed', async () => {
  // Whoever is told does not look by the clock.
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const actId = crypto.randomUUID();
  const answer = (state: string) => Response.json({ json: { id: actId, state } });
  const first = Promise.withResolvers<Response>();
  const server = vi.fn<() => Promise<Response>>(() => Promise.resolve(answer('done')));
  server.mockReturnValueOnce(first.promise);
  vi.stubGlobal('fetch', server);
  const followed = followAct(actId);
  await eventually(() => expect(server).toHaveBeenCalledOnce());
  tellLiveEvent({ topic: 'progress', payload: { actId, state: 'done' } });
  first.resolve(answer('running'));
  expect(await followed).toMatchObject({ id: actId, state: 'done' });
});
