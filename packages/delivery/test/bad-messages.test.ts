import { QueryError } from '@app/database/query-error';
import { afterAll, expect, test } from 'vitest';
import { waitFor } from './support/delivery-scene.ts';
import { openMessageScene } from './support/message-scene.ts';

const scene = await openMessageScene();
afterAll(() => scene.close());

test('a message whose end cannot be told keeps no other in doubt, in time or on its way', async () => {
  const contacts = [await scene.addConversation(), await scene.addConversation()];
  const leave = async (more: object = {}) => {
    const ids: string[] = [];
    for (const contactId of contacts) ids.push(await scene.leave(contactId, 'Hello', more));
    return ids;
  };
  const past = new Date(Date.now() - 1_000);
  const lost = await leave();
  await scene.query(
    `UPDATE messages SET state = 'sending', attempt = 1, owner = 'dead', lease_until = now() - interval '1 minute'`,
  );
  const expired = await leave({ giveUpAt: past });
  const scheduled = await leave({ sendAt: past });
  // Nothing in time can leave before what is in doubt is given up.
  const bad = new Set([lost[0], expired[0], scheduled[0]]);
  await scene.engine({
    async emit(_, __, { subject }) {
      if (subject !== null && bad.has(subject)) throw new QueryError({ code: '22P02' });
    },
  });

  const states = async (ids: string[]) =>
    (await Promise.all(ids.map((id) => scene.read(id)))).map(({ state }) => state);
  await waitFor(async () => (await states(lost))[1] === 'unknown');
  await waitFor(async () => (await states(expired))[1] === 'cancelled');
  await waitFor(async () => (await states(scheduled))[1] === 'accepted');
  expect(await states([lost[0]!, expired[0]!, scheduled[0]!])).toEqual(['sending', 'queued', 'scheduled']);
});
