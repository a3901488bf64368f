import { ApiError } from '../rpc/api-error.ts';
import { workspaceHeader } from '../workspaces/tab-workspace.ts';

type Sending = {
  /** Hears what share has left, from 0 to 1. */
  report: (share: number) => void;
  signal?: AbortSignal | undefined;
  /** So long the server may work on it once all has left. */
  longestAnswerMs?: number;
};

/** A line on which nothing moves for so long is given up. */
const LONGEST_STALL_MS = 60_000;

/**
 * Sends a file as the body of one request, however large it is, and answers with what the server said.
 * @throws as a call of the API does: a refusal, or that no answer came, also where the signal stopped it.
 */
export function sendFile(address: string, file: Blob, sending: Sending): Promise<unknown> {
  const { report, signal, longestAnswerMs = LONGEST_STALL_MS } = sending;
  return new Promise((resolve, reject) => {
    // `fetch` tells nothing of how far a body has come.
    const request = new XMLHttpRequest();
    request.open('POST', address);
    const headers = { 'content-type': 'application/octet-stream', ...workspaceHeader() };
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    const abort = () => request.abort();
    let stalled = setTimeout(abort, LONGEST_STALL_MS);
    request.upload.onprogress = ({ loaded, total }) => {
      clearTimeout(stalled);
      stalled = setTimeout(abort, loaded < total ? LONGEST_STALL_MS : longestAnswerMs);
      report(total === 0 ? 0 : loaded / total);
    };
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve(readAnswer(request));
      else reject(readErrorBody(request));
    };
    request.onerror = () => reject(new TypeError('The file could not be sent.'));
    request.onabort = request.onerror;
    signal?.addEventListener('abort', abort, { once: true });
    request.onloadend = () => {
      clearTimeout(stalled);
      signal?.removeEventListener('abort', abort);
    };
    if (signal?.aborted) reject(new TypeError('The file is not sent.'));
    else request.send(file);
  });
}

function readAnswer({ responseText }: XMLHttpRequest): unknown {
  return responseText === '' ? null : JSON.parse(responseText);
}

function readErrorBody({ status, responseText }: XMLHttpRequest): Error {
  try {
    const { error } = JSON.parse(responseText) as { error: { code: string; details?: unknown } };
    return new ApiError(error.code, { status, data: error.details });
  } catch {
    return new ApiError('internal', { status });
  }
}
