import { useEffect } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { useAttachments, type Attachments } from '../../src/features/composer/files/use-attachments.ts';
import { show } from '../screen.tsx';

type Capabilities = NonNullable<Parameters<typeof useAttachments>[0]>;
const capabilities = {
  media: { document: { mimeTypes: ['text/plain'], maxBytes: 1_000, longestCaption: 100 } },
} as unknown as Capabilities; // as far as a file is judged by it

let now: Attachments;
function Box({ onDraw }: { onDraw(attachments: Attachments): void }) {
  const attachments = useAttachments(capabilities);
  useEffect(() => {
    onDraw(attachments);
  });
  return <p>{attachments.files.map(({ file }) => file.name).join(' ')}</p>;
}
async function open() {
  const drawn = vi.fn<(attachments: Attachments) => void>((attachments) => {
    now = attachments;
  });
  show(<Box onDraw={drawn} />);
  await vi.waitFor(() => expect(drawn).toHaveBeenCalled());
}
const names = () => document.querySelector('p')!.textContent;
const file = (name: string) => new File(['a'], name, { type: 'text/plain' });

beforeEach(() => {
  URL.createObjectURL = () => 'blob:one';
  URL.revokeObjectURL = () => undefined;
});

test('who presses twice takes files once', async () => {
  await open();
  now.add([file('a.txt')]);
  await vi.waitFor(() => expect(names()).toBe('a.txt'));
  const asShown = now;
  expect(asShown.take().map((one) => one.file.name)).toEqual(['a.txt']);
  expect(asShown.take()).toEqual([]);
  await vi.waitFor(() => expect(names()).toBe(''));
});

test('what was fetched meanwhile stands behind what is there by then, and brings back nothing that was sent', async () => {
  await open();
  now.add([file('a.txt')]);
  await vi.waitFor(() => expect(names()).toBe('a.txt'));
  const before = now;
  const taken = now.take();
  before.add([file('b.txt')]);
  await vi.waitFor(() => expect(names()).toBe('b.txt'));
  now.putBack(taken);
  await vi.waitFor(() => expect(names()).toBe('a.txt b.txt'));
});
