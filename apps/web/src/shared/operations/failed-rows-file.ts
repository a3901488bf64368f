import { openFailedRowsFile, type FileColumns } from '@app/domain/contact-imports/failed-rows-file';
import { notify } from '../../ui/toast.ts';
import { saveBlob } from '../../ui/controls/save-blob.ts';
import { t } from '../messages.ts';
import { workspaceHeader } from '../workspaces/tab-workspace.ts';
import { problemText } from './operation-messages.ts';

type CodedRows = {
  columns: FileColumns;
  rows: { row: number; code: string; values: Record<string, string | number>; source: string | null }[];
};

/** The rows of an import that were not imported, each with its reason in the language of the pages; null when they are kept no more. */
export async function fetchFailedRows(importId: string, name = 'failed-rows'): Promise<File | null> {
  const response = await fetch(`/api/contacts/imports/${importId}/failed-rows?as=codes`, {
    headers: workspaceHeader(),
  });
  if (!response.ok) return null;
  const { columns, rows } = (await response.json()) as CodedRows; // as the server writes it
  const file = openFailedRowsFile(columns);
  const written = rows.map(({ row, source, ...problem }, index) => {
    const message = t('operations.importRow', { row, reason: problemText('row', problem) });
    return file.write({ row, source, message }, index);
  });
  const type = file.type === 'csv' ? 'text/csv' : 'application/json';
  return new File([file.start, ...written, file.end], `${name}.${file.type}`, { type });
}

export async function downloadFailedRows(importId: string): Promise<void> {
  const file = await fetchFailedRows(importId).catch(() => null);
  if (file) saveBlob(file, file.name.replace('.', `-${new Date().toISOString().slice(0, 10)}.`));
  else notify.error(t('operations.failedRowsLost'));
}
