import { MOST_ARCHIVE_BYTES, type ArchiveFault } from '@app/domain/data-management/archive-import';
import { askToReauthenticate } from '../../../shared/actions/ask-to-reauthenticate.ts';
import { api, newKey, readFailure } from '../../../shared/api.ts';
import { problemText } from '../../../shared/operations/operation-messages.ts';
import { sendFile } from '../../../shared/media/send-file.ts';
import type { ArchiveImport } from '../data-queries.ts';
import { archiveImportErrorMessage } from './archive-import-messages.ts';

/** So much of a large file goes ahead: who may not, and what is no archive, is told before hours of sending. */
const HEAD_BYTES = 2 * 1024 * 1024;
/** A bucket takes what came piece by piece, and puts it together. */
const LONGEST_ANSWER_MS = 30 * 60_000;

type Sending = { signal: AbortSignal; report: (share: number) => void };

/** Sends an archive. Answers with what the server has of it by then, or with why not. */
export async function sendArchive(
  file: File,
  sending: Sending,
): Promise<{ reading: ArchiveImport } | { reason: string }> {
  if (file.size === 0) return { reason: faultText('empty') };
  if (file.size > MOST_ARCHIVE_BYTES) return { reason: faultText('too_large') };
  // Until the file is there it needs this tab.
  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  addEventListener('beforeunload', warn);
  try {
    if (file.size > HEAD_BYTES) {
      const head = file.slice(0, HEAD_BYTES);
      await sendProved({ name: file.name, body: head }, { ...sending, report: () => undefined });
    }
    return { reading: await sendProved({ name: file.name, body: file }, sending) };
  } catch (error) {
    const { code, values } = readFailure(error);
    const isFault = code === 'archive_refused' && typeof values.fault === 'string';
    return { reason: isFault ? faultText(String(values.fault)) : archiveImportErrorMessage(error) };
  } finally {
    removeEventListener('beforeunload', warn);
  }
}

type Part = { name: string; body: Blob };

/** Once more after the person has proved who they are. */
async function sendProved(part: Part, sending: Sending): Promise<ArchiveImport> {
  try {
    return await send(part, sending);
  } catch (error) {
    if (readFailure(error).code !== 'password_needed' || !(await askToReauthenticate())) throw error;
    return send(part, sending);
  }
}

async function send({ name, body }: Part, sending: Sending): Promise<ArchiveImport> {
  const readingId = newKey();
  const query = new URLSearchParams({ readingId, fileName: name });
  try {
    const answer = await sendFile(`/api/data/archive-readings?${query}`, body, {
      ...sending,
      longestAnswerMs: LONGEST_ANSWER_MS,
    });
    return answer as ArchiveImport; // what the address promises
  } catch (error) {
    if (readFailure(error).code !== 'offline' || sending.signal.aborted) throw error;
    // The answer may be what was lost.
    const { items } = await api.dataManagement.listArchiveReadings({});
    const found = items.find(({ id, state }) => id === readingId && state === 'here');
    if (!found) throw error;
    return found;
  }
}

function faultText(fault: ArchiveFault | (string & {})): string {
  return problemText('file', { code: `archive_${fault}`, values: {} });
}
