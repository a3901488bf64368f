import { sealCredentials } from '@app/api/platform/stored-credentials';
import { channels } from '@app/database/channels/channels-tables';
import { openDatabase, type Database } from '@app/database/database';
import { newId } from '@app/database/new-id';
import { createTestDatabase, type TestDatabase } from '@app/database/testing/test-database';
import { workspaces } from '@app/database/workspaces/workspaces-tables';
import { indexChannelKinds } from '@app/domain/channels/channel-kind';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createChannelRegistry, type ChannelRegistry } from '../src/channel-registry.ts';
import { findDeliveryChannel } from '../src/delivery-channel.ts';
import { createDiskMediaStore } from '../src/media/disk-media-store.ts';
import { createSecretBox } from '../src/secret-box.ts';
import { pigeonKind } from './pigeon-post/pigeon-kind.ts';

const secrets = createSecretBox('a key that only these tests know, long enough');
const channelKinds = indexChannelKinds([pigeonKind]);
// Nothing is brought here.
const mediaStore = createDiskMediaStore('/nowhere');
const [workspaceId, other] = [newId(), newId()];
const [first = '', second = ''] = [newId(), newId()].toSorted();
const elsewhere = newId();

let testDatabase: TestDatabase;
let db: Database;
let registry: ChannelRegistry;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = await openDatabase({ url: testDatabase.url, poolSize: 4 });
  const written = { loft: 'loft-1', server: 'http://127.0.0.1:9', ring: 'copper' };
  const { credentials } = await sealCredentials(pigeonKind.credentials, written, secrets);
  const number = (id: string, of = workspaceId) => ({
    ...{ id, workspaceId: of, kind: pigeonKind.name, address: id, credentials },
    ...{ messagesPerSecond: 1, isConnected: true },
  });
  await db.inSystem(async (tx) => {
    await tx.insert(workspaces).values([
      { id: workspaceId, slug: 'acme', name: 'Acme' },
      { id: other, slug: 'other', name: 'Other' },
    ]);
    await tx.insert(channels).values([number(first), number(second), number(elsewhere, other)]);
  });
  registry = createChannelRegistry(db, secrets, channelKinds, String);
});
afterAll(async () => {
  await registry.close();
  await db.close();
  await testDatabase.drop();
});

const limit = (perMinute: number, isEnabled = true) =>
  db.inSystem((tx) =>
    tx.update(workspaces).set({ settings: { messageLimits: { isEnabled, perMinute, perDay: 50 } } }),
  );
const sharesOf = (ids: string[]) =>
  Promise.all(
    ids.map(async (id) => {
      const found = await findDeliveryChannel({ db, channelKinds, mediaStore }, registry, id);
      return found && found.limits?.perMinute;
    }),
  );

test('numbers of one workspace share its limit of the minute, and one that is disconnected has none of it', async () => {
  await limit(9);
  expect(await sharesOf([first, second, elsewhere])).toEqual([5, 4, 9]);
  await limit(1);
  expect(await sharesOf([first, second])).toEqual([0.5, 0.5]);
  await db.inSystem((tx) => tx.update(channels).set({ isConnected: false }).where(eq(channels.id, second)));
  expect(await sharesOf([first, second])).toEqual([1, null]);
  await limit(9, false);
  expect(await sharesOf([first])).toEqual([null]);
});
