import type { PlatformDownload } from '@app/domain/channels/open-channel';
import { afterFailure, STOPPED_PAUSE_MS, type FetchFailure } from '@app/domain/message-files/file-retries';
import type { MediaDraft } from '../platform/media-store.ts';
import type { ApiDependencies, RequestScopes } from '../platform/request-context.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { digest, inspectFile, type InspectedFile } from './inspect-file.ts';
import {
  beginFetch,
  holdSameBytes,
  settleFetch,
  type Settled,
  type StoredFile,
} from './message-files-queries.ts';

type Parts = Pick<ApiDependencies, 'channelKinds' | 'clock' | 'logger' | 'mediaStore' | 'messageSender'> &
  Pick<RequestScopes, 'change'>;
type Limits = { signal: AbortSignal; largest: number };

/** Whoever looks for what a dead process left begins again after that. */
export const LEASE_MS = 15 * 60_000;
/** Beyond what was allowed, so that the one who reads sees that it was too much. */
const MARGIN = 1024 * 1024;

/**
 * Fetches one file from the platform and keeps it, or says why not. `left`: it is larger than `largest`, and for those who have room for it. Bears to be done
 * twice, also at the same time.
 */
export async function fetchFile(parts: Parts, fileId: string, limits: Limits): Promise<'done' | 'left'> {
  const { change, clock } = parts;
  const begun = await change((scope) => beginFetch(scope, fileId, new Date(clock().getTime() + LEASE_MS)));
  if (!begun) return 'done';
  const { channel, ...file } = begun;
  const settled = channel.mayWork
    ? await tryToFetch(parts, file, channel.kind, limits)
    : waitForChannel(parts, file);
  if (settled === 'left') return 'left';
  const isKept = await change((scope) => settle(scope, file, settled));
  if (!isKept && settled.state === 'stored') await forget(parts, file, settled);
  return 'done';
}

async function tryToFetch(
  parts: Parts,
  file: StoredFile,
  kind: string,
  { signal, largest }: Limits,
): Promise<Settled | 'left'> {
  const { channelKinds, logger, messageSender } = parts;
  const { channelId, platformId } = file;
  if (channelId === null || platformId === null) return { state: 'failed', errorCode: 'platform_refused' };
  const allowed = channelKinds.of({ kind }).capabilities.received.largestBytes[file.kind];
  const channel = await messageSender.open(channelId).catch((error: unknown) => {
    logger.warn({ err: error, channelId }, 'a channel could not be opened to fetch a file');
    return null;
  });
  if (!channel) return waitForChannel(parts, file);
  if (!channel.media) return { state: 'failed', errorCode: 'platform_refused' };
  const answer = await channel.media.download(platformId, allowed + MARGIN);
  switch (answer.outcome) {
    case 'gone':
      return { state: 'expired', nextTryAt: null, attempts: file.attempts + 1 };
    case 'stopped':
      return waitForChannel(parts, file);
    case 'refused':
      return failed(parts, file, 'platform_refused');
    case 'unreachable':
      return failed(parts, file, 'platform_unreachable');
    case 'done':
  }
  const download = answer.value;
  const size = download.size ?? file.size ?? 0;
  if (size > allowed || size > largest) {
    await download.cancel();
    return size > allowed ? { state: 'too_large', size, nextTryAt: null } : 'left';
  }
  const draft = await parts.mediaStore.begin().catch(async (error: unknown) => {
    await download.cancel();
    throw error;
  });
  try {
    const came = await readInto(draft, download, { allowed, signal });
    if (came === 'too_large') return { state: 'too_large', nextTryAt: null };
    if (came === 'broken') return failed(parts, file, 'platform_unreachable');
    if (download.sha256 !== null && download.sha256 !== draft.sha256())
      return failed(parts, file, 'checksum_wrong');
    return await keep(parts, file, draft);
  } finally {
    await draft.discard();
  }
}

