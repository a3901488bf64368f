import { expect, test } from 'vitest';
import type { DeliveryEvent } from '../src/delivery-events.ts';
import { ProgressPublisher } from '../src/engine/progress-publisher.ts';
import type { SqlClient } from '../src/sql-client.ts';

test('what could not be read is told with the next flush, a change of state as such', async () => {
  const row = {
    workspace_id: 'w',
    channel_id: 'n',
    campaign_id: 'c',
    state: 'completed',
    pause_reason: null,
  };
  let isDown = true;
  const client = {
    query: async (_: string, [runNos]: [number[]]) => {
      if (isDown) throw new Error('the database is away');
      return { rows: runNos.map((runNo) => ({ ...row, run_no: String(runNo) })) };
    },
  } as unknown as SqlClient; // the publisher asks nothing else of it
  const told: DeliveryEvent[] = [];
  const publisher = new ProgressPublisher(client, async (event) => void told.push(event), {
    ...{ info() {}, warn() {}, error() {} },
  });
  publisher.stateChanged(1);
  publisher.moved(2);
  await expect(publisher.flush()).rejects.toThrow('away');
  publisher.moved(3);
  isDown = false;
  await publisher.flush();
  expect(told.map(({ kind, runNo }) => [kind, runNo])).toEqual([
    ['run_state', 1],
    ['run_progress', 2],
    ['run_progress', 3],
  ]);
  await publisher.flush();
  expect(told).toHaveLength(3);
});
