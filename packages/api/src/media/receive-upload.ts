import { media, mediaUploads } from '@app/database/media/media-tables';
import { newId } from '@app/database/new-id';
import { mediaMimeTypes, mediaRules } from '@app/domain/media/media';
import { nameMedia, sniffMedia } from '@app/domain/media/sniff-media';
import { and, eq } from 'drizzle-orm';
import type { MediaDraft, MediaStore } from '../platform/media-store.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { findUploaded, lockUpload, type StoredMedia, type StoredUpload } from './media-queries.ts';

export type PartOutcome =
  | { outcome: 'upload_not_found' }
  | { outcome: 'upload_offset_wrong'; received: number }
  | { outcome: 'received'; received: number }
  | { outcome: 'complete'; media: StoredMedia }
  | { outcome: 'media_type_unsupported' };

type Context = Pick<SignedInContext, 'read' | 'change' | 'mediaStore'>;
type Part = { userId: string; uploadId: string; offset: number; bytes: Uint8Array };

/**
 * Stores one part of an upload and, with the last one, makes a file of all of them. A part that arrives twice, or after
 * its answer was lost, changes nothing; the caller goes on where `received` says.
 */
export async function receivePart(
  { read, change, mediaStore }: Context,
  { userId, uploadId, offset, bytes }: Part,
): Promise<PartOutcome> {
  const answerFinished = () => read((scope) => describeFinished(scope, userId, uploadId));
  const begun = await read((scope) => lockUpload(scope, userId, uploadId));
  if (!begun) return answerFinished();
  let stored = begun;
  // All parts may be here without the file: who was to join them died before. Whoever asks again does it.
  if (begun.received < begun.size) {
    if (!isInPlace(begun, offset, bytes)) return { outcome: 'upload_offset_wrong', received: begun.received };
    // No connection waits for the bytes. A part of the same place and length that a twin brings is the same part.
    await mediaStore.put(partKey(begun, offset, bytes.length), bytes);
    const counted = await change(async (scope) => {
      const upload = await lockUpload(scope, userId, uploadId);
      if (!upload || !isInPlace(upload, offset, bytes)) return { upload, isTaken: false };
      const progress = { received: offset + bytes.length, partOffsets: [...upload.partOffsets, offset] };
      await scope.tx.update(mediaUploads).set(progress).where(eq(mediaUploads.id, upload.id));
      return { upload: { ...upload, ...progress }, isTaken: true };
    });
    if (!counted.isTaken) {
      const { upload } = counted;
      const key = partKey(begun, offset, bytes.length);
      if (!upload || !partKeys(upload).includes(key)) await mediaStore.remove(key);
      return upload ? { outcome: 'upload_offset_wrong', received: upload.received } : answerFinished();
    }
    stored = counted.upload ?? begun;
  }
  if (stored.received < stored.size) return { outcome: 'received', received: stored.received };

  const draft = await mediaStore.begin();
  try {
    if (await joinParts(mediaStore, stored, draft))
      return await keepFile({ change, mediaStore }, { userId, stored, draft }, answerFinished);
    // A twin joined them meanwhile, or the bytes are lost: either way this upload is over.
    await change((scope) => scope.tx.delete(mediaUploads).where(ofUpload(stored)));
    return await answerFinished();
  } finally {
    await draft.discard();
  }
}

async function keepFile(
  { change, mediaStore }: Pick<Context, 'change' | 'mediaStore'>,
  { userId, stored, draft }: { userId: string; stored: StoredUpload; draft: MediaDraft },
  answerFinished: () => Promise<PartOutcome>,
): Promise<PartOutcome> {
  const sniffed = await takeSteps(sniffMedia(await draft.read(0, draft.size())));
  const isAccepted =
    sniffed.outcome === 'known' && mediaRules[stored.purpose].mimeTypes.includes(sniffed.mimeType);
  const name = sniffed.outcome === 'known' ? nameMedia(stored.name, sniffed.mimeType) : null;
  if (!isAccepted || name === null) {
    await change((scope) => scope.tx.delete(mediaUploads).where(ofUpload(stored)));
    await removeParts(mediaStore, stored);
    return { outcome: 'media_type_unsupported' };
  }
  const { id, workspaceId } = stored;
  const { mimeType } = sniffed;
  const row = {
    ...{ id, workspaceId, name, mimeType, type: mediaMimeTypes[mimeType].type },
    ...{ size: draft.size(), sha256: draft.sha256(), storageKey: `${workspaceId}/${newId()}` },
    uploadedBy: userId,
  };
  // The bytes first: a row without its bytes would be a broken file, bytes without a row are only waste.
  await draft.keepAs(row.storageKey);
  const created = await change(async (scope) => {
    const removed = await scope.tx.delete(mediaUploads).where(ofUpload(stored)).returning();
    if (removed.length === 0) return undefined; // its twin was quicker
    const [inserted] = await scope.tx
      .insert(media)
      .values({ ...row, uploadedAt: scope.clock() })
      .returning();
    await scope.emit({ type: 'media.uploaded', subject: id, values: { name } });
    return inserted;
  });
  await removeParts(mediaStore, stored);
  if (created) return { outcome: 'complete', media: created };
  await mediaStore.remove(row.storageKey);
  return answerFinished();
}

/** The answer to the last part may have been lost, or a twin of the request was quicker: the file is the same. */
async function describeFinished(scope: ReadScope, userId: string, uploadId: string): Promise<PartOutcome> {
  const file = await findUploaded(scope, userId, uploadId);
  return file ? { outcome: 'complete', media: file } : { outcome: 'upload_not_found' };
}

export async function removeParts(store: MediaStore, upload: StoredUpload): Promise<void> {
  await Promise.all(partKeys(upload).map((key) => store.remove(key)));
}

/** False when a part is not there. */
async function joinParts(store: MediaStore, upload: StoredUpload, draft: MediaDraft): Promise<boolean> {
  for (const key of partKeys(upload)) {
    const part = await store.read(key);
    if (!part) return false;
    await draft.append(part);
  }
  return true;
}

/** A large file takes long to look through; everybody else is answered between two steps. */
async function takeSteps<Result>(steps: Generator<undefined, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function isInPlace({ received, size }: StoredUpload, offset: number, { length }: Uint8Array): boolean {
  return length > 0 && offset === received && offset + length <= size;
}

/** A part reaches to where the next one begins. */
function partKeys(upload: StoredUpload): string[] {
  return upload.partOffsets.map((offset, index) =>
    partKey(upload, offset, (upload.partOffsets[index + 1] ?? upload.received) - offset),
  );
}

function partKey({ workspaceId, id }: StoredUpload, offset: number, length: number): string {
  return `${workspaceId}/parts/${id}-${offset}-${length}`;
}

function ofUpload({ workspaceId, id }: StoredUpload) {
  return and(eq(mediaUploads.workspaceId, workspaceId), eq(mediaUploads.id, id));
}
