import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { BenchProduct } from './bench-product.ts';

const PIECE = Buffer.alloc(1024 * 1024, ' ');

/** Uploads a document of `megabytes` to the first conversation, as the composer does; the answer is its id and the HTTP status. */
export async function uploadDocument(
  product: BenchProduct,
  megabytes: number,
): Promise<{ fileId: string; status: number }> {
  const { items } = (await (await product.get('/api/conversations')).json()) as { items: { id: string }[] };
  const fileId = randomUUID();
  const answer = await fetch(
    `${product.url}/api/conversations/files/${fileId}?conversationId=${items[0]?.id ?? ''}&name=a.pdf`,
    {
      ...{ method: 'POST', body: document(megabytes), duplex: 'half' },
      headers: {
        cookie: product.cookie,
        'content-type': 'application/octet-stream',
        'content-length': String(megabytes * PIECE.length),
      },
    } as RequestInit,
  );
  await answer.arrayBuffer();
  return { fileId, status: answer.status };
}

/** Memory of a process in megabytes: what it holds now (`VmRSS`), or the most that it ever held (`VmHWM`). */
export function readMegabytes(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const [, kilobytes = '0'] =
    new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

function document(megabytes: number): ReadableStream<Uint8Array> {
  let left = megabytes;
  const first = Buffer.from(PIECE);
  first.write('%PDF-1.7\n');
  return new ReadableStream({
    pull(controller) {
      if (left === 0) return controller.close();
      controller.enqueue(left === megabytes ? first : PIECE);
      left -= 1;
    },
  });
}
