import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestSecretBox, openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { arriveWith, said } from '../arriving-events.ts';
import { createMemoryMediaStore } from '../memory-media-store.ts';
import { tidyFiles } from '../../src/message-files/tidy-files.ts';

// Who was erased is not taken up again: later tests have people of their own.
const ANN = '+14155552671';
const BOB = '+14155552672';
const ANN_2 = '+14155552676';
const BOB_2 = '+14155552677';
const mediaStore = createMemoryMediaStore();
/** What the platform has, by id; each of the same bytes is one file here. */
const platform = new Map<string, string>();
let api: ApiFixture;
let admin: ApiCaller;
let arrive: ReturnType<typeof arriveWith>;

beforeAll(async () => {
  const secrets = await createTestSecretBox();
  api = await openApiFixture({
    ...{ secrets, mediaStore },
    messageSender: {
      open: async () => ({
        send: async () => ({ outcome: 'not_sent', reason: 'connect_refused' }),
        media: {
          upload: async () => ({ outcome: 'unreachable' }),
          async download(id) {
            const bytes = Buffer.from(platform.get(id) ?? '');
            const content = (async function* () {
              yield bytes;
            })();
            const about = { mimeType: 'application/pdf', size: bytes.length, sha256: null };
            return { outcome: 'done', value: { ...about, content, cancel: async () => undefined } };
          },
        },
      }),
    },
  });
  admin = await api.as('admin');
  arrive = arriveWith(api, { secrets, channelId: await api.addChannel() });
});
afterAll(() => api.close());
beforeEach(async () => {
  for (const table of ['message_files', 'messages', 'contacts', 'deleted_contacts'])
    await query(`DELETE FROM ${table}`);
  await tidyFiles(api.parts);
});

// oxlint-disable-next-line typescript/no-explicit-any -- rows of whatever a test asks for
const query = async (text: string, values: unknown[] = []): Promise<any[]> =>
  (await api.db.systemPool.query(text, values)).rows;

async function send(phone: string, words: string): Promise<{ file: string; contact: string }> {
  const mediaId = crypto.randomUUID();
  platform.set(mediaId, words);
  await arrive(
    said(
      { phone, name: 'Ann' },
      {
        ...{
          type: 'media',
          kind: 'document',
          mediaId,
          mimeType: 'application/pdf',
          sha256: null,
          caption: null,
        },
        ...{ filename: 'a.pdf', voice: false, animated: false, url: null },
      },
    ),
  );
  const find = () =>
    query(
      `SELECT id AS file, contact_id AS contact FROM message_files WHERE platform_id = $1 AND state = 'stored'`,
      [mediaId],
    );
  await expect.poll(find, { message: 'files that were fetched' }).toHaveLength(1);
  return (await find())[0];
}
const look = async (file: string) => (await admin.get(`/api/conversations/files/${file}`)).status;
const kept = () => [...mediaStore.files.values()].map((bytes) => Buffer.from(bytes).toString());

test('files go with a deleted contact, and come back with them', async () => {
  const { file, contact } = await send(ANN, 'one');
  expect(await look(file)).toBe(200);
  expect((await admin.delete(`/api/contacts/${contact}`)).status).toBe(200);
  expect(await look(file)).toBe(404);
  await tidyFiles(api.parts);
  expect((await admin.post(`/api/contacts/${contact}/restore`)).status).toBe(200);
  expect(await look(file)).toBe(200);
  await tidyFiles(api.parts);
  expect(await look(file)).toBe(200);
});

test('of somebody who is erased no byte is left, but what somebody else has sent as well', async () => {
  const [own, shared] = [await send(ANN, 'of Ann alone'), await send(ANN, 'of both')];
  const bob = await send(BOB, 'of both');
  expect(kept().toSorted()).toEqual(expect.arrayContaining(['of Ann alone', 'of both']));
  expect((await admin.post(`/api/contacts/${own.contact}/erase`)).status).toBe(200);
  expect([await look(own.file), await look(shared.file)]).toEqual([404, 404]);
  await tidyFiles(api.parts);
  expect(kept()).toEqual(['of both']);
  expect(await look(bob.file)).toBe(200);
  expect((await admin.post(`/api/contacts/${bob.contact}/erase`)).status).toBe(200);
  await tidyFiles(api.parts);
  expect(kept()).toEqual([]);
});

test('bytes whose last file goes while others are taken away go the next time', async () => {
  const [ann, bob, gone] = [
    await send(ANN_2, 'of both'),
    await send(BOB_2, 'of both'),
    await send(BOB_2, 'gone'),
  ];
  await query('DELETE FROM message_files WHERE id = ANY ($1::uuid[])', [[ann.file, gone.file]]);
  const remove = mediaStore.remove.bind(mediaStore);
  mediaStore.remove = async (key) => {
    await query('DELETE FROM message_files WHERE id = $1', [bob.file]);
    await remove(key);
  };
  await tidyFiles(api.parts);
  mediaStore.remove = remove;
  await tidyFiles(api.parts);
  expect(kept()).toEqual([]);
});

test('files follow their messages through a merge and back', async () => {
  const [ann, bob] = [await send('+14155552673', 'a'), await send('+14155552674', 'b')];
  const version = async (id: string) =>
    (await (await admin.get(`/api/contacts/${id}`)).json<{ version: number }>()).version;
  const mergeId = crypto.randomUUID();
  const contacts = await Promise.all(
    [ann, bob].map(async ({ contact }) => ({ contactId: contact, version: await version(contact) })),
  );
  const merged = await admin.post('/api/contacts/merges', { mergeId, survivorId: ann.contact, contacts });
  expect(merged.status).toBe(200);
  const ownerOf = async (file: string) =>
    (await query('SELECT contact_id AS id FROM message_files WHERE id = $1', [file]))[0]?.id;
  expect([await ownerOf(ann.file), await ownerOf(bob.file)]).toEqual([ann.contact, ann.contact]);
  expect((await admin.post(`/api/contacts/merges/${mergeId}/undo`)).status).toBe(200);
  expect([await ownerOf(ann.file), await ownerOf(bob.file)]).toEqual([ann.contact, bob.contact]);
});

test('nobody else sees a file, and a viewer does not have it fetched', async () => {
  const { file } = await send('+14155552675', 'one');
  expect((await (await api.asOther()).get(`/api/conversations/files/${file}`)).status).toBe(404);
  expect((await api.stranger.get(`/api/conversations/files/${file}`)).status).toBe(401);
  const viewer = await api.as('viewer');
  expect((await viewer.get(`/api/conversations/files/${file}`)).status).toBe(200);
  expect((await viewer.post(`/api/conversations/files/${file}/fetch`, {})).status).toBe(403);
});
