import type { Context, MiddlewareHandler, Next } from 'hono';

const MEGABYTE = 1024 * 1024;

/** The most that is read of a body, by path; the first that fits holds. Files of 100 MB are allowed by the platform. */
const limits: readonly (readonly [RegExp, number])[] = [
  [/^\/graph\/(?:\d+\/media|upload(?::|%3a).*)$/i, 105 * MEGABYTE],
  [/^\/graph(?:\/|$)/, 5 * MEGABYTE],
  // files of customers come as base64
  [/^\/_sandbox\/whatsapp\/inbound$/, 140 * MEGABYTE],
  [/^/, MEGABYTE],
];

/** Counts bodies while they are read, with or without a declared length. `refuse` says the answer. */
export function limitBodies(refuse: (c: Context, bytes: number) => Response): MiddlewareHandler {
  return async (c: Context, next: Next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next();
    const limit = limits.find(([path]) => path.test(c.req.path))?.[1] ?? 0;
    const declared = c.req.header('content-length');
    if (declared !== undefined && c.req.header('transfer-encoding') === undefined)
      return Number(declared) > limit ? refuse(c, limit) : next();
    const body = await readAtMost(c.req.raw.body, limit);
    if (body === undefined) return refuse(c, limit);
    // Hono keeps promises there, whatever its types say.
    Object.assign(c.req.bodyCache, { arrayBuffer: Promise.resolve(body) });
    return next();
  };
}

async function readAtMost(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<ArrayBuffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.length;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole.buffer;
}