async function readInto(
  draft: MediaDraft,
  { content, cancel }: PlatformDownload,
  { allowed, signal }: { allowed: number; signal: AbortSignal },
): Promise<'whole' | 'too_large' | 'broken'> {
  const pieces = content[Symbol.asyncIterator]();
  for (;;) {
    const next = await pieces.next().catch(() => 'broken' as const);
    if (next === 'broken') return next;
    if (next.done) return 'whole';
    if (signal.aborted || draft.size() + next.value.length > allowed) {
      await cancel();
      return signal.aborted ? 'broken' : 'too_large';
    }
    try {
      await draft.append(next.value);
    } catch (error) {
      await cancel();
      throw error;
    }
  }
}

/** The bytes are safe before the row says so. */
async function keep({ mediaStore, clock }: Parts, file: StoredFile, draft: MediaDraft): Promise<Settled> {
  const inspected = await inspectFile(file.kind, { size: draft.size(), read: draft.read });
  if (inspected.outcome === 'refused')
    return { state: 'refused', errorCode: inspected.code, nextTryAt: null };
  const { redrawn, thumbnail, ...about } = inspected.file satisfies InspectedFile;
  const key = `${file.workspaceId}/messages/${file.id}`;
  const [sha256, size] = redrawn ? [digest(redrawn), redrawn.length] : [draft.sha256(), draft.size()];
  await (redrawn ? mediaStore.put(key, redrawn) : draft.keepAs(key));
  if (thumbnail) await mediaStore.put(`${key}-small`, thumbnail);
  return {
    ...{ ...about, sha256, size },
    ...{ state: 'stored', content: key, thumbnail: thumbnail ? `${key}-small` : null },
    ...{ storedAt: clock(), nextTryAt: null, errorCode: null },
  };
}

/** It costs no try; the platform forgets the file meanwhile all the same. */
function waitForChannel({ clock }: Parts, { platformExpiresAt }: StoredFile): Settled {
  const now = clock().getTime();
  if (platformExpiresAt !== null && platformExpiresAt.getTime() <= now)
    return { state: 'expired', nextTryAt: null, errorCode: 'channel_stopped' };
  return { state: 'waiting', nextTryAt: new Date(now + STOPPED_PAUSE_MS), errorCode: 'channel_stopped' };
}

function failed({ clock }: Parts, file: StoredFile, failure: FetchFailure): Settled {
  const attempts = file.attempts + 1;
  const expiresAt = file.platformExpiresAt?.getTime() ?? null;
  const { state, nextTryAt } = afterFailure(failure, { attempts, expiresAt, now: clock().getTime() });
  return { state, attempts, errorCode: failure, nextTryAt: nextTryAt === null ? null : new Date(nextTryAt) };
}

async function settle(scope: WorkspaceScope, file: StoredFile, settled: Settled): Promise<boolean> {
  const { sha256, content, thumbnail } = settled;
  const same =
    settled.state === 'stored' && sha256
      ? await holdSameBytes(scope, { fileId: file.id, sha256 })
      : undefined;
  // What lies there twice is left to be taken away.
  const spare = same?.content ? [content, thumbnail].filter((key) => typeof key === 'string') : [];
  const shared = same?.content ? { content: same.content, thumbnail: same.thumbnail } : {};
  if (!(await settleFetch(scope, file.id, { ...settled, ...shared }))) return false;
  if (spare.length > 0)
    await scope.query(
      'INSERT INTO message_file_leavings (workspace_id, storage_key) SELECT $1, unnest($2::text[])',
      [scope.workspaceId, spare],
    );
  if (settled.state !== 'waiting' && file.messageId !== null)
    await scope.emit({
      ...{ type: 'message_files.settled', subject: file.messageId },
      values: { messageIds: [file.messageId], contactIds: file.contactId === null ? [] : [file.contactId] },
    });
  return true;
}

/** Its row went, or another process was quicker and has the bytes under the same keys. */
async function forget(
  { change, mediaStore }: Parts,
  file: StoredFile,
  { content, thumbnail }: Settled,
): Promise<void> {
  const isThere = await change(async (scope) => {
    const { rowCount } = await scope.query('SELECT FROM message_files WHERE workspace_id = $1 AND id = $2', [
      scope.workspaceId,
      file.id,
    ]);
    return rowCount !== 0;
  });
  if (isThere) return;
  for (const key of [content, thumbnail]) if (key) await mediaStore.remove(key);
}
