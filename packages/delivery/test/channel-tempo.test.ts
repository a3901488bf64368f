import { expect, test } from 'vitest';
import { ChannelTempo } from '../src/pace/channel-tempo.ts';
import type { DeliveryChannel } from '../src/delivery-host.ts';

const lease = {
  channelId: '',
  workspaceId: '',
  owner: '',
  epoch: 1,
  loweredTo: null,
  rateChangedAt: 0,
  holdUntil: 0,
  isFresh: false,
};
const channel: DeliveryChannel['channel'] = { send: () => new Promise(() => undefined) };

test.each([20, 80, 1_000])(
  'at %i per second a claim of 40 ms leaves nobody waiting, and few are in doubt after a crash',
  (messagesPerSecond) => {
    const tempo = new ChannelTempo({ channel, messagesPerSecond }, lease, 0);
    const size = tempo.sliceSize(1);
    const aheadMs = (Math.floor(tempo.claimBelow(size)) / messagesPerSecond) * 1_000;
    expect(aheadMs).toBeGreaterThanOrEqual(40);
    expect(((size * 1.5) / messagesPerSecond) * 1_000).toBeLessThanOrEqual(200);
  },
);
