import { api, isDoneBefore, readFailure } from '../api.ts';
import type { OutboxItem } from './outbox-items.ts';
import { uploadMessageFile } from './upload-message-file.ts';

type Report = (change: Partial<OutboxItem>) => Promise<void>;
type Message = Parameters<typeof api.conversations.send>[0]['message'];

/** All tabs wait for it; whoever asks again under the key hears the answer. */
const LONGEST_CALL_MS = 60_000;

/** Brings one message, and its file before it, to the server. However often: the file has its id, and the message its key. */
export async function sendItem(item: OutboxItem, report: Report): Promise<string> {
  const { id, conversationId, content, writingId } = item;
  if ('file' in content && content.file.file instanceof Blob && !item.isUploaded) {
    await report({ state: 'uploading', progress: 0 });
    await uploadMessageFile(
      { fileId: item.fileId ?? id, conversationId, file: content.file.file, ...describe(content.file) },
      (progress) => void report({ progress }),
    ).catch((error: unknown) => {
      // Its message left from another tab: whoever asks under the key hears of it.
      if (readFailure(error).code !== 'message_file_used') throw error;
    });
    await report({ isUploaded: true });
  }
  await report({ state: 'sending' });
  try {
    const sent = await api.conversations.send(
      { conversationId, message: messageOf(item), clientId: id, ...(writingId && { writingId }) },
      { context: { idempotencyKey: id }, signal: AbortSignal.timeout(LONGEST_CALL_MS) },
    );
    return sent.id;
  } catch (error) {
    const { code, values } = readFailure(error);
    // It was sent days ago, and only the answer is kept no longer.
    if (isDoneBefore(code) && typeof values.made === 'string') return values.made;
    // What was uploaded and lay too long is brought once more.
    if (code === 'message_file_not_found' && isHere(item) && item.isUploaded)
      return sendItem({ ...item, isUploaded: false }, report);
    throw error;
  }
}

function isHere({ content }: OutboxItem): boolean {
  return 'file' in content && content.file.file instanceof Blob;
}

function messageOf({ content, fileId = '' }: OutboxItem): Message {
  if (!('file' in content)) return content;
  const { file, replyTo, sendAt } = content;
  const { caption, asVoice } = file;
  return {
    files: [{ fileId, ...(caption && { caption }), ...(asVoice && { asVoice }) }],
    ...(replyTo && { replyTo }),
    ...(sendAt && { sendAt }),
  };
}

function describe({ name, kind }: { name: string; kind?: string }) {
  return { name, ...(kind && { kind }) };
}
