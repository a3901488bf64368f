import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/new-id.ts';
import { createTestDatabase, type TestDatabase } from '../../src/testing/test-database.ts';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const [place, one, two, ann, annHere] = [newId(), newId(), newId(), newId(), newId()];

async function move(document: unknown, { to = place, named = false } = {}): Promise<unknown> {
  const { rows } = await client.query<{ moved: unknown }>('SELECT moved_json($1, $2, $3, $4) AS moved', [
    ...[to, JSON.stringify({ [ann]: annHere }), JSON.stringify(document), named],
  ]);
  return rows[0]?.moved;
}
async function moveId(id: string): Promise<string> {
  const { rows } = await client.query<{ moved: string }>('SELECT moved_id($1, $2) AS moved', [place, id]);
  return rows[0]!.moved; // it is one row
}

test('each text and each name that is an id and nothing else moves, and people are who they are here', async () => {
  const [first, second] = [await moveId(one), await moveId(two)];
  const said = `"${one}" wrote ${one}, ${ann}`;
  expect(
    await move({ ids: [one, two, one, ann], [one]: { [two]: one }, said, path: `/a/${one}`, ü: 'Größe 🎈' }),
  ).toEqual({
    ...{ ids: [first, second, first, annHere], [first]: { [second]: first } },
    ...{ said, path: `/a/${one}`, ü: 'Größe 🎈' },
  });
  expect(await move(one)).toBe(first);
  expect(await move({ text: 'no id' })).toEqual({ text: 'no id' });
  expect(await move(null)).toBeNull();
});

test('of a document that people wrote the values move whose name says that they are one', async () => {
  const moved = await moveId(one);
  const document = { fileId: one, text: one, [one]: two, parts: [{ authorId: ann }] };
  expect(await move(document, { named: true })).toEqual({
    ...{ fileId: moved, text: one, [one]: two, parts: [{ authorId: annHere }] },
  });
});

test('nothing moves where it goes back to where it was', async () => {
  const { rows } = await client.query('SELECT moved_json(NULL, $1, $2) AS moved', [
    '{}',
    JSON.stringify({ ids: [one] }),
  ]);
  expect(rows).toEqual([{ moved: { ids: [one] } }]);
});

test('thousands of ids move in one pass, each to its own', async () => {
  const { rows } = await client.query<{ same: boolean }>(
    `WITH named AS MATERIALIZED (SELECT array_agg(gen_random_uuid()) AS ids FROM generate_series(1, 5000))
     SELECT moved_json($1, '{}', to_jsonb(ids)) = to_jsonb(ARRAY(
              SELECT moved_id($1, one) FROM unnest(ids) WITH ORDINALITY AS u (one, at) ORDER BY at)) AS same FROM named`,
    [place],
  );
  expect(rows).toEqual([{ same: true }]);
});
