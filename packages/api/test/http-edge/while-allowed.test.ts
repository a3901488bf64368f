import { expect, test } from 'vitest';
import { whileAllowed } from '../../src/platform/http-edge/while-allowed.ts';

/** Ten pieces, of which each takes a second. */
function slowDownload() {
  let now = 0;
  let isRead = 0;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        now += 1_000;
        isRead += 1;
        if (isRead > 10) controller.close();
        else controller.enqueue(new Uint8Array([isRead]));
      },
      cancel: () => void (isCancelled = true),
    },
    { highWaterMark: 0 },
  );
  const response = new Response(body, { headers: { 'content-disposition': 'attachment' } });
  return { response, now: () => now, state: () => ({ isRead, isCancelled }) };
}

test('a download reaches its end while its caller may have it, and keeps its headers', async () => {
  const { response, now } = slowDownload();
  const checked = whileAllowed(response, async () => true, now);
  expect(checked.headers.get('content-disposition')).toBe('attachment');
  expect(new Uint8Array(await checked.arrayBuffer())).toHaveLength(10);
});

test('a download is cut within seconds once its caller may not have it any more', async () => {
  const { response, now, state } = slowDownload();
  const cut = whileAllowed(response, async () => now() < 4_000, now);
  await expect(cut.arrayBuffer()).rejects.toThrow('no longer allowed to download');
  expect(state()).toMatchObject({ isCancelled: true });
  expect(state().isRead).toBeLessThan(8);
});

test('a database that is away for a moment cuts nobody off', async () => {
  const { response, now } = slowDownload();
  const checked = whileAllowed(response, () => Promise.reject(new Error('away')), now);
  expect(new Uint8Array(await checked.arrayBuffer())).toHaveLength(10);
});
