import { fileSubject } from '@app/domain/text/file-subject';
import { findSegment } from '../../segments/segments-queries.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import type { ContactChoice } from '../contact-choice.ts';

/** What the name of a file says of who is in it. What was searched for may be somebody's name, so it only says that they were found. */
export async function nameExport(scope: ReadScope, choice: ContactChoice): Promise<string> {
  if ('contactIds' in choice) return 'contacts-selected';
  const { segment, tag, status, language, search, campaignId, outcome } = choice.filter;
  const found = segment ? await findSegment(scope, scope.workspaceId, segment) : null;
  const results = [campaignId ? 'campaign' : '', outcome ?? ''];
  const parts = [found?.name ?? '', ...results, tag ?? '', status ?? '', language ?? ''].map(fileSubject);
  return ['contacts', ...parts, search?.trim() ? 'found' : ''].filter(Boolean).join('-');
}
