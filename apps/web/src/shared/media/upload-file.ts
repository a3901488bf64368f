import {
  BYTES_PER_MEGABYTE,
  isMediaMimeType,
  mediaMimeTypes,
  mediaRules,
  type MediaPurpose,
} from '@app/domain/media/media';
import { api, readFailure } from '../api.ts';
import { workspaceHeader } from '../workspaces/tab-workspace.ts';

export type UploadedMedia = Awaited<ReturnType<typeof api.media.get>>;
export type UploadProblem = 'too_large' | 'unsupported' | 'failed';

/** Thrown with one of three reasons; an abort throws the signal's own error instead. */
export class UploadError extends Error {
  readonly problem: UploadProblem;
  constructor(problem: UploadProblem) {
    super(problem);
    this.problem = problem;
  }
}

const PART_BYTES = 1024 * 1024;
const TRIES = 5;

/** Says before the upload what the server would refuse anyway; null when the file may be sent. */
export function findUploadProblem(file: File, purpose: MediaPurpose): UploadProblem | null {
  const { maxMegabytes, mimeTypes } = mediaRules[purpose];
  if (file.size > maxMegabytes * BYTES_PER_MEGABYTE) return 'too_large';
  const ending = file.name.split('.').at(-1)?.toLowerCase() ?? '';
  const isKnownType = isMediaMimeType(file.type) && mimeTypes.includes(file.type);
  const isKnownEnding = mimeTypes.some((type) =>
    (mediaMimeTypes[type].extensions as readonly string[]).includes(ending),
  );
  return file.size > 0 && (isKnownType || (file.type === '' && isKnownEnding)) ? null : 'unsupported';
}

/**
 * Sends a file in parts. A part that fails is tried again from where the server says it stands, so that a short loss of
 * connection costs a part and not the file. `onProgress` gets bytes.
 */
export async function uploadFile(
  file: File,
  purpose: MediaPurpose,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (sent: number, total: number) => void },
): Promise<UploadedMedia> {
  const problem = findUploadProblem(file, purpose);
  if (problem) throw new UploadError(problem);
  const upload = await start(file, purpose, signal);
  let received = 0;
  for (let failures = 0; ;) {
    try {
      const answer = await sendPart(upload.id, file, received, signal, (sent) => onProgress(sent, file.size));
      received = answer.received;
      failures = 0;
      onProgress(received, file.size);
      if (answer.media) return answer.media;
    } catch (error) {
      if (signal.aborted) {
        void api.media.cancelUpload({ uploadId: upload.id }).catch(() => undefined); // the server forgets it in time
        throw error;
      }
      if (error instanceof UploadError) throw error;
      failures += 1;
      if (failures === TRIES) throw new UploadError('failed');
      await pause(250 * 2 ** failures, signal);
      received = await readReceived(upload.id, received);
    }
  }
}

async function start(file: File, purpose: MediaPurpose, signal: AbortSignal) {
  try {
    return await api.media.startUpload({ name: file.name, size: file.size, purpose }, { signal });
  } catch (error) {
    if (signal.aborted) throw error;
    const { code } = readFailure(error);
    throw new UploadError(code === 'media_too_large' ? 'too_large' : 'failed');
  }
}

type PartAnswer = { received: number; media: UploadedMedia | null };

/** XMLHttpRequest, because fetch does not tell how much of a body has left. */
function sendPart(
  uploadId: string,
  file: File,
  offset: number,
  signal: AbortSignal,
  onProgress: (sent: number) => void,
): Promise<PartAnswer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open('PATCH', `/api/uploads/${uploadId}`);
    const headers = { 'upload-offset': String(offset), 'content-type': 'application/octet-stream' };
    for (const [name, value] of Object.entries({ ...headers, ...workspaceHeader() }))
      request.setRequestHeader(name, value);
    request.responseType = 'json';
    request.upload.onprogress = (event) => onProgress(offset + event.loaded);
    request.onload = () => {
      if (request.status === 200) resolve(request.response as PartAnswer); // what the address promises
      else if (request.status === 415) reject(new UploadError('unsupported'));
      else if (request.status === 413) reject(new UploadError('too_large'));
      else if (request.status >= 400 && request.status < 500 && ![408, 409].includes(request.status))
        reject(new UploadError('failed'));
      else reject(new Error('part refused'));
    };
    request.onerror = () => reject(new Error('connection lost'));
    request.onabort = () => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    request.onloadend = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    else request.send(file.slice(offset, offset + PART_BYTES));
  });
}

async function readReceived(uploadId: string, known: number): Promise<number> {
  try {
    return (await api.media.getUpload({ uploadId })).received;
  } catch (error) {
    if (readFailure(error).code === 'upload_not_found') throw new UploadError('failed');
    return known;
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
