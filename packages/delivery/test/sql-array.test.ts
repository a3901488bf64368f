import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeArray } from '../src/sql-array.ts';
import { type DeliveryScene, openDeliveryScene } from './support/delivery-scene.ts';

let scene: DeliveryScene;

beforeAll(async () => {
  scene = await openDeliveryScene();
});

afterAll(() => scene.close());

async function throughDatabase(type: string, items: Parameters<typeof writeArray>[0]): Promise<unknown> {
  const { rows } = await scene.database.systemPool.query<{ items: unknown }>(
    `SELECT $1::${type}[] AS items`,
    [writeArray(items)],
  );
  return rows[0]?.items;
}

test('every text, number and truth comes back from the database as it was', async () => {
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
  const awkward = fc.constantFrom('NULL', '', '{', '}', ',', '"', '\\', '\\"', ' a ', "'", '\n', 'é😀');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(text, awkward, fc.constant(null))), async (items) => {
      expect(await throughDatabase('text', items)).toEqual(items);
    }),
    { numRuns: 100 },
  );
  expect(await throughDatabase('integer', [1, -2, null, 2_147_483_647])).toEqual([
    1,
    -2,
    null,
    2_147_483_647,
  ]);
  expect(await throughDatabase('double precision', [1_795_000_000_000.25, 1e21, null])).toEqual([
    1_795_000_000_000.25,
    1e21,
    null,
  ]);
  expect(await throughDatabase('boolean', [true, false, null])).toEqual([true, false, null]);
});

test('a refusal whose words hold a NUL is stored, and so are the outcomes beside it', async () => {
  await scene.addContacts(3);
  scene.platform.answer = (_, call) =>
    call === 1
      ? {
          outcome: 'refused',
          error: { code: '131026', title: 'Un\0deliverable' },
          action: { kind: 'unreachable' },
        }
      : undefined;
  await scene.engine();
  const runNo = await scene.startRunOf();
  expect((await scene.finish(runNo)).counters).toMatchObject({ accepted: 2, refused: 1, pending: 0 });
});
