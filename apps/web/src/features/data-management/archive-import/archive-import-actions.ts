import { useAction } from '../../../shared/actions/use-action.ts';
import { orpc } from '../../../shared/api.ts';
import { reasonOf } from '../../../shared/operations/operation-messages.ts';
import { followOperation } from '../../../shared/operations/follow-operation.ts';
import { isOperationOver, type Operation } from '../../../shared/operations/operations.ts';
import { t } from '../../../shared/messages.ts';
import { queryClient } from '../../../shared/query-client.ts';
import { readSessionAnew } from '../../../shared/session.ts';
import { useConfirm } from '../../../ui/overlays/confirm.tsx';
import { notify } from '../../../ui/toast.ts';
import { archiveImportsOptions, type ArchiveImport } from '../data-queries.ts';
import { archiveImportErrorMessage } from './archive-import-messages.ts';

export const isOfArchiveImport = ({ kind }: Operation) =>
  kind === 'archive-check' || kind === 'archive-replacement';

/** Dropping a file that lies here, and bringing back what was here before one was read in. */
export function useArchiveImportActions({
  id: readingId,
  fileName: name,
}: Pick<ArchiveImport, 'id' | 'fileName'>) {
  const confirm = useConfirm();
  const drop = useAction(orpc.dataManagement.dropArchiveReading.mutationOptions());
  const undo = useAction(orpc.dataManagement.undoArchive.mutationOptions());
  const askToDrop = () =>
    confirm({
      title: t('dataManagement.reading.dropQuestion', { name }),
      text: t('dataManagement.reading.dropText'),
      confirmLabel: t('common.delete'),
      work: async () => {
        try {
          await drop.mutateAsync({ readingId });
          notify.success(t('dataManagement.reading.dropped'));
        } catch (error) {
          notify.error(archiveImportErrorMessage(error));
        }
        await readArchiveImportsAnew();
      },
    });
  const askToUndo = () =>
    confirm({
      title: t('dataManagement.reading.undoQuestion'),
      text: t('dataManagement.reading.undoText', { name }),
      confirmLabel: t('dataManagement.reading.undo'),
      work: async () => {
        try {
          void tellWhenBack(await undo.mutateAsync({ readingId }));
        } catch (error) {
          notify.error(archiveImportErrorMessage(error));
          await readArchiveImportsAnew();
        }
      },
    });
  return { askToDrop, askToUndo };
}

const readArchiveImportsAnew = () =>
  queryClient.invalidateQueries({ queryKey: archiveImportsOptions().queryKey });

async function tellWhenBack(begun: Operation): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: orpc.operations.key() });
  const operation = isOperationOver(begun) ? begun : await followOperation(begun.id);
  await Promise.all([queryClient.invalidateQueries(), readSessionAnew()]);
  if (operation?.state === 'done') notify.success(t('dataManagement.reading.undone'));
  if (operation?.state === 'failed')
    notify.error(t('dataManagement.reading.notUndone', { reason: reasonOf(operation) }));
}
