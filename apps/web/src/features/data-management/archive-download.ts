import { download } from '../../shared/actions/download.ts';
import { errorMessage, errorMessageOf, textOfCode } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import type { Archive } from './data-queries.ts';
import { inWorkspace } from '../../shared/workspaces/tab-workspace.ts';

export const archiveErrorMessage = errorMessageOf({
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
    return errorMessage(error);
  }
}
