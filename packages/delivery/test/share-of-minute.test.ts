import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shareOfMinute, type SharingNumber } from '@app/domain/channels/share-of-minute';
import type { DeliveryChannel } from '../src/delivery-host.ts';
import { ChannelTempo } from '../src/pace/channel-tempo.ts';
import { reserveReply } from '../src/pace/reply-rate.ts';
import { type DeliveryScene, openDeliveryScene, waitFor } from './support/delivery-scene.ts';

const MINUTE = 60_000;
const lease = {
  ...{ channelId: '', workspaceId: '', owner: '', epoch: 1 },
  ...{ loweredTo: null, rateChangedAt: 0, holdUntil: 0, isFresh: false },
};
const channel: DeliveryChannel['channel'] = { send: () => new Promise(() => undefined) };

function numbersOf(count: number): SharingNumber[] {
  return Array.from({ length: count }, (_, place) => ({
    ...{ id: `n${place}`, isConnected: true, stoppedFor: null },
  }));
}

/** When messages leave that wait for nothing but the minute, through each of the numbers that are connected, by a clock of its own. */
function leavings(perMinute: number, numbers: SharingNumber[], from: number, until: number): number[] {
  const times: number[] = [];
  for (const { id } of numbers.filter(({ isConnected }) => isConnected)) {
    const limits = { perMinute: shareOfMinute(perMinute, numbers, id) };
    const tempo = new ChannelTempo({ channel, messagesPerSecond: null, limits }, lease, from);
    for (let now = Math.max(from, tempo.nextSlot()); now < until; now = Math.max(now, tempo.nextSlot())) {
      tempo.leave(now);
      times.push(now);
    }
  }
  return times.toSorted((a, b) => a - b);
}

function mostWithin(times: readonly number[], ms: number): number {
  return Math.max(...times.map((end) => times.filter((at) => at <= end && at > end - ms).length));
}

test.each([
  [2, 2],
  [10, 2],
  [10, 3],
  [11, 2],
  [60, 7],
])(
  'of %i a minute through %i numbers no sixty seconds hold more, and nearly all are used',
  (limit, count) => {
    const times = leavings(limit, numbersOf(count), 0, 20 * MINUTE);
    expect(mostWithin(times, MINUTE)).toBeLessThanOrEqual(limit);
    expect(times.length).toBeGreaterThanOrEqual(20 * limit - count);
  },
);

test('one message a minute through two numbers is one in two minutes through each', () => {
  const times = leavings(1, numbersOf(2), 0, 20 * MINUTE);
  expect(times).toHaveLength(20);
  expect(mostWithin(times, 2 * MINUTE)).toBe(2);
});

test('a number that is disconnected gives its share to the others', () => {
  const numbers = numbersOf(2).map((one, place) => ({ ...one, isConnected: place === 0 }));
  const times = leavings(10, numbers, 0, 20 * MINUTE);
  expect(times.length).toBeGreaterThanOrEqual(199);
  expect(mostWithin(times, MINUTE)).toBe(10);
});

describe('in a workspace', () => {
  let scene: DeliveryScene;
  beforeEach(async () => {
    scene = await openDeliveryScene();
  });
  afterEach(() => scene.close());
  const query = (text: string, values: unknown[] = []) => scene.database.systemPool.query(text, values);

  test('replies through a number with a part of a message in a minute lie so far apart', async () => {
    const nextAt = async () => {
      const { rows } = await query(
        'SELECT extract(epoch FROM next_reply_at)::double precision AS at FROM delivery_channels WHERE channel_id = $1',
        [scene.channelId],
      );
      return Number(rows[0]?.['at']);
    };
    const times: number[] = [];
    for (let reply = 0; reply < 3; reply += 1) {
      await reserveReply(scene.database.systemPool, scene.channelId, 0.5);
      times.push(await nextAt());
    }
    expect(times.slice(1).map((at, place) => at - (times[place] ?? 0))).toEqual([
      expect.closeTo(120, 3),
      expect.closeTo(120, 3),
    ]);
  });

  test('whoever sends takes a new share when another number begins to send or does no more', async () => {
    const other = await scene.addChannel();
    await query('UPDATE channels SET is_connected = true');
    // More than are sent before the last change, however slow the machine is.
    await scene.addContacts(5_000);
    const shares: number[] = [];
    await scene.startRunOf();
    await scene.engine({
      channelFor: async (channelId) => {
        const { rows } = await query(
          'SELECT id, is_connected AS "isConnected", stopped_for AS "stoppedFor" FROM channels',
        );
        const perMinute = shareOfMinute(600, rows as SharingNumber[], channelId);
        shares.push(perMinute);
        return { channel: scene.platform, messagesPerSecond: null, limits: { perMinute } };
      },
    });
    const becomes = async (share: number, act: string) => {
      await query(act, [other]);
      await waitFor(() => shares.at(-1) === share);
    };
    await waitFor(() => shares.at(-1) === 300);
    await becomes(600, 'UPDATE channels SET is_connected = false WHERE id = $1');
    await becomes(300, 'UPDATE channels SET is_connected = true WHERE id = $1');
    await becomes(600, `UPDATE channels SET stopped_code = '190', stopped_for = 'everything' WHERE id = $1`);
    await becomes(300, 'UPDATE channels SET stopped_code = NULL, stopped_for = NULL WHERE id = $1');
    await becomes(600, 'DELETE FROM channels WHERE id = $1');
    await query(
      `INSERT INTO channels (id, workspace_id, kind, address, credentials, messages_per_second, is_connected)
       SELECT gen_random_uuid(), workspace_id, kind, 'third', credentials, 80, true FROM channels`,
    );
    await waitFor(() => shares.at(-1) === 300);
    expect(shares).toEqual([300, 600, 300, 600, 300, 600, 300]);
  });

  test('a change while the number is being taken counts as well', async () => {
    const other = await scene.addChannel();
    await query('UPDATE channels SET is_connected = true');
    await scene.addContacts(5_000);
    const shares: number[] = [];
    await scene.startRunOf();
    await scene.engine({
      channelFor: async (channelId) => {
        const { rows } = await query(
          'SELECT id, is_connected AS "isConnected", stopped_for AS "stoppedFor" FROM channels',
        );
        const perMinute = shareOfMinute(600, rows as SharingNumber[], channelId);
        if (shares.push(perMinute) === 1) {
          await query('UPDATE channels SET is_connected = false WHERE id = $1', [other]);
          // The engine hears of it before it has what it asked for.
          await new Promise((resolve) => setTimeout(resolve, 1_000));
        }
        return { channel: scene.platform, messagesPerSecond: null, limits: { perMinute } };
      },
    });
    await waitFor(() => shares.at(-1) === 600);
    expect(shares).toEqual([300, 600]);
  });
});
