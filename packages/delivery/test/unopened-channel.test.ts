import { expect, test } from 'vitest';
import { openDeliveryScene, waitFor } from './support/delivery-scene.ts';

test('a number that cannot be opened keeps no other from sending, and sends once it can be', async () => {
  const scene = await openDeliveryScene();
  try {
    await scene.addContacts(2);
    const channelIds = [scene.channelId, await scene.addChannel()];
    const runNos = new Map<string, number>();
    for (const channelId of channelIds) runNos.set(channelId, await scene.startRunOf({ channelId }));
    let closed: string | undefined;
    let isOpened = false;
    let refusals = 0;
    await scene.engine({
      channelFor: async (channelId) => {
        closed ??= channelId;
        if (channelId !== closed || isOpened) return scene.deliveryChannel();
        refusals += 1;
        throw new Error('A stored credential cannot be opened.');
      },
    });
    await waitFor(() => refusals >= 3);

    const other = channelIds.find((id) => id !== closed)!; // of two
    expect(await scene.finish(runNos.get(other)!)).toMatchObject({ counters: { accepted: 2 } });
    expect(await scene.progress(runNos.get(closed!)!)).toMatchObject({ counters: { accepted: 0 } });
    isOpened = true;
    expect(await scene.finish(runNos.get(closed!)!)).toMatchObject({ counters: { accepted: 2 } });
  } finally {
    await scene.close();
  }
});
