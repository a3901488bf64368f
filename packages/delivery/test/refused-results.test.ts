import { QueryError } from '@app/database/query-error';
import { recipientState } from '@app/domain/delivery/recipient-state';
import type { SendResult } from '@app/domain/messaging/channel-port';
import { expect, test } from 'vitest';
import { openDeliveryScene, quietLogger, waitFor, type DeliveryScene } from './support/delivery-scene.ts';
import { watchPool } from './support/watch-pool.ts';

/** Whether results hold this recipient in this state; its own result is refused, and so is each batch with it. */
function hold(values: readonly unknown[], seq: number, state: number): boolean {
  const column = (place: number) => String(values[place]).slice(1, -1).split(',').map(Number);
  const place = column(3).indexOf(seq);
  return place >= 0 && column(5)[place] === state;
}

test('a result that the database refuses is in doubt and keeps no other from being stored', async () => {
  const scene = await openDeliveryScene();
  try {
    await scene.addContacts(60);
    let refusals = 0;
    const pool = watchPool(scene.database.systemPool, async (statement, run, values) => {
      if (statement.startsWith('delivery_settle ') && hold(values, 17, recipientState.accepted)) {
        refusals += 1;
        throw new QueryError({ code: '22021' });
      }
      return run();
    });
    const runNo = await scene.startRunOf();
    await scene.engine({ systemPool: pool });

    const { counters } = await scene.finish(runNo);
    expect(counters).toMatchObject({ total: 60, accepted: 59, unknown: 1, pending: 0 });
    expect(refusals).toBeGreaterThan(1);
    expect(scene.platform.ledger).toHaveLength(60);
    const { rows } = await scene.database.systemPool.query(
      'SELECT seq, error_code FROM delivery_recipients WHERE run_no = $1 AND state = $2',
      [runNo, recipientState.unknown],
    );
    expect(rows).toEqual([{ seq: 17, error_code: 'response_unreadable' }]);
  } finally {
    await scene.close();
  }
});

test('a trouble of the database that passes takes nothing apart and leaves nothing in doubt', async () => {
  const scene = await openDeliveryScene();
  try {
    await scene.addContacts(40);
    let failures = 0;
    const pool = watchPool(scene.database.systemPool, (statement, run) => {
      if (!statement.startsWith('delivery_settle ') || failures === 3) return run();
      failures += 1;
      return Promise.reject(new QueryError({ code: '57P01' }));
    });
    const runNo = await scene.startRunOf();
    await scene.engine({ systemPool: pool });

    const { counters } = await scene.finish(runNo);
    expect(counters).toMatchObject({ total: 40, accepted: 40, unknown: 0 });
    expect(failures).toBe(3);
  } finally {
    await scene.close();
  }
});

test('an opt-out that the platform answers with is stored once the database takes it again', async () => {
  const scene = await openDeliveryScene();
  try {
    const [left] = await scene.addContacts(3);
    scene.platform.answer = stopsMarketing;
    const { state, pool } = awayForConsents(scene);
    const runNo = await scene.startRunOf();
    await scene.engine({ systemPool: pool });

    await waitFor(() => state.failures >= 2);
    state.isBack = true;
    await expect.poll(() => optedOut(scene)).toEqual([left]);
    expect(await scene.finish(runNo)).toMatchObject({ counters: { accepted: 2, refused: 1 } });
  } finally {
    await scene.close();
  }
});

const stopsMarketing = ({ to }: { to: string }): SendResult | undefined =>
  to.endsWith('1')
    ? { outcome: 'refused', error: { code: '131050', title: 'Stopped' }, action: { kind: 'opt_out' } }
    : undefined;

/** A database that takes no consent until `isBack`. */
function awayForConsents(scene: DeliveryScene) {
  const state = { isBack: false, failures: 0 };
  const pool = watchPool(scene.database.systemPool, (statement, run) => {
    if (!statement.includes('record_consents') || state.isBack) return run();
    state.failures += 1;
    return Promise.reject(new QueryError({ code: '57P01' }));
  });
  return { state, pool };
}

