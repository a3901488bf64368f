import { createHash } from 'node:crypto';

/** The same UUID for the same name: a row with it is stored once, however often it is enqueued. */
export function deriveId(name: string): string {
  const digest = createHash('sha256').update(name).digest('hex');
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
