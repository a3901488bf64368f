import { download } from '../../shared/acts/download.ts';
import { failureText, failureTextOf, textOfCode } from '../../shared/failure-text.ts';
import { t } from '../../shared/messages.ts';
import type { Archive } from './data-queries.ts';
import { inWorkspace } from '../../shared/workspaces/tab-workspace.ts';

export const archiveFailureText = failureTextOf({
  archive_not_found: 'dataManagement.archive.gone',
  archive_under_way: 'dataManagement.archive.underWay',
  too_many_archives: 'dataManagement.archive.tooMany',
});

/** Saves the file of an archive. Answers with why not. */
export async function downloadArchive({ id }: Pick<Archive, 'id'>): Promise<string | null> {
  try {
    const error = await download(inWorkspace(`/api/data/archives/${id}/file`));
    if (error === null) return null;
    return error === 'password_needed' ? textOfCode(error) : t('dataManagement.archive.gone');
  } catch (error) {
    return failureText(error);
  }
}
