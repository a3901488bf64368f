import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Bench } from '../harness/bench-report.ts';
import { openBenchProduct } from '../harness/bench-product.ts';
import { show } from '../harness/rounds.ts';

const FILES = 20;
const MEGABYTES = 100;
const PIECE = Buffer.alloc(1024 * 1024, ' ');

/** What twenty large files at once cost the process that takes them, and how long everybody else waits meanwhile. */
export const uploads: Bench = {
  title: 'Files that are uploaded at once',
  async run() {
    const product = await openBenchProduct();
    try {
      const { items } = (await (await product.get('/api/conversations')).json()) as {
        items: { id: string }[];
      };
      const conversationId = items[0]?.id ?? '';
      const before = peakMegabytes(product.serverPid);
      let longest = 0;
      let isOver = false;
      const watch = (async () => {
        while (!isOver) {
          const began = performance.now();
          await (await fetch(`${product.url}/healthz`)).text();
          longest = Math.max(longest, performance.now() - began);
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      })();
      const began = performance.now();
      const answers = await Promise.all(
        Array.from({ length: FILES }, () =>
          fetch(
            `${product.url}/api/conversations/files/${randomUUID()}?conversationId=${conversationId}&name=a.pdf`,
            {
              ...{ method: 'POST', body: document(), duplex: 'half' },
              headers: {
                cookie: product.cookie,
                'content-type': 'application/octet-stream',
                'content-length': String(MEGABYTES * PIECE.length),
              },
            } as RequestInit,
          ).then(({ status }) => status),
        ),
      );
      const seconds = (performance.now() - began) / 1_000;
      isOver = true;
      await watch;
      const taken = answers.filter((status) => status === 200).length;
      const growth = peakMegabytes(product.serverPid) - before;
      console.log(`  ${taken} of ${FILES} × ${MEGABYTES} MB taken in ${show(seconds)} s`);
      return [
        {
          figure: `growth of memory, ${FILES} × ${MEGABYTES} MB at once`,
          measured: `${show(growth)} MB (from ${show(before)}), ${taken} of ${FILES} taken`,
          peer: '',
          goal: '≤ 150 MB, all taken',
          isMet: growth <= 150 && taken === FILES,
        },
        {
          figure: 'longest answer of /healthz meanwhile',
          measured: `${show(longest)} ms`,
          peer: '',
          goal: '≤ 500 ms',
          isMet: longest <= 500,
        },
      ];
    } finally {
      await product.close();
    }
  },
};

function document(): ReadableStream<Uint8Array> {
  let left = MEGABYTES;
  const first = Buffer.from(PIECE);
  first.write('%PDF-1.7\n');
  return new ReadableStream({
    pull(controller) {
      if (left === 0) return controller.close();
      controller.enqueue(left === MEGABYTES ? first : PIECE);
      left -= 1;
    },
  });
}

/** The most that the process ever held. */
function peakMegabytes(pid: number): number {
  const [, kilobytes = '0'] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
