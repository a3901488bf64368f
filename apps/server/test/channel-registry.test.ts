import { sealCredentials } from '@app/api/platform/stored-credentials';
import { channels } from '@app/database/channels/channels-tables';
import { openDatabase, type Database } from '@app/database/database';
import { newId } from '@app/database/new-id';
import { createTestDatabase, type TestDatabase } from '@app/database/testing/test-database';
import { workspaces } from '@app/database/workspaces/workspaces-tables';
import { indexChannelKinds, type ChannelKind } from '@app/domain/channels/channel-kind';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createChannelRegistry, type ChannelRegistry } from '../src/channel-registry.ts';
import { createSecretBox } from '../src/secret-box.ts';
import { pigeonKind } from './pigeon-post/pigeon-kind.ts';

const secrets = createSecretBox('a key that only these tests know, long enough');
const workspaceId = newId();
const opened: string[] = [];
const closed: string[] = [];
const sent: unknown[] = [];
/** Notes with which ring a loft is opened and closed. */
const watched: ChannelKind = {
  ...pigeonKind,
  open(credentials, options) {
    const { ring = '' } = credentials;
    opened.push(ring);
    return {
      ...pigeonKind.open(credentials, options),
      async send({ content }) {
        sent.push(content);
        return { outcome: 'accepted', providerMessageId: '1' };
      },
      close: async () => void closed.push(ring),
    };
  },
};

let testDatabase: TestDatabase;
let db: Database;
let registry: ChannelRegistry;
let channelId: string;

const sealed = (ring: string) =>
  sealCredentials(watched.credentials, { loft: 'loft-1', server: 'http://127.0.0.1:9', ring }, secrets);

async function change(ring: string): Promise<void> {
  const { credentials } = await sealed(ring);
  await db.inSystem((tx) => tx.update(channels).set({ credentials }));
}

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = await openDatabase({ url: testDatabase.url, poolSize: 4 });
  await db.inSystem((tx) => tx.insert(workspaces).values({ id: workspaceId, slug: 'acme', name: 'Acme' }));
});
afterAll(async () => {
  await db.close();
  await testDatabase.drop();
});
beforeEach(async () => {
  [opened, closed].forEach((list) => list.splice(0));
  channelId = newId();
  const row = { id: channelId, workspaceId, kind: watched.name, messagesPerSecond: 1 };
  const values = { ...row, ...(await sealed('copper')) };
  await db.inSystem(async (tx) => {
    await tx.delete(channels);
    await tx.insert(channels).values(values);
  });
  registry = createChannelRegistry(db, secrets, indexChannelKinds([watched]), ({ id }) => id);
});

test('a channel has one client, whoever asks for it at the same time', async () => {
  const all = await Promise.all([1, 2, 3].map(() => registry.open(channelId)));
  expect(new Set(all).size).toBe(1);
  expect(opened).toEqual(['copper']);
  await registry.close();
  expect(closed).toEqual(['copper']);
});

test('changed credentials open a new client, and the old one ends, also where nobody told of the change', async () => {
  const first = await registry.open(channelId);
  await change('silver');
  expect(await registry.open(channelId)).not.toBe(first);
  await registry.close();
  expect([opened, closed.toSorted()]).toEqual([
    ['copper', 'silver'],
    ['copper', 'silver'],
  ]);
});

test('a file of the library leaves as its public address', async () => {
  const channel = await registry.open(channelId);
  const media = { type: 'media', kind: 'image', caption: 'Our shop' } as const;
  await channel.send({
    ...{ to: '+14155552671', tag: 'm1.c.1' },
    content: { ...media, media: { libraryId: 'map' } },
  });
  expect(sent).toEqual([{ ...media, media: { link: 'map' } }]);
});

test('a channel that cannot be opened is tried again, and one that is gone is named', async () => {
  const elsewhere = createSecretBox('another key that only these tests know, too');
  const { credentials } = await sealCredentials(
    watched.credentials,
    { loft: 'loft-1', server: 'http://127.0.0.1:9', ring: 'lost' },
    elsewhere,
  );
  await db.inSystem((tx) => tx.update(channels).set({ credentials }));
  await expect(registry.open(channelId)).rejects.toThrow('SECRET_KEY');
  await change('gold');
  await registry.open(channelId);
  await db.inSystem((tx) => tx.delete(channels));
  await expect(registry.open(channelId)).rejects.toThrow(channelId);
  expect(opened).toEqual(['gold']);
});