async function optedOut({ database }: DeliveryScene): Promise<string[]> {
  const { rows } = await database.systemPool.query<{ id: string }>(
    'SELECT id FROM contacts WHERE opted_out_at IS NOT NULL',
  );
  return rows.map(({ id }) => id);
}

test('it is stored also when another process has taken over the channel meanwhile', async () => {
  const scene = await openDeliveryScene();
  try {
    const [left] = await scene.addContacts(3);
    scene.platform.answer = stopsMarketing;
    const { state, pool } = awayForConsents(scene);
    const warnings: string[] = [];
    const logger = { ...quietLogger, warn: (message: string) => void warnings.push(message) };
    await scene.startRunOf();
    await scene.engine({ systemPool: pool, logger });
    await waitFor(() => state.failures > 0);

    await scene.database.systemPool.query(
      `UPDATE delivery_channels SET owner = 'another', epoch = epoch + 1, lease_until = now() + interval '1 hour'`,
    );
    await waitFor(() => warnings.includes('Another process took over a channel'));
    state.isBack = true;
    await expect.poll(() => optedOut(scene)).toEqual([left]);
  } finally {
    await scene.close();
  }
});

test('an engine that stops stores it before it ends', async () => {
  const scene = await openDeliveryScene();
  try {
    const [left] = await scene.addContacts(3);
    scene.platform.answer = stopsMarketing;
    const { state, pool } = awayForConsents(scene);
    await scene.startRunOf();
    const engine = await scene.engine({ systemPool: pool });
    await waitFor(() => state.failures > 0);

    const stopped = engine.stop(60_000);
    const before = state.failures;
    await waitFor(() => state.failures > before);
    state.isBack = true;
    await stopped;
    expect(await optedOut(scene)).toEqual([left]);
  } finally {
    await scene.close();
  }
});

test('an opt-out that the platform answers with is stored before its result', async () => {
  const scene = await openDeliveryScene();
  try {
    const [left] = await scene.addContacts(3);
    scene.platform.answer = ({ to }) =>
      to.endsWith('1')
        ? { outcome: 'refused', error: { code: '131050', title: 'Stopped' }, action: { kind: 'opt_out' } }
        : undefined;
    const stored = Promise.withResolvers<void>();
    const pool = watchPool(scene.database.systemPool, async (statement, run) => {
      if (statement.includes('record_consents')) await stored.promise;
      return run();
    });
    const runNo = await scene.startRunOf();
    await scene.engine({ systemPool: pool });
    const { systemPool } = scene.database;
    const settled = async () =>
      (
        await systemPool.query(
          'SELECT seq FROM delivery_recipients WHERE run_no = $1 AND state IN ($2, $3) ORDER BY seq',
          [runNo, recipientState.accepted, recipientState.refused],
        )
      ).rows;
    await expect.poll(settled, { timeout: 60_000 }).toHaveLength(2);
    stored.resolve();

    expect(await scene.finish(runNo)).toMatchObject({ counters: { accepted: 2, refused: 1 } });
    const { rows } = await systemPool.query('SELECT id FROM contacts WHERE opted_out_at IS NOT NULL');
    expect(rows).toEqual([{ id: left }]);
  } finally {
    await scene.close();
  }
});

test('a channel that throws at one message leaves it in doubt, and ends no other', async () => {
  const scene = await openDeliveryScene();
  try {
    await scene.addContacts(5);
    const runNo = await scene.startRunOf();
    const { channel, ...delivery } = scene.deliveryChannel();
    await scene.engine({
      channelFor: async () => ({
        ...delivery,
        channel: {
          ...channel,
          send(message, signal) {
            if (message.to.endsWith('3')) throw new RangeError('a message that cannot be written down');
            return channel.send(message, signal);
          },
        },
      }),
    });
    expect(await scene.finish(runNo)).toMatchObject({ counters: { accepted: 4, unknown: 1, pending: 0 } });
  } finally {
    await scene.close();
  }
});
