import { operationKinds } from '@app/domain/operations/operation-kinds';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { orpc, readFailure } from '../../shared/api.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { formatDateTime, formatDay } from '../../shared/formats.ts';
import { isOperationOver, useOperations } from '../../shared/operations/operations.ts';
import { t } from '../../shared/messages.ts';
import { queryClient } from '../../shared/query-client.ts';
import { can } from '../../shared/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FileDrop } from '../../ui/controls/file-drop.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { notify } from '../../ui/toast.ts';
import { dataImportsOptions } from './data-queries.ts';
import { ImportDataDialog } from './import-data-dialog.tsx';
import { isOfArchiveImport, useArchiveImportActions } from './archive-import/archive-import-actions.ts';
import type { DataImport } from './upload-data.ts';

/** A file of data comes in again, after a look at what it would change; and goes again as a whole. */
export function ImportData({ mayManage }: { mayManage: boolean }) {
  const [file, setFile] = useState<File | null>(null);
  const mayImport =
    mayManage &&
    ['contacts:create', 'contacts:update', 'templates:create', 'templates:update', 'campaigns:create'].every(
      (permission) => can(permission as Parameters<typeof can>[0]), // they are permissions
    );
  return (
    <Panel title={t('dataManagement.import.title')} purpose={t('dataManagement.import.hint')}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <FileDrop
          accept=".json,application/json"
          label={t('dataManagement.import.choose')}
          hint={t('dataManagement.import.fileHint')}
          disabled={!mayImport}
          onFiles={([chosen]) => setFile(chosen ?? null)}
        />
        {mayManage ? <EarlierImports /> : null}
      </div>
      {file ? <ImportDataDialog file={file} onClose={() => setFile(null)} /> : null}
    </Panel>
  );
}

/** What was here before comes back as it does after an archive was read in. */
function UndoReplacement({ found: { id, fileName, undoableUntil } }: { found: DataImport }) {
  const { askToUndo } = useArchiveImportActions({ id, fileName });
  const isBusy = useOperations().some(
    (operation) => isOfArchiveImport(operation) && !isOperationOver(operation),
  );
  if (!undoableUntil || !operationKinds['archive-replacement'].access.every(can)) return null;
  return (
    <Button size="small" disabled={isBusy} onClick={() => void askToUndo()}>
      {t('dataManagement.import.undo')}
    </Button>
  );
}

/** The newest ones that changed something. */
function EarlierImports() {
  const { data } = useQuery(dataImportsOptions());
  const confirm = useConfirm();
  const undo = useAction(orpc.dataManagement.undoImport.mutationOptions());
  const mayUndo = (
    ['contacts:update', 'contacts:delete', 'templates:delete', 'campaigns:delete'] as const
  ).every(can);
  const ask = async ({ id, fileName }: DataImport) => {
    await confirm({
      title: t('dataManagement.import.undoQuestion', { name: fileName }),
      text: t('dataManagement.import.undoText'),
      confirmLabel: t('dataManagement.import.undo'),
      work: async () => {
        try {
          const { kept } = await undo.mutateAsync({ importId: id });
          notify.success(t('dataManagement.import.undone'), {
            text: kept > 0 ? t('dataManagement.import.undoneKept', { n: kept }) : undefined,
          });
        } catch (error) {
          const isLate = readFailure(error).code === 'contact_import_not_undoable';
          notify.error(isLate ? t('dataManagement.import.undoneBefore') : errorMessage(error));
        }
        await queryClient.invalidateQueries();
      },
    });
  };
  const items = data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <section aria-label={t('dataManagement.import.earlier')}>
      <h3 className="mb-1.5 font-medium">{t('dataManagement.import.earlier')}</h3>
      <ul className="divide-y divide-border rounded-card border border-border">
        {items.map((one) => (
          <li key={one.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
            <span className="min-w-40 flex-1">
              <span className="block truncate">{one.fileName}</span>
              <span className="text-sm text-muted tabular-nums">
                {formatDateTime(one.createdAt)}
                {one.undoableUntil
                  ? ` · ${t('dataManagement.import.undoableUntil', { day: formatDay(one.undoableUntil.slice(0, 10)) })}`
                  : null}
              </span>
            </span>
            {one.replaces ? <Badge>{t('dataManagement.import.isReplaced')}</Badge> : null}
            {one.state === 'undone' ? (
              <Badge>{t('dataManagement.import.isUndone')}</Badge>
            ) : one.replaces ? (
              <UndoReplacement found={one} />
            ) : one.undoableUntil && mayUndo ? (
              <Button size="small" onClick={() => void ask(one)}>
                {t('dataManagement.import.undo')}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
