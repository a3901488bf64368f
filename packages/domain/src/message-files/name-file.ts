import type { MediaKind } from '../messaging/message-content.ts';

const LONGEST = 150;

/** The ending of a file that came without one, or of which the bytes are something else than its name says. */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'video/mp4': ['mp4', 'm4v'],
  'video/3gpp': ['3gp'],
  'audio/ogg': ['ogg', 'opus', 'oga'],
  'audio/mpeg': ['mp3'],
  'audio/mp4': ['m4a'],
  'audio/aac': ['aac'],
  'audio/amr': ['amr'],
  'application/pdf': ['pdf'],
};

/** Signs that turn the direction of what follows make `exe` look like the beginning of a name. */
const UNSEEN = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

type Named = { name: string | null; kind: MediaKind; mimeType: string; at: Date };

/** Under which name a file is downloaded: its own, without what no disk takes or what deceives; else by what it is and its day. */
export function nameFile({ name, kind, mimeType, at }: Named): string {
  const plain = (name ?? '')
    .replace(UNSEEN, '')
    .replace(/[/\\:*?"<>|]+/g, '_')
    .trim();
  const base = plain.replace(/^\.+/, '') || `${kind}-${at.toISOString().slice(0, 10)}`;
  const ending = /\.([A-Za-z0-9]{1,8})$/.exec(base)?.[1]?.toLowerCase();
  const fitting = ENDINGS[mimeType];
  const cut = [...base].slice(-LONGEST).join('').toWellFormed();
  if (!fitting || (ending !== undefined && fitting.includes(ending))) return cut;
  return `${cut}.${fitting[0]}`;
}
