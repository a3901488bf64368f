import { afterEach, expect, test, vi } from 'vitest';
import { eventually } from '../screen.tsx';
import { tellLiveEvent } from '../../src/shared/live/live-events.ts';
import { followOperation } from '../../src/shared/operations/follow-operation.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('an end that is told while an older answer is on its way is not missed', async () => {
  // Whoever is told does not look by the clock.
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const operationId = crypto.randomUUID();
  const answer = (state: string) => Response.json({ json: { id: operationId, state } });
  const first = Promise.withResolvers<Response>();
  const server = vi.fn<() => Promise<Response>>(() => Promise.resolve(answer('done')));
  server.mockReturnValueOnce(first.promise);
  vi.stubGlobal('fetch', server);
  const followed = followOperation(operationId);
  await eventually(() => expect(server).toHaveBeenCalledOnce());
  tellLiveEvent({ topic: 'progress', payload: { operationId, state: 'done' } });
  first.resolve(answer('running'));
  expect(await followed).toMatchObject({ id: operationId, state: 'done' });
});
