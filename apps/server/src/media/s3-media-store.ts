import type { MediaStore } from '@app/api/platform/media-store';
import { openDraftFolder } from './media-drafts.ts';
import { pathOf, readBucket, sha256, signRequest } from './s3-requests.ts';
import { uploadFile } from './s3-upload.ts';

type Call = {
  method: 'GET' | 'PUT' | 'DELETE';
  key: string;
  body?: Uint8Array;
  range?: string;
};

/** For a small call as a whole, and for a large file as long as nothing of it moves. */
const PATIENCE_MS = 60_000;

/** What is larger goes in parts of that size: a bucket takes 5 GB at once, and a part that breaks off is sent again alone. */
const PART_BYTES = 256 * 1024 * 1024;

type Options = { now?: () => Date; patienceMs?: number; partBytes?: number };

/**
 * Keeps files in an S3-compatible bucket, named as
 * `s3://ACCESS_KEY:SECRET_KEY@host[:port]/bucket[/folder]?region=…`; `&tls=off` speaks plain HTTP.
 * Requests are signed by AWS Signature Version 4. Files that arrive lie in `draftFolder` until they are complete.
 */
export function createS3MediaStore(
  storageUrl: string,
  draftFolder: string,
  { now = () => new Date(), patienceMs = PATIENCE_MS, partBytes = PART_BYTES }: Options = {},
): MediaStore {
  const bucket = readBucket(storageUrl);
  const drafts = openDraftFolder(draftFolder);

  async function call({ method, key, body, range }: Call): Promise<Response> {
    const path = pathOf(bucket, key);
    const headers = signRequest(bucket, {
      method,
      path,
      bodyHash: sha256(body ?? ''),
      time: now(),
    });
    const response = await fetch(`${bucket.origin}${path}`, {
      method,
      headers: { ...headers, ...(range && { range }) },
      ...(body && { body: Uint8Array.from(body) }),
      signal: AbortSignal.timeout(patienceMs),
    });
    if (response.ok || response.status === 404 || response.status === 416) return response;
    // The answer can repeat the access key, so only its status is told.
    await response.body?.cancel();
    throw new Error(`The media bucket answered ${response.status} to ${method}.`);
  }

  return {
    async begin() {
      const draft = await drafts.begin();
      return {
        ...draft,
        async keepAs(key) {
          await draft.seal();
          await uploadFile({
            ...{ bucket, draft, now, patienceMs, partBytes },
            path: pathOf(bucket, key),
          });
          await draft.discard();
        },
      };
    },
    async put(key, bytes) {
      const response = await call({ method: 'PUT', key, body: bytes });
      await response.body?.cancel();
      if (response.status === 404) throw new Error('The media bucket does not exist.');
    },
    async read(key, range) {
      const response = await call({
        ...{ method: 'GET', key },
        ...(range && { range: `bytes=${range.start}-${range.end}` }),
      });
      if (response.status === 404) {
        await response.body?.cancel();
        return null;
      }
      // Asked for what lies behind the end.
      if (response.status === 416) {
        await response.body?.cancel();
        return new Uint8Array(0);
      }
      return new Uint8Array(await response.arrayBuffer());
    },
    async remove(key) {
      const response = await call({ method: 'DELETE', key });
      await response.body?.cancel();
    },
  };
}
