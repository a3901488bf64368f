import { afterAll, expect, test } from 'vitest';
import { DEFAULT_SENDER_ORDER, listChannels, senderOf } from '../src/channels/find-channel.ts';
import { openDatabase } from '../src/database.ts';
import { newId } from '../src/new-id.ts';
import { createTestDatabase } from '../src/testing/test-database.ts';

const database = await createTestDatabase();
const db = await openDatabase({ url: database.url, poolSize: 2 });
afterAll(async () => {
  await db.close();
  await database.drop();
});

type Row = [address: string, kind: string, isConnected: boolean, isDefault: boolean];

test.each<[Row[], sender: string | null, ofNumbers: string | null, ofPigeons: string | null]>([
  [[], null, null, null],
  [[['a', 'numbers', false, false]], 'a', 'a', null],
  [
    [
      ['a', 'numbers', true, false],
      ['b', 'numbers', true, true],
      ['p', 'pigeons', true, true],
    ],
    ...(['b', 'b', 'p'] as const),
  ],
  [
    [
      ['a', 'numbers', true, false],
      ['p', 'pigeons', true, true],
      ['q', 'pigeons', true, false],
    ],
    ...(['a', 'a', 'p'] as const),
  ],
  [
    [
      ['a', 'numbers', false, true],
      ['p', 'pigeons', true, false],
    ],
    ...(['p', 'a', 'p'] as const),
  ],
])('of %j the sender is %j', async (rows, sender, ofNumbers, ofPigeons) => {
  await db.inSystem(async (tx, client) => {
    const workspaceId = newId();
    await client.query(`INSERT INTO workspaces (id, name, slug) VALUES ($1, 'One', $2)`, [
      workspaceId,
      workspaceId,
    ]);
    for (const [at, [address, kind, isConnected, isDefault]] of rows.entries())
      await client.query(
        `INSERT INTO channels (id, workspace_id, kind, address, credentials, is_connected, is_default, messages_per_second, created_at)
         VALUES ($1, $2, $3, $4, '{"version":1,"values":{},"secrets":{}}', $5, $6, 80, $7)`,
        [
          newId(),
          workspaceId,
          kind,
          `${workspaceId}-${address}`,
          isConnected,
          isDefault,
          new Date(1e12 + at),
        ],
      );
    const all = await listChannels(tx, workspaceId);
    const nameOf = (address: string | undefined) => address?.split('-').at(-1) ?? null;
    expect([undefined, 'numbers', 'pigeons'].map((kind) => nameOf(senderOf(all, kind)?.address))).toEqual([
      ...[sender, ofNumbers, ofPigeons],
    ]);
    const { rows: first } = await client.query<{ address: string }>(
      `SELECT address FROM channels WHERE workspace_id = $1 ORDER BY ${DEFAULT_SENDER_ORDER} LIMIT 1`,
      [workspaceId],
    );
    expect(nameOf(first[0]?.address)).toBe(sender);
  });
});
