import { parentPort, workerData } from 'node:worker_threads';
import type { KnowledgeFileType } from '@app/domain/chatbot/knowledge/knowledge-rules';
import type { ReadText } from '@app/domain/chatbot/knowledge/text-reader';
import { readDocument } from './read-document.ts';

/** A thread for one file (`readText`). The libraries are loaded here alone. */
const { type, bytes } = workerData as { type: KnowledgeFileType | 'html'; bytes: Uint8Array };

async function read(): Promise<ReadText> {
  switch (type) {
    case 'pdf':
      return readPdf();
    case 'docx':
      return readDocument(bytes);
    case 'html':
      return readPage();
    default:
      return readPlain();
  }
}

async function readPdf(): Promise<ReadText> {
  // A header may follow a kilobyte of anything (ISO 32000, annex H).
  if (!Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-')) return refused('wrong_type');
  const { extractText, getDocumentProxy } = await import('unpdf');
  try {
    const pdf = await getDocumentProxy(bytes);
    const { text } = await extractText(pdf, { mergePages: false });
    return { outcome: 'read', text: text.join('\n\n'), title: null };
  } catch (error) {
    const isEncrypted = error instanceof Error && error.name === 'PasswordException';
    return refused(isEncrypted ? 'encrypted' : 'unreadable');
  }
}

async function readPage(): Promise<ReadText> {
  const { parse } = await import('node-html-parser');
  const page = parse(decode() ?? '', { comment: false });
  const title = page.querySelector('title')?.text ?? null;
  for (const part of page.querySelectorAll(
    'script, style, noscript, template, svg, nav, header, footer, form',
  ))
    part.remove();
  const content =
    page.querySelector('main') ?? page.querySelector('article') ?? page.querySelector('body') ?? page;
  return { outcome: 'read', text: content.structuredText, title };
}

function readPlain(): ReadText {
  const text = decode();
  return text === null ? refused('wrong_type') : { outcome: 'read', text, title: null };
}

/** UTF-8 or UTF-16 by its mark, else the letters of Western Europe; null for what is no text. */
function decode(): string | null {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return new TextDecoder(first === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes);
  if (bytes.subarray(0, 8_192).includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function refused(problem: Extract<ReadText, { outcome: 'refused' }>['problem']): ReadText {
  return { outcome: 'refused', problem };
}

parentPort!.postMessage(await read());
