import { RECORDED_VOICE } from '@app/domain/message-files/recorded-voice';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import sharp from 'sharp';
import { eventually, openHostFixture, type HostFixture } from './host-fixture.ts';

type Shown = { id: string; state: string; error: { code: string } | null; text: string; others: string[] };
type Sent = { type: string; to: string; content: Record<string, unknown> } & Record<string, unknown>;

const FROM = '447700911001';
let host: HostFixture;
let conversationId: string;
let inboundId: string;

beforeAll(async () => {
  host = await openHostFixture();
  await host.sandbox('/_sandbox/whatsapp/inbound', { from: `+${FROM}`, name: 'Ann', text: 'Hello' });
  type Listed = { id: string; contact: { phone: string | null }; lastMessage: { id: string } };
  // The sample has conversations of its own, of which the sandbox knows nothing.
  const items = await eventually(
    async () =>
      (await host.call<{ items: Listed[] }>('GET', '/api/conversations')).body.items.filter(
        ({ contact }) => contact.phone === `+${FROM}`,
      ),
    (found) => found.length > 0,
  );
  conversationId = items[0]!.id;
  inboundId = items[0]!.lastMessage.id;
});
afterAll(() => host.close());

const send = async (message: object) =>
  (await host.call<Shown>('POST', `/api/conversations/${conversationId}/messages`, { message })).body;
const read = async (id: string) =>
  (
    await host.call<{ items: Shown[] }>('GET', `/api/conversations/${conversationId}/messages?limit=200`)
  ).body.items.find((one) => one.id === id)!;
const ended = (id: string) =>
  eventually(
    () => read(id),
    ({ state }) => !['queued', 'sending'].includes(state),
  );
const atPlatform = async () =>
  (await host.sandbox<{ messages: Sent[] }>(`/_sandbox/whatsapp/messages?recipient=%2B${FROM}&limit=500`))
    .messages;

async function upload(bytes: Uint8Array<ArrayBuffer>, name: string, more = '', fileId = crypto.randomUUID()) {
  const query = `conversationId=${conversationId}&name=${encodeURIComponent(name)}${more}`;
  const response = await fetch(`${host.url}/api/conversations/files/${fileId}?${query}`, {
    method: 'POST',
    body: bytes,
    headers: { cookie: host.cookie, 'content-type': 'application/octet-stream' },
  });
  const body = (await response.json()) as {
    id: string;
    kind: string;
    mimeType: string;
    hasThumbnail: boolean;
    error?: { code: string; details: { values: { n: number } } };
  };
  return { status: response.status, body, fileId };
}
const picture = async (width = 40) =>
  new Uint8Array(
    await sharp({ create: { width, height: 30, channels: 3, background: '#3366cc' } })
      .png()
      .toBuffer(),
  );
const voice = () => Uint8Array.from(RECORDED_VOICE.match(/../g)!, (byte) => parseInt(byte, 16));

