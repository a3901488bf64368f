import { deflateSync } from 'node:zlib';
import type { Page, Route } from '@playwright/test';
import { callSandbox, expect, keepPicture, test, WHOLE, type Role } from './journey.ts';
import type { Wish } from './windows.ts';

type Conversation = { id: string; contact: { name: string } };
type Product = Parameters<typeof callSandbox>[0];
type OpenAs = (role: Role, wish?: Partial<Wish>) => Promise<Page>;

// What a lost line costs.
test.use({ allowedConsole: [/ERR_BLOCKED_BY_CLIENT|ERR_FAILED|ERR_ABORTED/] });

async function findConversation(page: Page, name: string): Promise<Conversation | undefined> {
  const answer = await page.request.get('/api/conversations');
  const { items } = (await answer.json()) as { items: Conversation[] };
  return items.find((one) => one.contact.name === name);
}

/** Somebody wrote, and their conversation is open. */
async function openChat(
  { product, openAs }: { product: Product; openAs: OpenAs },
  { from, name }: { from: string; name: string },
) {
  const page = await openAs('agent');
  await callSandbox(product, '/_sandbox/whatsapp/inbound', { from, name, text: 'Hello?' });
  await expect.poll(async () => (await findConversation(page, name))?.contact.name).toBe(name);
  const path = `/dashboard/inbox/${(await findConversation(page, name))!.id}`;
  await page.goto(path);
  const fieldOf = (tab: Page) =>
    tab
      .getByRole('textbox', { name: `Message to ${name}` })
      .or(tab.getByRole('combobox', { name: `Message to ${name}` }));
  await expect(fieldOf(page)).toBeVisible();
  await canAnswer(page);
  return { page, path, fieldOf };
}

/** What the channel takes is known by then. */
const canAnswer = (page: Page) => expect(page.getByText(/left to write/)).toBeVisible();

type Body = { document?: { filename: string }; text?: { body: string } };
const bodiesOf = async (product: Product, from: string) => {
  const { messages } = await callSandbox<{ messages: { body: Body | undefined }[] }>(
    product,
    `/_sandbox/whatsapp/messages?recipient=%2B${from}`,
  );
  return messages.map(({ body }) => body);
};
const documentsOf = async (product: Product, from: string) =>
  (await bodiesOf(product, from)).flatMap((body) => body?.document?.filename ?? []).toSorted();
const textsOf = async (product: Product, from: string) =>
  (await bodiesOf(product, from)).flatMap((body) => body?.text?.body ?? []);

const choose = (page: Page, name: string) =>
  page
    .locator('input[type=file][multiple]')
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(`of ${name}`.repeat(50_000)) });

type Moment = [name: string, address: string, meet: (route: Route) => Promise<void>];

test(
  'a file leaves once when the page goes while it is on its way, and when its sending was not heard of',
  WHOLE,
  async ({ openAs, product }) => {
    const customer = { from: '14155550181', name: 'Fay Lost' };
    await expectToLeaveOnce({ openAs, product }, customer, ['there.txt', 'unheard.txt']);
  },
);

test(
  'a file leaves once, at whatever moment of its way the page goes',
  WHOLE,
  async ({ openAs, product }) => {
    test.slow();
    await expectToLeaveOnce({ openAs, product }, { from: '14155550184', name: 'Kai Lost' });
  },
);

/** All moments, or those of these files. */
async function expectToLeaveOnce(
  { openAs, product }: { openAs: OpenAs; product: Product },
  customer: { from: string; name: string },
  files?: string[],
): Promise<void> {
  const FROM = customer.from;
  const { page, path, fieldOf } = await openChat({ product, openAs }, customer);
  const context = page.context();
  const [file, send] = ['**/api/conversations/files/*?*', '**/api/rpc/conversations/send'];
  /** It is never answered. */
  const hold = () => Promise.resolve();
  const loseAnswer = async (route: Route) => {
    await route.fetch();
    await route.abort('failed');
  };
  const moments: Moment[] = [
    ['before.txt', file, (route) => route.abort('blockedbyclient')],
    ['half.txt', file, hold],
    // It is there, and nobody heard so.
    ['there.txt', file, loseAnswer],
    ['unsent.txt', send, hold],
    ['unheard.txt', send, loseAnswer],
  ];
  const names: string[] = [];
  for (const [name, address, meet] of moments.filter(([one]) => files?.includes(one) ?? true)) {
    const met = Promise.withResolvers<void>();
    await context.route(address, (route) => void meet(route).then(met.resolve, () => undefined));
    await choose(page, name);
    await expect(page.getByRole('list', { name: 'Files that leave with this message' })).toContainText(name);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await met.promise;
    // It stands in the chat once it is safe on this device.
    // Once, also when its event came and its answer did not.
    await expect(page.getByRole('log').getByText(name)).toBeVisible();
    await page.goto('about:blank');
    await context.unroute(address);
    await page.goto(path);
    await expect(fieldOf(page)).toHaveValue('');
    await canAnswer(page);
    names.push(name);
    await expect.poll(() => documentsOf(product, FROM)).toEqual(names.toSorted());
    await expect(page.getByRole('list', { name: 'Files that leave with this message' })).toHaveCount(0);
  }
  // What is written last leaves behind all others.
  await fieldOf(page).fill('That is all of them');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(() => textsOf(product, FROM)).toContain('That is all of them');
  expect(await documentsOf(product, FROM)).toEqual(names.toSorted());
}

