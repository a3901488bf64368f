import { createHash, createHmac } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { request as requestPlain } from 'node:http';
import { request as requestSecured } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { MediaStore } from '@app/api/platform/media-store';
import { openDraftFolder, type DraftOnDisk } from './media-drafts.ts';

type Bucket = {
  origin: string;
  host: string;
  path: string;
  region: string;
  accessKey: string;
  secretKey: string;
};
type Call = { method: 'GET' | 'PUT' | 'DELETE'; key: string; body?: Uint8Array; range?: string };

/** For a small call as a whole, and for a large file as long as nothing of it moves. */
const PATIENCE_MS = 60_000;

/**
 * Keeps files in an S3-compatible bucket, named as
 * `s3://ACCESS_KEY:SECRET_KEY@host[:port]/bucket[/folder]?region=…`; `&tls=off` speaks plain HTTP.
 * Requests are signed by AWS Signature Version 4. Files that arrive lie in `draftFolder` until they are complete.
 */
export function createS3MediaStore(
  storageUrl: string,
  draftFolder: string,
  { now = () => new Date(), patienceMs = PATIENCE_MS }: { now?: () => Date; patienceMs?: number } = {},
): MediaStore {
  const bucket = readBucket(storageUrl);
  const drafts = openDraftFolder(draftFolder);

  async function call({ method, key, body, range }: Call): Promise<Response> {
    const path = pathOf(bucket, key);
    const headers = signRequest(bucket, { method, path, bodyHash: sha256(body ?? ''), time: now() });
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
          const path = pathOf(bucket, key);
          const headers = signRequest(bucket, { method: 'PUT', path, bodyHash: draft.sha256(), time: now() });
          await putFile(`${bucket.origin}${path}`, { headers, draft, patienceMs });
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

type FileToPut = {
  headers: Record<string, string>;
  draft: Pick<DraftOnDisk, 'path' | 'size'>;
  patienceMs: number;
};

/** Not by `fetch`, which sends a stream in chunks of no declared length; buckets want to know how much comes. */
async function putFile(
  url: string,
  { headers, draft: { path, size }, patienceMs }: FileToPut,
): Promise<void> {
  const request = (url.startsWith('https:') ? requestSecured : requestPlain)(url, {
    method: 'PUT',
    headers: { ...headers, 'content-length': size() },
    timeout: patienceMs,
  });
  request.once('timeout', () => request.destroy(new Error('The media bucket does not answer.')));
  const answered = new Promise<number>((resolve, reject) => {
    request.once('error', reject);
    request.once('response', (response) => {
      response.once('error', reject);
      response.once('end', () => resolve(response.statusCode ?? 0));
      response.resume();
    });
  });
  answered.catch(() => undefined); // the pipeline fails with it
  const sent = pipeline(createReadStream(path), request).then(() => answered);
  sent.catch(() => undefined); // where the answer came first
  // A bucket that refuses says so before it has the file.
  const status = await Promise.race([answered, sent]);
  request.destroy();
  if (status === 404) throw new Error('The media bucket does not exist.');
  if (status < 200 || status > 299) throw new Error(`The media bucket answered ${status} to PUT.`);
}

function pathOf(bucket: Bucket, key: string): string {
  return `${bucket.path}/${key.split('/').map(encodePart).join('/')}`;
}

/** @throws {Error} that names what is missing but never shows the address, which holds the secret. */
function readBucket(storageUrl: string): Bucket {
  const url = URL.parse(storageUrl.replace(/^s3:/, 'https:'));
  const path = url?.pathname.replace(/\/+$/, '') ?? '';
  if (!url || !url.username || !url.password || path === '')
    throw new Error('STORAGE_URL must look like s3://ACCESS_KEY:SECRET_KEY@host/bucket?region=REGION.');
  const protocol = url.searchParams.get('tls') === 'off' ? 'http' : 'https';
  return {
    origin: `${protocol}://${url.host}`,
    host: url.host,
    path,
    region: url.searchParams.get('region') ?? 'us-east-1',
    accessKey: decodeURIComponent(url.username),
    secretKey: decodeURIComponent(url.password),
  };
}

function signRequest(
  { host, region, accessKey, secretKey }: Bucket,
  { method, path, bodyHash, time }: { method: string; path: string; bodyHash: string; time: Date },
): Record<string, string> {
  const stamp = time.toISOString().replace(/[:-]|\.\d{3}/g, '');
  const day = stamp.slice(0, 8);
  const signedHeaders = 'host;x-amz-content-sha256;x-amz-date';
  const headerLines = `host:${host}\nx-amz-content-sha256:${bodyHash}\nx-amz-date:${stamp}\n`;
  const canonical = [method, path, '', headerLines, signedHeaders, bodyHash].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${secretKey}`);
  const signature = hmac(key, toSign).toString('hex');
  return {
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': stamp,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`,
  };
}

function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function encodePart(part: string): string {
  return encodeURIComponent(part).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
