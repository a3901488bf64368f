import { sendFile } from '../media/send-file.ts';
import { sendVideoPicture } from './video-picture.ts';

type Upload = {
  fileId: string;
  conversationId: string;
  file: Blob;
  name: string;
  kind?: string;
  signal?: AbortSignal;
};

/** Brings a file to the server, from its beginning each time. Throws as a call of the API does: a refusal, or that no answer came. */
export async function uploadMessageFile(
  { fileId, conversationId, file, name, kind, signal }: Upload,
  report: (progress: number) => void,
): Promise<void> {
  const query = new URLSearchParams({ conversationId, name, ...(kind && { kind }) });
  await sendFile(`/api/conversations/files/${fileId}?${query}`, file, { report, signal });
  if (kind === 'video') await sendVideoPicture(fileId, file);
}
