import { connect, type Socket } from 'node:net';
import type { Bench, BenchRow } from '../harness/bench-report.ts';
import { openBenchProduct, type BenchProduct } from '../harness/bench-product.ts';
import { show } from '../harness/rounds.ts';
import { readMegabytes, uploadDocument } from '../harness/uploads.ts';
import { inSmall } from '../../tools/small-run.ts';

const READERS = inSmall(3, 100);
const FILE_MB = inSmall(2, 16);
const SEARCHES = inSmall(10, 400);
const UPLOADS = inSmall(2, 20);
const UPLOAD_MB = inSmall(1, 100);
/** Long enough that what a paused reader is sent lies in buffers. */
const SETTLE_MS = inSmall(100, 5_000);

/** What many readers who do not read, and many searches beside large uploads, cost the server. */
export const crowd: Bench = {
  title: 'Many readers, searches and uploads at once',
  async run() {
    const product = await openBenchProduct();
    try {
      return [...(await pausedReaders(product)), ...(await searchesAndUploads(product))];
    } finally {
      await product.close();
    }
  },
};

async function pausedReaders(product: BenchProduct): Promise<BenchRow[]> {
  const { fileId, status } = await uploadDocument(product, FILE_MB);
  if (status !== 200) throw new Error(`The file was not taken: ${status}`);
  const idle = readMegabytes(product.serverPid, 'VmRSS');
  const sockets = await Promise.all(Array.from({ length: READERS }, () => readAndPause(product, fileId)));
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const growth = readMegabytes(product.serverPid, 'VmRSS') - idle;
  const served = sockets.filter(({ answer }) => answer === 200).length;
  for (const { socket } of sockets) socket.destroy();
  return [
    {
      figure: `memory above idle, ${READERS} paused readers of a ${FILE_MB} MB file`,
      measured: `${show(growth)} MB (from ${show(idle)}), ${served} served, ${READERS - served} refused`,
      peer: '',
      goal: '≤ 100 MB',
      isMet: growth <= 100,
    },
  ];
}

/** Reads the head of the answer and nothing after it. */
function readAndPause(product: BenchProduct, fileId: string): Promise<{ socket: Socket; answer: number }> {
  const { hostname, port } = new URL(product.url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () =>
      socket.write(
        `GET /api/conversations/files/${fileId}?download=1 HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${product.cookie}\r\n\r\n`,
      ),
    );
    socket.once('data', (head) => {
      socket.pause();
      resolve({ socket, answer: Number(/^HTTP\/1\.1 (\d+)/.exec(head.toString('latin1'))?.[1]) });
    });
    socket.once('error', reject);
  });
}

async function searchesAndUploads(product: BenchProduct): Promise<BenchRow[]> {
  const before = readMegabytes(product.serverPid, 'VmHWM');
  const times: number[] = [];
  const [found, taken] = await Promise.all([
    Promise.all(
      Array.from({ length: SEARCHES }, async (_, n) => {
        const began = performance.now();
        const answer = await product.get(`/api/contacts?search=a${n % 50}`);
        await answer.arrayBuffer();
        times.push(performance.now() - began);
        return answer.status;
      }),
    ),
    Promise.all(Array.from({ length: UPLOADS }, () => uploadDocument(product, UPLOAD_MB))),
  ]);
  const growth = readMegabytes(product.serverPid, 'VmHWM') - before;
  const refused = found.filter((status) => status !== 200);
  const lost = taken.map((one) => one.status).filter((status) => status !== 200);
  const slowest = Math.max(...times);
  return [
    {
      figure: `${SEARCHES} searches and ${UPLOADS} uploads of ${UPLOAD_MB} MB at once: refused`,
      measured: `${refused.length} searches (${[...new Set(refused)].join(', ') || 'none'}), ${lost.length} uploads (${[...new Set(lost)].join(', ') || 'none'}); slowest search ${show(slowest)} ms`,
      peer: '',
      goal: 'none',
      isMet: refused.length + lost.length === 0,
    },
    {
      figure: 'growth of memory meanwhile',
      measured: `${show(growth)} MB (from ${show(before)})`,
      peer: '',
      goal: '≤ 300 MB',
      isMet: growth <= 300,
    },
  ];
}
