import { findFileToSend, noteAtPlatform } from '@app/database/message-files/sent-files';
import type { MessageContent } from '@app/domain/messaging/message-content';
import type { DeliveryClock, FileUploads } from '../delivery-host.ts';
import type { SqlClient } from '../sql-client.ts';
import { inTransaction } from '../transaction.ts';
import type { OwnMessage } from './claim-message.ts';
import type pg from 'pg';

/** The platform keeps it for thirty; what leaves on the last day may come too late. */
const KEPT_DAYS = 29;
/** While the platform takes the file, the message stays its sender's. */
const RENEW_EVERY_MS = 3_000;
const LEASE_SECONDS = 10;

export type Brought =
  | { outcome: 'there'; content: MessageContent }
  /** Nothing of the message has left. */
  | {
      outcome: 'not_there';
      code: 'file_gone' | 'file_refused' | 'platform_unreachable';
      detail: string | null;
    };

/** Whether a file of ours has to be at the platform before the message leaves. */
export function holdsFile({ content }: Pick<OwnMessage, 'content'>): boolean {
  return content.type === 'media' && 'fileId' in content.media;
}

type Parts = { pool: pg.Pool; clock: DeliveryClock; owner: string; uploads: FileUploads | undefined };

/**
 * Sees to it that the platform has the file of a claimed message, and answers with the content that names it. An upload that nobody heard the end of is
 * made again: a file that no message shows harms nobody.
 */
export async function bringFile(parts: Parts, message: OwnMessage): Promise<Brought> {
  const { content } = message;
  if (content.type !== 'media' || !('fileId' in content.media)) return { outcome: 'there', content };
  const { fileId } = content.media;
  const file = await findFileToSend(parts.pool, fileId);
  if (!file || !parts.uploads) return { outcome: 'not_there', code: 'file_gone', detail: null };
  if (file.platformId !== null)
    return { outcome: 'there', content: { ...content, media: { id: file.platformId } } };
  const stop = keepClaim(parts, message.id);
  const answer = await parts.uploads
    .upload({
      storageKey: file.content,
      mimeType: file.mimeType,
      name: file.name ?? file.kind,
      size: file.size,
    })
    .catch(() => ({ outcome: 'unreachable' }) as const)
    .finally(stop);
  switch (answer.outcome) {
    case 'done':
      await noteAtPlatform(parts.pool, { fileId, platformId: answer.value, days: KEPT_DAYS });
      return { outcome: 'there', content: { ...content, media: { id: answer.value } } };
    case 'refused':
      return { outcome: 'not_there', code: 'file_refused', detail: answer.reason };
    case 'gone':
      return { outcome: 'not_there', code: 'file_gone', detail: null };
    case 'unreachable':
      return { outcome: 'not_there', code: 'platform_unreachable', detail: null };
  }
}

function keepClaim({ pool, clock, owner }: Parts, id: string): () => void {
  let isOver = false;
  let cancel = (): void => undefined;
  const renew = () => {
    if (isOver) return;
    void renewClaim(pool, id, owner).catch(() => undefined);
    cancel = clock.after(RENEW_EVERY_MS, renew);
  };
  renew();
  return () => {
    isOver = true;
    cancel();
  };
}

async function renewClaim(client: SqlClient, id: string, owner: string): Promise<void> {
  await client.query(
    `UPDATE messages SET lease_until = greatest(lease_until, clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}))
      WHERE id = $1 AND owner = $2 AND state = 'queued'`,
    [id, owner],
  );
}

/** Gives a claimed message back, to be tried later; it keeps its place in the day. */
export async function putBack(
  pool: pg.Pool,
  { id, owner, afterMs, code }: { id: string; owner: string; afterMs: number; code: string },
): Promise<void> {
  await inTransaction(pool, (client) =>
    client.query(
      `UPDATE messages SET owner = NULL, lease_until = NULL, error_code = $4,
              not_before = clock_timestamp() + make_interval(secs => $3::double precision / 1000)
        WHERE id = $1 AND owner = $2 AND state = 'queued'`,
      [id, owner, afterMs, code],
    ),
  );
}
