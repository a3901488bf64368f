import { createSandbox } from '@app/sandbox/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ContentValue } from '@app/domain/channel-kinds/content-type';
import { sandboxChannel } from '../src/sample/sandbox-channel.ts';

const sandbox = createSandbox({ behaviour: { latencyMs: 0 } });
const { kind, credentialsAt } = sandboxChannel;
let url: string;

beforeAll(async () => {
  ({ url } = await sandbox.start({ port: 0 }));
  // A customer who wrote: a carousel may be sent for 24 hours.
  await fetch(`${url}/_sandbox/whatsapp/inbound`, {
    method: 'POST',
    body: JSON.stringify({ from: '+447700900201', text: 'What is on offer?' }),
  });
});
afterAll(() => sandbox.close());

const card = (n: number) => ({
  header: { type: 'image', link: `https://cdn.example/${n}.png` },
  body: `Deal ${n}`,
  button: { label: 'Shop', url: `https://shop.example/${n}` },
});

async function send(contentType: string, value: ContentValue) {
  const channel = kind.open(credentialsAt(url), { connections: 2 });
  try {
    const content = { type: 'kind_content', kind: kind.name, contentType, value } as const;
    return await channel.send({ to: '+447700900201', tag: 'a-tag', content });
  } finally {
    await channel.close();
  }
}

test('a carousel that its content type takes is taken by the platform too', async () => {
  const [carousel] = kind.capabilities.contents;
  const read = carousel!.read({ body: 'Offers', cards: [card(1), card(2), card(3)] }); // the kind has one
  if ('faults' in read) throw new Error(JSON.stringify(read.faults));
  expect(await send('carousel', read.value)).toMatchObject({ outcome: 'accepted' });
  const { messages } = (await (await fetch(`${url}/_sandbox/whatsapp/messages`)).json()) as {
    messages: object[];
  };
  expect(messages.at(-1)).toMatchObject({ type: 'interactive', biz_opaque_callback_data: 'a-tag' });
});

test('what its content type refuses the platform refuses, and a form that the kind has not is never sent', async () => {
  expect(await send('carousel', { body: 'Offers', cards: [card(1)] })).toMatchObject({ outcome: 'refused' });
  expect(await send('bells', {})).toEqual({ outcome: 'not_sent', reason: 'invalid_message' });
});
