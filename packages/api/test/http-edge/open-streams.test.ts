import { describe, expect, test } from 'vitest';
import { createOpenStreams, whileOpen } from '../../src/platform/http-edge/open-streams.ts';

const session = (userId: string, workspaceId = 'w') =>
  ({ workspaceId, user: { id: userId } }) as unknown as Parameters<
    ReturnType<typeof createOpenStreams>['open']
  >[0]; // all that is looked at

describe('places of streams', () => {
  test('are counted by user and by workspace, and come back once', () => {
    const { open } = createOpenStreams({ perUser: 2, perWorkspace: 3 });
    const first = open(session('ann'));
    expect(open(session('ann'))).not.toBeNull();
    expect(open(session('ann'))).toBeNull();
    expect(open(session('ben'))).not.toBeNull();
    // The workspace is full; another one is not.
    expect(open(session('cem'))).toBeNull();
    expect(open(session('cem', 'other'))).not.toBeNull();
    first?.();
    first?.();
    expect(open(session('cem'))).not.toBeNull();
    expect(open(session('dan'))).toBeNull();
  });
});

describe('the end of an answer', () => {
  const pieces = (many: number) => {
    let left = many;
    return new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (left === 0) return controller.close();
          left -= 1;
          controller.enqueue(new Uint8Array(8));
        },
      },
      { highWaterMark: 0 },
    );
  };
  const open = async (body: ReadableStream | null, signal = new AbortController().signal) => {
    let ended = 0;
    const response = await whileOpen(
      { signal },
      () => (ended += 1),
      async () => new Response(body),
    );
    return { response, ended: () => ended };
  };

  test('is heard of when all was read', async () => {
    const { response, ended } = await open(pieces(3));
    expect(ended()).toBe(0);
    expect((await response.arrayBuffer()).byteLength).toBe(24);
    expect(ended()).toBe(1);
  });

  test('is heard of when its reader leaves', async () => {
    const { response, ended } = await open(pieces(3));
    await response.body?.cancel();
    expect(ended()).toBe(1);
  });

  test('is heard of when the connection is cut, also of a body that says nothing', async () => {
    const cut = new AbortController();
    const { ended } = await open(new ReadableStream({ pull: () => new Promise(() => {}) }), cut.signal);
    cut.abort();
    await expect.poll(ended).toBe(1);
  });

  test('is heard of at once where there is no body, and where nothing is answered', async () => {
    expect((await open(null)).ended()).toBe(1);
    let ended = 0;
    const failed = whileOpen(
      { signal: new AbortController().signal },
      () => (ended += 1),
      async () => {
        throw new Error('no answer');
      },
    );
    await expect(failed).rejects.toThrow('no answer');
    expect(ended).toBe(1);
  });
});
