import { ApiError } from '../rpc/api-error.ts';
import { workspaceHeader } from '../workspaces/tab-workspace.ts';

/** Sends a picture as it is: the server draws it anew. Fails as every call of the API does. */
export async function sendPicture<Answer>(path: string, file: File): Promise<Answer> {
  const response = await fetch(path, {
    method: 'POST',
    body: file,
    headers: { 'content-type': file.type || 'application/octet-stream', ...workspaceHeader() },
  });
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as Answer; // the route says what it answers
  const refused = answer as { error?: { code?: string } } | null; // every refusal has this form
  throw new ApiError(refused?.error?.code ?? 'internal', { status: response.status });
}