test(
  'files of a draft are there on another device, and gone everywhere when it was sent',
  WHOLE,
  async ({ openAs, product }) => {
    const FROM = '14155550182';
    const {
      page: desk,
      path,
      fieldOf,
    } = await openChat({ product, openAs }, { from: FROM, name: 'Gil Two' });
    const filesOf = (tab: Page) => tab.getByRole('list', { name: 'Files that leave with this message' });
    await fieldOf(desk).fill('Both of these');
    await choose(desk, 'one.txt');
    await choose(desk, 'two.txt');
    await expect(filesOf(desk).getByRole('listitem')).toHaveCount(2);
    await expect
      .poll(async () => {
        const id = path.split('/').at(-1);
        const answer = await desk.request.get(`/api/conversations/${id}/drafts`);
        return ((await answer.json()) as { reply: { files: unknown[] } | null }).reply?.files.length;
      })
      .toBe(2);
    const phone = await openAs('agent', { width: 360, theme: 'dark' });
    await phone.goto(path);
    await canAnswer(phone);
    await expect(filesOf(phone)).toContainText('one.txt');
    await expect(filesOf(phone)).toContainText('two.txt');
    await expect(fieldOf(phone)).toHaveValue('Both of these');
    await keepPicture(phone, 'draft-files-phone');
    await phone.getByRole('button', { name: 'Remove one.txt' }).click();
    await choose(phone, 'three.txt');
    await expect(filesOf(phone)).toContainText('three.txt');
    await phone.getByRole('button', { name: 'Send', exact: true }).click();
    await expect.poll(() => documentsOf(product, FROM)).toEqual(['three.txt', 'two.txt']);
    await desk.evaluate(() => dispatchEvent(new Event('focus')));
    await expect(filesOf(desk)).toHaveCount(0);
    await expect(fieldOf(desk)).toHaveValue('');
  },
);

/** A picture of one colour of that many pixels in few bytes. */
function pixelBomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head[8] = 1; // a bit for each pixel
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 });
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    ...[chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))],
  ]);
}

function crc(bytes: Buffer): number {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

test(
  'a picture of more pixels than any camera has is unpacked by nobody, and a film shows its first picture',
  WHOLE,
  async ({ openAs, product }) => {
    test.slow();
    const FROM = '14155550183';
    const { page, path } = await openChat({ product, openAs }, { from: FROM, name: 'Bo Pixel' });
    const bomb = pixelBomb(20_000, 20_000);
    expect(bomb.length).toBeLessThan(200_000);
    const said = (mimeType: string, data: Buffer) =>
      callSandbox(product, '/_sandbox/whatsapp/inbound', {
        ...{ from: FROM, name: 'Bo Pixel' },
        media: { mimeType, data: data.toString('base64') },
      });
    await said('image/png', bomb);
    const chat = page.getByRole('region', { name: 'Open chat' });
    await expect(chat.getByText('Files of this type are not stored')).toBeVisible();
    const id = path.split('/').at(-1);
    const answer = await page.request.post(
      `/api/conversations/files/${crypto.randomUUID()}?conversationId=${id}&name=bomb.png`,
      { data: bomb, headers: { 'content-type': 'application/octet-stream' } },
    );
    expect([answer.status(), await answer.json()]).toMatchObject([
      422,
      { error: { code: 'message_file_unsupported' } },
    ]);

    // The browser makes a video, sends it, and its first picture with it.
    const film = await page.evaluate(async () => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [320, 180];
      const paint = canvas.getContext('2d')!;
      const type = ['video/mp4;codecs=avc1.42001f', 'video/mp4;codecs=vp9', 'video/mp4'].find((one) =>
        MediaRecorder.isTypeSupported(one),
      );
      if (!type) return null;
      const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: type });
      const pieces: Blob[] = [];
      recorder.ondataavailable = ({ data }) => pieces.push(data);
      const ended = new Promise((resolve) => (recorder.onstop = resolve));
      recorder.start();
      for (let frame = 0; frame < 30; frame += 1) {
        paint.fillStyle = frame < 2 ? '#0a0' : `hsl(${frame * 12} 80% 45%)`;
        paint.fillRect(0, 0, 320, 180);
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
      recorder.stop();
      await ended;
      return [...new Uint8Array(await new Blob(pieces).arrayBuffer())];
    });
    if (!film) return;
    const bytes = Buffer.from(film);
    await page
      .locator('input[type=file][multiple]')
      .setInputFiles({ name: 'walk.mp4', mimeType: 'video/mp4', buffer: bytes });
    await expect(page.getByRole('list', { name: 'Files that leave with this message' })).toContainText(
      'walk.mp4',
    );
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const own = chat.locator('img[src*="/thumbnail"]');
    await expect(own).toBeVisible();
    // Other bytes, or it would share the picture that is there already.
    await said('video/mp4', Buffer.concat([bytes, Buffer.from('\0\0\0\x08free', 'latin1')]));
    const theirs = chat.locator('video');
    await expect(theirs).toBeVisible();
    await expect.poll(() => theirs.evaluate((video) => (video as HTMLVideoElement).videoWidth)).toBe(320);
    await keepPicture(page, 'films');
  },
);
