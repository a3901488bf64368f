import { openDatabase, type Database } from '@app/database/database';
import { newId } from '@app/database/new-id';
import { createTestDatabase, type TestDatabase } from '@app/database/testing/test-database';
import type { Audience } from '@app/domain/delivery/audience';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countAudience, previewAudience } from './audience-preview.ts';

const workspaceId = newId();
const people = {
  ann: { name: 'Ann', tags: ['vip'] },
  bob: { name: 'Bob', tags: ['vip', 'lead'] },
  cleo: { name: 'Cleo', tags: [] },
  dan: { name: 'Dan', tags: ['lead'], status: 'blocked' },
};
type Person = keyof typeof people;
const ids = Object.fromEntries(Object.keys(people).map((key) => [key, newId()])) as Record<Person, string>;

let testDatabase: TestDatabase;
let db: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = await openDatabase({ url: testDatabase.url, poolSize: 2 });
  await db.systemPool.query(`INSERT INTO workspaces (id, slug, name) VALUES ($1, 'shop', 'Shop')`, [
    workspaceId,
  ]);
  for (const [index, [key, person]] of Object.entries(people).entries()) {
    await db.systemPool.query(
      'INSERT INTO contacts (id, workspace_id, name, phone, tags, status) VALUES ($1, $2, $3, $4, $5, $6)',
      [
        ids[key as Person],
        workspaceId,
        person.name,
        `+4477009002${index}0`,
        person.tags,
        'status' in person ? person.status : 'active',
      ],
    );
  }
});

afterAll(async () => {
  await db.close();
  await testDatabase.drop();
});

describe('an audience', () => {
  it.each<[string, Audience, number]>([
    ['picked people', { contactIds: [ids.ann, ids.cleo] }, 2],
    ['somebody picked twice', { contactIds: [ids.ann, ids.ann] }, 1],
    ['nobody', { contactIds: [] }, 0],
    ['everybody', { filter: {} }, 4],
    ['everybody but one', { filter: {}, excludedIds: [ids.bob] }, 3],
    ['a tag and somebody without it', { anyOf: [{ tags: ['vip'] }], contactIds: [ids.cleo] }, 3],
    ['a tag and somebody who has it', { anyOf: [{ tags: ['vip'] }], contactIds: [ids.ann] }, 2],
    ['a tag or a search', { anyOf: [{ tags: ['lead'] }, { search: 'CLEO' }] }, 3],
    [
      'a tag and one more, without one of the tag',
      { anyOf: [{ tags: ['vip'] }], contactIds: [ids.cleo], excludedIds: [ids.ann] },
      2,
    ],
  ])('of %s counts each once', async (_, audience, size) => {
    const counts = await db.inWorkspace(workspaceId, async (_tx, client) => ({
      size: await countAudience(client, { workspaceId, audience }),
      preview: await previewAudience(client, { workspaceId, audience, category: 'utility', channelId: null }),
    }));
    expect(counts.size).toBe(size);
    expect(counts.preview.chosen).toBe(size);
  });

  it('never reaches into another workspace, whatever its filters say', async () => {
    const count = await db.inSystem((_tx, client) =>
      countAudience(client, { workspaceId: newId(), audience: { anyOf: [{}], contactIds: [ids.ann] } }),
    );
    expect(count).toBe(0);
  });
});