describe('replies reach the platform', () => {
  it('of every kind', async () => {
    const sent = [
      await send({ text: 'Hi', replyTo: inboundId }),
      await send({ location: { latitude: 51.5, longitude: -0.12, name: 'Shop', address: '1 High St' } }),
      await send({ contacts: [{ formattedName: 'Ann Lee', phones: [{ phone: '+14155550100' }] }] }),
      await send({ interactive: { body: 'Keep Friday?', buttons: [{ title: 'Keep' }, { title: 'Move' }] } }),
      await send({
        interactive: {
          body: 'Choose',
          list: {
            button: 'Open',
            sections: [
              { title: 'Fast', rows: [{ title: 'Today', description: 'before 8' }] },
              { title: 'Slow', rows: [{ title: 'Later' }] },
            ],
          },
        },
      }),
    ];
    for (const { id } of sent) expect((await ended(id)).error).toBeNull();
    await send({ reaction: { messageId: inboundId, emoji: '👍' } });
    const types = await eventually(
      async () => (await atPlatform()).map(({ type }) => type),
      (all) => all.length === 6,
    );
    expect(types.toSorted()).toEqual([
      'contacts',
      'interactive',
      'interactive',
      'location',
      'reaction',
      'text',
    ]);
  });

  longTest('with a picture, a document and a voice note, each in its turn', async () => {
    const files = [
      await upload(await picture(), 'shop.png'),
      await upload(new TextEncoder().encode('%PDF-1.7\n%%EOF\n'), 'invoice.pdf'),
      await upload(voice(), 'recording.webm'),
    ];
    expect(files.map(({ body: { kind, mimeType, hasThumbnail } }) => [kind, mimeType, hasThumbnail])).toEqual(
      [
        ['image', 'image/png', true],
        ['document', 'application/pdf', false],
        ['audio', 'audio/ogg', false],
      ],
    );
    const before = (await atPlatform()).length;
    const first = await send({
      files: files.map(({ fileId }, place) => ({
        fileId,
        ...(place === 0 && { caption: 'Our shop' }),
        ...(place === 2 && { asVoice: true }),
      })),
    });
    for (const id of [first.id, ...first.others]) expect((await ended(id)).error).toBeNull();
    const sent = (await atPlatform()).slice(before);
    expect(sent.map(({ type }) => type).toSorted()).toEqual(['audio', 'document', 'image']);
    const { rows } = await host.database.query(
      'SELECT name, voice, platform_id IS NOT NULL AS is_there FROM message_files WHERE message_id = ANY ($1) ORDER BY name',
      [[first.id, ...first.others]],
    );
    expect(rows).toEqual([
      { name: 'invoice.pdf', voice: false, is_there: true },
      { name: 'recording.webm.ogg', voice: true, is_there: true },
      { name: 'shop.png', voice: false, is_there: true },
    ]);
  });

  it('and a file goes with one message alone, however often it is uploaded', async () => {
    const { fileId } = await upload(await picture(50), 'once.png');
    expect((await upload(await picture(50), 'once.png', '', fileId)).status).toBe(200);
    expect((await ended((await send({ files: [{ fileId }] })).id)).error).toBeNull();
    expect(await send({ files: [{ fileId }] })).toMatchObject({ error: { code: 'message_file_used' } });
    expect((await upload(await picture(50), 'once.png', '', fileId)).body.error?.code).toBe(
      'message_file_used',
    );
  });

  longTest('though the platform is away for a while: nothing overtakes a file that waits', async () => {
    const { fileId } = await upload(await picture(60), 'late.png');
    await host.sandbox('/_sandbox/whatsapp/errors', { kind: 'cut', endpoint: 'media', count: 2 });
    const [file, text] = [await send({ files: [{ fileId }] }), await send({ text: 'And this' })];
    await eventually(
      async () =>
        (await host.database.query('SELECT error_code FROM messages WHERE id = $1', [file.id])).rows[0],
      ({ error_code: code }) => code !== null,
    );
    expect([(await read(file.id)).state, (await read(text.id)).state]).toEqual(['queued', 'queued']);
    expect((await ended(file.id)).error).toBeNull();
    expect((await ended(text.id)).error).toBeNull();
    const { rows } = await host.database.query(
      'SELECT id FROM messages WHERE id = ANY ($1) ORDER BY accepted_at',
      [[file.id, text.id]],
    );
    expect(rows.map(({ id }) => id)).toEqual([file.id, text.id]);
  });

  it('and what the platform refused is tried again with its file', async () => {
    const { fileId } = await upload(await picture(70), 'again.png');
    await host.sandbox('/_sandbox/whatsapp/errors', { code: 131053 });
    const first = await send({ files: [{ fileId }] });
    expect((await ended(first.id)).error?.code).toBe('131053');
    const { body: again } = await host.call<Shown>(
      'POST',
      `/api/conversations/${conversationId}/messages/${first.id}/another-try`,
      {},
    );
    expect((await ended(again.id)).error).toBeNull();
    const { rows } = await host.database.query(
      'SELECT DISTINCT content FROM message_files WHERE message_id = ANY ($1)',
      [[first.id, again.id]],
    );
    expect(rows).toHaveLength(1);
  });
});

describe('a file is refused', () => {
  it.each<[string, () => Uint8Array<ArrayBuffer>, string, string]>([
    ['a program', () => new Uint8Array([0x4d, 0x5a, 0, 0]), 'a.png', 'message_file_unsupported'],
    ['nothing', () => new Uint8Array(0), 'a.png', 'message_file_unsupported'],
    [
      'a picture of more than 5 MB',
      () =>
        Uint8Array.from(
          { length: 5 * 1024 * 1024 + 1 },
          (_, at) => [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10][at] ?? 1,
        ),
      'a.png',
      'message_file_too_large',
    ],
  ])('%s', async (_, bytes, name, code) => {
    expect((await upload(bytes(), name)).body.error?.code).toBe(code);
  });

  it('of a conversation that is not there', async () => {
    const path = `/api/conversations/files/${crypto.randomUUID()}?conversationId=${crypto.randomUUID()}&name=a`;
    const response = await fetch(`${host.url}${path}`, {
      method: 'POST',
      body: 'x',
      headers: { cookie: host.cookie },
    });
    expect(response.status).toBe(404);
  });
});
