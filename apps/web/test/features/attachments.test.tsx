import type { DraftFile } from '@app/domain/drafts/draft';
import { useEffect, useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { useAttachments, type Attachments } from '../../src/features/composer/files/use-attachments.ts';
import { eventually, show } from '../screen.tsx';

type Capabilities = NonNullable<Parameters<typeof useAttachments>[1]>;
const capabilities = {
  media: { document: { mimeTypes: ['text/plain'], maxBytes: 1_000, longestCaption: 100 } },
} as unknown as Capabilities; // as far as a file is judged by it

let known: Capabilities | undefined;
let now: Attachments;
let files: readonly DraftFile[];
function Box({ onDraw }: { onDraw(attachments: Attachments): void }) {
  const [, draw] = useState(0);
  const attachments = useAttachments('c1', known, {
    files,
    change(part) {
      files = part.files ?? files;
      draw((times) => times + 1);
    },
    writing: () => ({ writingId: 'w1', text: '', replyTo: null, buttons: [], files }),
  });
  useEffect(() => {
    onDraw(attachments);
  });
  return <p>{attachments.files.map(({ name }) => name).join(' ')}</p>;
}
async function open() {
  const drawn = vi.fn<(attachments: Attachments) => void>((attachments) => {
    now = attachments;
  });
  show(<Box onDraw={drawn} />);
  await eventually(() => expect(drawn).toHaveBeenCalled());
}
const names = () => document.querySelector('p')!.textContent;
const file = (name: string) => new File(['a'], name, { type: 'text/plain' });

/** The uploads that are on their way; each ends when the test says so. */
let uploads: { path: string; end(status: number): void }[];

class Upload {
  status = 0;
  responseText = '';
  upload = {};
  onload = () => {};
  onerror = () => {};
  onabort = () => {};
  onloadend = () => {};
  #path = '';
  open(_: string, path: string) {
    this.#path = path;
  }
  setRequestHeader() {}
  abort() {
    this.onabort();
    this.onloadend();
  }
  send() {
    const end = (status: number) => {
      this.status = status;
      this.onload();
      this.onloadend();
    };
    uploads.push({ path: this.#path, end });
  }
}

beforeEach(() => {
  [files, uploads, known] = [[], [], capabilities];
  vi.stubGlobal('XMLHttpRequest', Upload);
  URL.createObjectURL = () => 'blob:one';
  URL.revokeObjectURL = () => undefined;
});

test('who presses twice takes files once', async () => {
  await open();
  now.add([file('a.txt')]);
  await eventually(() => expect(names()).toBe('a.txt'));
  const asShown = now;
  expect(asShown.take().map((one) => one.name)).toEqual(['a.txt']);
  expect(asShown.take()).toEqual([]);
  await eventually(() => expect(names()).toBe(''));
});

test('what was fetched meanwhile stands behind what is there by then, and brings back nothing that was sent', async () => {
  await open();
  now.add([file('a.txt')]);
  await eventually(() => expect(names()).toBe('a.txt'));
  const before = now;
  const taken = now.take();
  before.add([file('b.txt')]);
  await eventually(() => expect(names()).toBe('b.txt'));
  now.putBack(taken);
  await eventually(() => expect(names()).toBe('a.txt b.txt'));
});

test('what was dropped before it is known what the channel takes is taken or refused as soon as it is', async () => {
  known = undefined;
  await open();
  now.add([file('a.txt')]);
  now.add([new File(['a'], 'b.bin', { type: 'application/x-program' })]);
  expect(now.files).toEqual([]);
  known = capabilities;
  now.caption('nobody', '');
  await eventually(() => expect(names()).toBe('a.txt'));
  await eventually(() => expect(uploads).toHaveLength(1));
});

test('each is uploaded when it was chosen, and the draft names it as soon as it is there', async () => {
  await open();
  now.add([file('a.txt'), file('b.txt')]);
  await eventually(() => expect(uploads).toHaveLength(1));
  expect(files).toEqual([]);
  uploads[0]!.end(200);
  await eventually(() => expect(files.map(({ name }) => name)).toEqual(['a.txt']));
  expect(uploads[0]!.path).toContain(`/api/conversations/files/${files[0]!.fileId}?conversationId=c1`);
  await eventually(() => expect(uploads).toHaveLength(2));
  await eventually(() => expect(names()).toBe('a.txt b.txt'));
  const taken = now.take();
  expect(taken.map(({ id, isUploaded }) => [id, isUploaded])).toEqual([
    [expect.any(String), true],
    [expect.any(String), false],
  ]);
  expect(files).toEqual([]);
  // Too late: it left by the outbox.
  uploads[1]!.end(200);
  await eventually(() => expect(names()).toBe(''));
  expect(files).toEqual([]);
});

test('one that does not get there holds up none behind it, and is brought by the outbox', async () => {
  await open();
  now.add([file('a.txt'), file('b.txt')]);
  await eventually(() => expect(uploads).toHaveLength(1));
  uploads[0]!.end(422);
  await eventually(() => expect(uploads).toHaveLength(2));
  uploads[1]!.end(200);
  await eventually(() => expect(files.map(({ name }) => name)).toEqual(['b.txt']));
  dispatchEvent(new Event('online'));
  await eventually(() => expect(uploads).toHaveLength(3));
  expect(now.take().map(({ name, isUploaded }) => [name, isUploaded])).toEqual([
    ['b.txt', true],
    ['a.txt', false],
  ]);
});

test('what another device chose is there with its name, and can be taken away', async () => {
  files = [{ fileId: 'f1', name: 'far.txt', kind: 'document', size: 7, caption: 'Look' }];
  await open();
  await eventually(() => expect(names()).toBe('far.txt'));
  now.caption('f1', 'See');
  await eventually(() => expect(files[0]).toMatchObject({ fileId: 'f1', caption: 'See' }));
  expect(now.files[0]).toMatchObject({ id: 'f1', file: null, isUploaded: true, longestCaption: 100 });
  now.remove('f1');
  await eventually(() => expect([names(), files]).toEqual(['', []]));
});

test('what the server refuses stays for the outbox, which says why', async () => {
  await open();
  now.add([file('a.txt')]);
  await eventually(() => expect(uploads).toHaveLength(1));
  uploads[0]!.end(422);
  await eventually(() => expect(names()).toBe('a.txt'));
  expect(files).toEqual([]);
  expect(now.take()).toMatchObject([{ name: 'a.txt', isUploaded: false }]);
});
