import { Worker } from 'node:worker_threads';
import { knowledgeLimits } from '@app/domain/chatbot/knowledge/knowledge-rules';
import type { ReadText, TextReader } from '@app/domain/chatbot/knowledge/text-reader';

/** A file of thousands of pages takes a while; one that was made to hang takes for ever. */
const LONGEST_MS = 60_000;
const MOST_MEGABYTES = 384;

/**
 * The text of a file or a page. It is read on a thread of its own, with bounded time and memory: files come from anybody, and requests of others go on
 * meanwhile.
 */
export const readText: TextReader = async (type, bytes) => {
  if (bytes.byteLength === 0) return { outcome: 'refused', problem: 'empty' };
  const worker = new Worker(new URL('./read-worker.ts', import.meta.url), {
    workerData: { type, bytes },
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  const { promise, resolve } = Promise.withResolvers<ReadText>();
  const giveUp = () => resolve({ outcome: 'refused', problem: 'unreadable' });
  const timer = setTimeout(giveUp, LONGEST_MS);
  worker.once('message', resolve);
  worker.once('error', giveUp);
  worker.once('exit', giveUp);
  try {
    return judge(await promise);
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
};

function judge(read: ReadText): ReadText {
  if (read.outcome !== 'read') return read;
  const text = tidy(read.text);
  if (!/[\p{L}\p{N}]/u.test(text)) return { outcome: 'refused', problem: 'no_text' };
  if (text.length > knowledgeLimits.characters) return { outcome: 'refused', problem: 'too_long' };
  return { outcome: 'read', text, title: read.title && tidy(read.title).slice(0, 200) };
}

/** Without characters that no row can hold. */
function tidy(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/\r\n?/g, '\n')
      // oxlint-disable-next-line no-control-regex -- these are the ones to take out
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ' ')
      .replace(/[^\S\n]+/g, ' ')
      .replace(/ ?\n ?/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  );
}
