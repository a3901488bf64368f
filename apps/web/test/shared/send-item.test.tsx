import { afterEach, expect, test, vi } from 'vitest';
import { sendItem } from '../../src/shared/outbox/send-item.ts';
import type { OutboxItem } from '../../src/shared/outbox/outbox-items.ts';

afterEach(() => vi.unstubAllGlobals());

/** An upload that is refused because another tab sent the file with its message. */
class RefusedUpload {
  upload = {};
  status = 409;
  responseText = JSON.stringify({ error: { code: 'message_file_used', message: '' } });
  onload = () => undefined;
  onloadend = () => undefined;
  open() {}
  setRequestHeader() {}
  send() {
    this.onload();
    this.onloadend();
  }
}

test('a file that another tab has sent is answered with its message', async () => {
  vi.stubGlobal('XMLHttpRequest', RefusedUpload);
  const asked = vi.fn<(request: Request) => Promise<Response>>(() =>
    Promise.resolve(Response.json({ json: { id: 'the one message' } })),
  );
  vi.stubGlobal('fetch', asked);
  const item: OutboxItem = {
    ...{ id: 'key-number-1', owner: 'acme:ann', conversationId: 'one', state: 'pending', at: 1 },
    ...{ fileId: 'file-number-1', isUploaded: false },
    content: { file: { file: new Blob(['a']), name: 'a.txt' } },
  };
  expect(await sendItem(item, () => Promise.resolve())).toBe('the one message');
  expect(asked).toHaveBeenCalledOnce();
});
