import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Store } from './store.ts';

/** Files that a phone has at hand: all made for this, each some kilobytes. */
export const sampleFiles: Record<string, { file: string; mimeType: string }> = {
  photo: { file: 'photo.jpg', mimeType: 'image/jpeg' },
  video: { file: 'video.mp4', mimeType: 'video/mp4' },
  voice: { file: 'voice.ogg', mimeType: 'audio/ogg; codecs=opus' },
  audio: { file: 'audio.m4a', mimeType: 'audio/mp4' },
  document: { file: 'document.pdf', mimeType: 'application/pdf' },
  sticker: { file: 'sticker.webp', mimeType: 'image/webp' },
};

/** Files of the sample business, which its product fetches from here. They are always there. */
export function seedMedia(store: Store, numberId: string): void {
  for (const [index, name] of ['photo', 'voice', 'document'].entries()) {
    const { file, mimeType } = sampleFiles[name]!; // one of the table
    const bytes = readSample(file);
    store.addMedia({
      id: String(900_000_000_000_001 + index),
      ...{ numberId, mimeType, filename: file, bytes },
      sha256: createHash('sha256').update(bytes).digest(),
      createdAt: Date.now(),
      goneAt: Number.POSITIVE_INFINITY,
    });
  }
}

const read = new Map<string, Buffer>();

/** The bytes of one of them. */
export function readSample(file: string): Buffer {
  let bytes = read.get(file);
  if (!bytes) {
    bytes = readFileSync(new URL(`../samples/${file}`, import.meta.url));
    read.set(file, bytes);
  }
  return bytes;
}
