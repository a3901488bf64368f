import { ORPCError } from '@orpc/client';

/** Sends the bytes as they are: the server draws the picture anew. Fails as every call of the API does. */
export async function sendAvatar(file: File): Promise<void> {
  const response = await fetch('/api/profile/avatar', {
    method: 'POST',
    body: file,
    headers: { 'content-type': file.type || 'application/octet-stream' },
  });
  if (response.ok) return;
  const answer: { error?: { code?: string } } | null = await response.json().catch(() => null);
  throw new ORPCError(answer?.error?.code ?? 'internal', { status: response.status });
}
