import { askForProof } from '../../shared/acts/ask-for-proof.ts';
import { failureText, failureTextOf, textOfCode } from '../../shared/failure-text.ts';
import { t } from '../../shared/messages.ts';
import type { Archive } from './data-queries.ts';
import { inWorkspace } from '../../shared/workspaces/tab-workspace.ts';

export const archiveFailureText = failureTextOf({
  archive_not_found: 'dataManagement.archive.gone',
  archive_under_way: 'dataManagement.archive.underWay',
  too_many_archives: 'dataManagement.archive.tooMany',
});

/**
 * Has the browser save it, however large it is: one byte says before whether it would be handed out, so that a refusal is words and no saved
 * page, and asks for a proof where one is needed. Answers with why not.
 */
export async function downloadArchive({ id }: Pick<Archive, 'id'>): Promise<string | null> {
  const address = inWorkspace(`/api/data/archives/${id}/file`);
  try {
    let refusal = await tryFirstByte(address);
    if (refusal === 'password_needed' && (await askForProof())) refusal = await tryFirstByte(address);
    if (refusal === 'password_needed') return textOfCode(refusal);
    if (refusal !== null) return t('dataManagement.archive.gone');
  } catch (error) {
    return failureText(error);
  }
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
  return null;
}

/** The code of its refusal; null when there is none. */
async function tryFirstByte(address: string): Promise<string | null> {
  const response = await fetch(address, { headers: { range: 'bytes=0-0' } });
  if (response.ok) return null;
  const body: { error?: { code?: string } } | null = await response.json().catch(() => null);
  return body?.error?.code ?? 'internal';
}
