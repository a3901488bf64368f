import { ORPCError } from '@orpc/client';
import { sendFilmPicture } from './film-picture.ts';

type Upload = {
  fileId: string;
  conversationId: string;
  file: Blob;
  name: string;
  kind?: string;
  signal?: AbortSignal;
};

/** A line on which nothing moves for so long is given up; all tabs wait for it. */
const LONGEST_STALL_MS = 60_000;

/** Brings a file to the server, from its beginning each time. Throws as a call of the API does: a refusal, or that no answer came. */
export async function uploadMessageFile(upload: Upload, report: (progress: number) => void): Promise<void> {
  await bringFile(upload, report);
  if (upload.kind === 'video') await sendFilmPicture(upload.fileId, upload.file);
}

function bringFile(
  { fileId, conversationId, file, name, kind, signal }: Upload,
  report: (progress: number) => void,
): Promise<void> {
  const query = new URLSearchParams({ conversationId, name, ...(kind && { kind }) });
  return new Promise((resolve, reject) => {
    // `fetch` tells nothing of how far a body has come.
    const request = new XMLHttpRequest();
    request.open('POST', `/api/conversations/files/${fileId}?${query}`);
    request.setRequestHeader('content-type', 'application/octet-stream');
    let stalled = setTimeout(() => request.abort(), LONGEST_STALL_MS);
    request.upload.onprogress = ({ loaded, total }) => {
      clearTimeout(stalled);
      stalled = setTimeout(() => request.abort(), LONGEST_STALL_MS);
      report(total === 0 ? 0 : loaded / total);
    };
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(readRefusal(request));
    };
    request.onerror = () => reject(new TypeError('The file could not be sent.'));
    request.onabort = request.onerror;
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.onloadend = () => clearTimeout(stalled);
    request.send(file);
  });
}

function readRefusal({ status, responseText }: XMLHttpRequest): Error {
  try {
    const { error } = JSON.parse(responseText) as { error: { code: string; details?: unknown } };
    return new ORPCError(error.code, { status, data: error.details });
  } catch {
    return new ORPCError('internal', { status });
  }
}
