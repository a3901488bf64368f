import type { Channel } from '../writing-state.ts';

export type FileKind = 'image' | 'video' | 'audio' | 'document' | 'sticker';
/** Why a file cannot be sent; `n` is the limit in megabytes. */
export type FileProblem = { reason: 'too_large'; n: number } | { reason: 'unsupported' | 'empty' };
export type ValidatedFile = { kind: FileKind; longestCaption: number } | FileProblem;

const MEGABYTE = 1_048_576;
const kinds: readonly FileKind[] = ['image', 'video', 'audio', 'document', 'sticker'];
/** Browsers say nothing of some files, and call some by another name. */
const typeOfEnding: Record<string, string> = {
  ...{ jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', mp4: 'video/mp4', '3gp': 'video/3gpp' },
  ...{
    mp3: 'audio/mpeg',
    m4a: 'audio/mp4',
    ogg: 'audio/ogg',
    opus: 'audio/ogg',
    amr: 'audio/amr',
    aac: 'audio/aac',
  },
  ...{ pdf: 'application/pdf', txt: 'text/plain', doc: 'application/msword', webp: 'image/webp' },
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};
const sameType: Record<string, string> = {
  'audio/x-m4a': 'audio/mp4',
  'audio/mp3': 'audio/mpeg',
  'audio/opus': 'audio/ogg',
};

/** What a file is sent as, or why the channel does not take it: said before anything is uploaded. The server looks at the bytes. */
export function validateFile(
  { name, type, size }: Pick<File, 'name' | 'type' | 'size'>,
  { media }: Pick<Channel['capabilities'], 'media'>,
): ValidatedFile {
  if (size === 0) return { reason: 'empty' };
  const [plain = ''] = type.split(';');
  const ending = name.split('.').at(-1)?.toLowerCase() ?? '';
  const mimeType = sameType[plain] ?? (plain === '' ? (typeOfEnding[ending] ?? '') : plain);
  const kind = kinds.find((one) => media[one]?.mimeTypes.includes(mimeType));
  const rule = kind && media[kind];
  if (!kind || !rule) return { reason: 'unsupported' };
  if (size > rule.maxBytes)
    return { reason: 'too_large', n: Math.round((rule.maxBytes / MEGABYTE) * 10) / 10 };
  return { kind, longestCaption: rule.longestCaption };
}

/** What a file dialog offers: every type that the channel takes. */
export function acceptedTypes({ media }: Pick<Channel['capabilities'], 'media'>): string {
  return [...new Set(Object.values(media).flatMap(({ mimeTypes }) => mimeTypes))].join(',');
}
