import { openFields, sealCredentials } from '@app/api/platform/stored-credentials';
import { channels } from '@app/database/channels/channels-tables';
import { openDatabase } from '@app/database/database';
import { newId } from '@app/database/new-id';
import { createTestDatabase } from '@app/database/testing/test-database';
import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { sandboxChannel } from '../src/sample/sandbox-channel.ts';
import { seedSample } from '../src/sample/seed-sample.ts';
import { createSecretBox } from '../src/secret-box.ts';

const database = await createTestDatabase();
const db = await openDatabase({ url: database.url, poolSize: 2 });
afterAll(async () => {
  await db.close();
  await database.drop();
});
const secrets = createSecretBox('a key of this test that is long enough');
const { kind, credentialsAt } = sandboxChannel;
const start = (sandboxUrl: string) => seedSample(db, { secrets, sandboxUrl, now: new Date() });
const opened = async () => {
  const rows = await db.inSystem((tx) => tx.select().from(channels).orderBy(channels.createdAt, channels.id));
  return Promise.all(rows.map(({ credentials }) => openFields(kind.credentials, credentials, secrets)));
};

test('each start points the numbers at its sandbox, and leaves what people set as it is', async () => {
  const workspaceId = await start('http://127.0.0.1:1');
  const written = { ...credentialsAt('http://127.0.0.1:1'), verifyToken: 'chosen by people' };
  const own = await sealCredentials(kind.credentials, written, secrets);
  await db.inSystem((tx) => tx.update(channels).set(own));
  const second = await sealCredentials(kind.credentials, { ...written, phoneNumberId: '2' }, secrets);
  await db.inSystem((tx) =>
    tx.insert(channels).values({
      ...{ id: newId(), workspaceId, kind: kind.name, ...second },
      ...{ isConnected: true, messagesPerSecond: 80 },
    }),
  );

  await start('http://127.0.0.1:2');
  const baseUrl = 'http://127.0.0.1:2/graph/v26.0';
  expect(await opened()).toEqual([
    { ...written, baseUrl },
    { ...written, baseUrl, phoneNumberId: '2' },
  ]);

  // As after a restore without secrets.
  const lost = await sealCredentials(kind.credentials, { ...written, accessToken: 'lost' }, secrets);
  await db.inSystem((tx) =>
    tx
      .update(channels)
      .set({ ...lost, isConnected: false })
      .where(eq(channels.address, lost.address)),
  );
  await start('http://127.0.0.1:2');
  expect((await opened())[0]).toEqual(credentialsAt('http://127.0.0.1:2'));
});
