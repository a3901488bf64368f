import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startReceiver, startSandbox, type Receiver, type StartedSandbox } from './started-sandbox.ts';

let receiver: Receiver;
let started: StartedSandbox;
beforeAll(async () => {
  receiver = await startReceiver();
  started = await startSandbox({ whatsappCallbackUrl: receiver.url });
});
afterAll(async () => {
  await started.close();
  await receiver.close();
});

const token = { authorization: 'Bearer sandbox-access-token' };
const content = 'entry.0.changes.0.value.messages.0';

async function receive(media: object) {
  const position = receiver.received.length;
  expect((await started.control('POST', 'whatsapp/inbound', { from: '447700900201', media })).status).toBe(
    200,
  );
  await receiver.waitFor(() => receiver.received.length > position);
  const at = receiver.received[position]?.at ?? (() => undefined);
  const type = String(at(`${content}.type`));
  return { type, part: (key: string) => at(`${content}.${type}.${key}`) };
}

test.each([
  ['photo', 'image', 'image/jpeg'],
  ['video', 'video', 'video/mp4'],
  ['voice', 'audio', 'audio/ogg; codecs=opus'],
  ['audio', 'audio', 'audio/mp4'],
  ['document', 'document', 'application/pdf'],
  ['sticker', 'sticker', 'image/webp'],
])('sends a %s whose bytes can be fetched with the token', async (sample, type, mimeType) => {
  const message = await receive({ sample });
  expect([message.type, message.part('mime_type')]).toEqual([type, mimeType]);
  expect(message.part('voice')).toBe(type === 'audio' ? sample === 'voice' : undefined);
  const info = await started.graph('GET', String(message.part('id')));
  for (const address of [info.at('url'), message.part('url')].map(String)) {
    expect((await fetch(address)).status).toBe(401);
    const bytes = Buffer.from(await (await fetch(address, { headers: token })).arrayBuffer());
    expect(bytes.length).toBe(info.at('file_size'));
    expect(createHash('sha256').update(bytes).digest('base64')).toBe(message.part('sha256'));
  }
});

test('an address ends when told, and a fresh one works; a file that is gone has none', async () => {
  const message = await receive({ sample: 'photo', caption: 'Look' });
  const id = String(message.part('id'));
  const address = String((await started.graph('GET', id)).at('url'));
  const statusOf = async (url: string) => (await fetch(url, { headers: token })).status;
  expect(await statusOf(address)).toBe(200);
  await started.control('POST', `whatsapp/media/${id}/expire`, { what: 'address' });
  await new Promise((resolve) => setTimeout(resolve, 2));
  const fresh = String((await started.graph('GET', id)).at('url'));
  expect([await statusOf(address), await statusOf(fresh)]).toEqual([404, 200]);
  await started.control('POST', `whatsapp/media/${id}/expire`);
  expect(await statusOf(fresh)).toBe(404);
  expect((await started.graph('GET', id)).body).toMatchObject({ error: { code: 100, error_subcode: 33 } });
  expect((await started.control('POST', `whatsapp/media/${id}/expire`, { what: 'all' })).status).toBe(400);
  expect((await started.control('POST', 'whatsapp/media/1/expire')).status).toBe(404);
});

test('refuses a sample that it does not have', async () => {
  const refused = await started.control('POST', 'whatsapp/inbound', {
    from: '447700900201',
    media: { sample: 'song' },
  });
  expect(refused.status).toBe(400);
});
