import type { Bench } from '../harness/bench-report.ts';
import { openBenchProduct } from '../harness/bench-product.ts';
import { show } from '../harness/rounds.ts';
import { readMegabytes, uploadDocument } from '../harness/uploads.ts';
import { inSmall } from '../../tools/small-run.ts';

const FILES = inSmall(2, 20);
const MEGABYTES = inSmall(1, 100);

/** What twenty large files at once cost the process that takes them, and how long everybody else waits meanwhile. */
export const uploads: Bench = {
  title: 'Files that are uploaded at once',
  async run() {
    const product = await openBenchProduct();
    try {
      const before = readMegabytes(product.serverPid, 'VmHWM');
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
        Array.from({ length: FILES }, () => uploadDocument(product, MEGABYTES)),
      );
      const seconds = (performance.now() - began) / 1_000;
      isOver = true;
      await watch;
      const taken = answers.filter(({ status }) => status === 200).length;
      const growth = readMegabytes(product.serverPid, 'VmHWM') - before;
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
