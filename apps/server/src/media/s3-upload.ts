import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestSecured } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { DraftOnDisk } from './media-drafts.ts';
import { encodePart, sha256, signRequest, type Bucket } from './s3-requests.ts';

type Upload = {
  bucket: Bucket;
  /** Where it is to lie. */
  path: string;
  draft: Pick<DraftOnDisk, 'path' | 'size' | 'sha256'>;
  now(): Date;
  patienceMs: number;
  partBytes: number;
};
/** The bytes from `start` to before `end`; all of them where none are named. */
type Piece = { start: number; end: number };
type Sent = {
  method: 'PUT' | 'POST' | 'DELETE';
  query?: string;
  bodyHash: string;
};

/** As many parts as a bucket takes of one file. */
const MOST_PARTS = 10_000;
const MOST_TRIES = 3;
/** A bucket puts the parts of a large file together before it answers. */
const PATIENCE_AT_END = 10;

/**
 * Puts a file that lies on the disk into the bucket, in one piece or, where it is large, in parts, of which nothing is seen before the last
 * one is there. @throws {Error} when the bucket refuses or says nothing; then it has nothing of the file.
 */
export async function uploadFile(upload: Upload): Promise<void> {
  const { draft, partBytes } = upload;
  // Once for all parts: what lies untouched for long is taken from the folder of drafts.
  const file = await open(draft.path, 'r');
  try {
    const size = draft.size();
    if (size > partBytes) return await uploadParts(upload, file);
    const answer = await send(
      upload,
      { method: 'PUT', bodyHash: draft.sha256() },
      { file, start: 0, end: size },
    );
    check(answer.status, 'PUT');
  } finally {
    await file.close();
  }
}

async function uploadParts(upload: Upload, file: FileHandle): Promise<void> {
  const size = upload.draft.size();
  const bytesOfPart = Math.max(upload.partBytes, Math.ceil(size / MOST_PARTS));
  const begun = await send(upload, {
    method: 'POST',
    query: 'uploads=',
    bodyHash: sha256(''),
  });
  check(begun.status, 'POST');
  const id = readTag(begun.text, 'UploadId');
  if (!id) throw new Error('The media bucket takes no file in parts.');
  const query = `uploadId=${encodePart(id)}`;
  try {
    const tags: string[] = [];
    for (let start = 0; start < size; start += bytesOfPart) {
      const piece = { start, end: Math.min(size, start + bytesOfPart) };
      tags.push(
        await sendPart(upload, file, {
          piece,
          query: `partNumber=${tags.length + 1}&${query}`,
        }),
      );
    }
    await complete(upload, query, tags);
  } catch (error) {
    // Its parts would be paid for, and nobody sees them.
    await send(upload, { method: 'DELETE', query, bodyHash: sha256('') }).catch(() => undefined);
    throw error;
  }
}

/** Answers with the name that the bucket gives to what it got. */
async function sendPart(
  upload: Upload,
  file: FileHandle,
  { piece, query }: { piece: Piece; query: string },
): Promise<string> {
  const bodyHash = await hashPiece(file, piece);
  for (let tries = 1; ; tries += 1) {
    try {
      const { status, etag } = await send(upload, { method: 'PUT', query, bodyHash }, { file, ...piece });
      check(status, 'PUT');
      if (!etag) throw new Error('The media bucket does not name what it got.');
      return etag;
    } catch (error) {
      if (tries === MOST_TRIES || (error instanceof BucketRefused && error.status < 500)) throw error;
    }
  }
}

/** A bucket may say only in its text that it could not put them together. */
async function complete(upload: Upload, query: string, tags: readonly string[]): Promise<void> {
  const parts = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeText(tag)}</ETag></Part>`,
  );
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
  const patient = {
    ...upload,
    patienceMs: upload.patienceMs * PATIENCE_AT_END,
  };
  const { status, text } = await send(patient, { method: 'POST', query, bodyHash: sha256(body) }, body);
  check(status, 'POST');
  if (!text.includes('<CompleteMultipartUploadResult'))
    throw new Error('The media bucket could not put a file together.');
}

/** Not by `fetch`, which sends a stream in chunks of no declared length; buckets want to know how much comes. */
async function send(
  { bucket, path, now, patienceMs }: Upload,
  { method, query, bodyHash }: Sent,
  body: Buffer | (Piece & { file: FileHandle }) = Buffer.alloc(0),
): Promise<{ status: number; etag: string | undefined; text: string }> {
  const headers = signRequest(bucket, {
    ...{ method, path, bodyHash, time: now() },
    ...(query !== undefined && { query }),
  });
  const length = Buffer.isBuffer(body) ? body.length : body.end - body.start;
  const url = `${bucket.origin}${path}${query === undefined ? '' : `?${query}`}`;
  const request = (url.startsWith('https:') ? requestSecured : requestPlain)(url, {
    method,
    headers: { ...headers, 'content-length': length },
    timeout: patienceMs,
  });
  request.once('timeout', () => request.destroy(new Error('The media bucket does not answer.')));
  const answered = new Promise<{
    status: number;
    etag: string | undefined;
    text: string;
  }>((resolve, reject) => {
    request.once('error', reject);
    request.once('response', (response) => {
      readText(response).then(
        (text) =>
          resolve({
            status: response.statusCode ?? 0,
            etag: response.headers.etag,
            text,
          }),
        reject,
      );
    });
  });
  answered.catch(() => undefined); // the pipeline fails with it
  const bytes =
    Buffer.isBuffer(body) || length === 0
      ? [Buffer.isBuffer(body) ? body : Buffer.alloc(0)]
      : readPiece(body.file, body);
  const sent = pipeline(bytes, request).then(() => answered);
  sent.catch(() => undefined); // where the answer came first
  try {
    // A bucket that refuses says so before it has the file.
    return await Promise.race([answered, sent]);
  } finally {
    request.destroy();
  }
}

function readPiece(file: FileHandle, { start, end }: Piece) {
  return file.createReadStream({ start, end: end - 1, autoClose: false });
}

async function hashPiece(file: FileHandle, piece: Piece): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of readPiece(file, piece)) hash.update(bytes as Buffer); // no encoding is set
  return hash.digest('hex');
}

/** As much of an answer as names an upload or an error. */
async function readText(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of response) if (text.length < 65_536) text += String(piece);
  return text;
}

class BucketRefused extends Error {
  readonly status: number;
  constructor(status: number, method: string) {
    // The answer can repeat the access key, so only its status is told.
    super(`The media bucket answered ${status} to ${method}.`);
    this.status = status;
  }
}

function check(status: number, method: string): void {
  if (status === 404) throw new Error('The media bucket does not exist.');
  if (status < 200 || status > 299) throw new BucketRefused(status, method);
}

function readTag(text: string, name: string): string | undefined {
  const found = new RegExp(`<${name}>([^<]+)</${name}>`).exec(text)?.[1];
  return found
    ?.replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
