import { askToReauthenticate } from './ask-to-reauthenticate.ts';
import type { FailureCode } from '../api-client.ts';

/**
 * Has the browser save the file at an address of ours, however large it is. The answer is looked at before, so that an error is words and
 * no saved page, and a recent re-authentication is asked for where the file needs one.
 * @returns The code of the error; null when the browser has begun to save.
 */
export async function download(address: string, name = ''): Promise<FailureCode | null> {
  let error = await readError(address);
  if (error === 'password_needed' && (await askToReauthenticate())) error = await readError(address);
  if (error !== null) return error;
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  return null;
}

/** Null when the file would be handed out. */
async function readError(address: string): Promise<FailureCode | null> {
  const response = await fetch(address, { headers: { range: 'bytes=0-0' } });
  if (response.ok) {
    await response.body?.cancel();
    return null;
  }
  const body: { error?: { code?: FailureCode } } | null = await response.json().catch(() => null);
  return body?.error?.code ?? 'internal';
}
