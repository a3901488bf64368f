import type { OutboxContent, OutboxFile } from '../../shared/outbox/outbox-items.ts';
import type { Attachment } from './files/use-attachments.ts';

export type Written = {
  text: string;
  files: readonly Pick<
    Attachment,
    'id' | 'file' | 'name' | 'kind' | 'caption' | 'longestCaption' | 'isUploaded'
  >[];
  /** Below the text, to be pressed in place of an answer. */
  buttons: readonly string[];
  replyTo: string | null;
  sendAt?: Date | undefined;
};

/** What leaves for what was written: the text is the caption of a file that stands alone and takes one, and a message of its own otherwise. */
export function composeMessages({ text: typed, files, buttons, replyTo, sendAt }: Written): OutboxContent[] {
  const text = typed.trim();
  const timed = sendAt ? { sendAt: sendAt.toISOString() } : {};
  const [only] = files;
  const isCaption =
    only !== undefined && files.length === 1 && buttons.length === 0 && text.length <= only.longestCaption;
  const messages: OutboxContent[] = [];
  if (text !== '' && !isCaption)
    messages.push(
      buttons.length > 0
        ? { interactive: { body: text, buttons: buttons.map((title) => ({ title })) }, ...timed }
        : { text, ...timed },
    );
  if (files.length > 0)
    messages.push({
      files: files.map((one) => toOutbox(one, isCaption ? text : one.caption.trim())),
      ...timed,
    });
  const [first, ...others] = messages;
  return first && replyTo ? [{ ...first, replyTo }, ...others] : messages;
}

function toOutbox(
  { id: fileId, file, name, kind, longestCaption, isUploaded }: Written['files'][number],
  caption: string,
): OutboxFile {
  return {
    ...(file ? { file, fileId, isUploaded } : { file: { fileId } }),
    ...{ name, kind },
    ...(caption !== '' && longestCaption > 0 && { caption }),
  };
}
