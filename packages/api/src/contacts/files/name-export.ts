import { fileSubject } from '@app/domain/text/file-subject';
import { findSegment } from '../../segments/segments-queries.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import type { ContactChoice } from '../contact-choice.ts';

/** What the name of a file says of who is in it. What was searched for may be somebody's name, so it only says that they were found. */
export async function nameExport(scope: ReadScope, choice: ContactChoice): Promise<string> {
  if ('contactIds' in choice) return 'contacts-selected';
  const { segment, tag, status, language, search, importId, campaignId, outcome, report } = choice.filter;
  const found = segment ? await findSegment(scope, scope.workspaceId, segment) : null;
  const imported = importId ? ['import', await nameImport(scope, importId)] : [];
  const results = [
    campaignId ? 'campaign' : '',
    outcome ?? '',
    report ? `analytics-${report.split(';')[0]}` : '',
  ];
  const parts = [found?.name ?? '', ...imported, ...results, tag ?? '', status ?? '', language ?? ''].map(
    fileSubject,
  );
  return ['contacts', ...parts, search?.trim() ? 'found' : ''].filter(Boolean).join('-');
}

/** As its file was called. */
async function nameImport({ query, workspaceId }: ReadScope, importId: string): Promise<string> {
  const { rows } = await query<{ file_name: string }>(
    'SELECT file_name FROM contact_imports WHERE workspace_id = $1 AND id = $2',
    [workspaceId, importId],
  );
  return rows[0]?.file_name.replace(/\.\w+$/, '') ?? '';
}
