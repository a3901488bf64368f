import { useAct } from '../../../shared/acts/use-act.ts';
import { orpc } from '../../../shared/api.ts';
import { reasonOf } from '../../../shared/long-acts/act-words.ts';
import { followAct } from '../../../shared/long-acts/follow-act.ts';
import { isActOver, type LongAct } from '../../../shared/long-acts/long-acts.ts';
import { t } from '../../../shared/messages.ts';
import { queryClient } from '../../../shared/query-client.ts';
import { readSessionAnew } from '../../../shared/session.ts';
import { useConfirm } from '../../../ui/overlays/confirm.tsx';
import { notify } from '../../../ui/toast.ts';
import { archiveReadingsOptions, type ArchiveReading } from '../data-queries.ts';
import { readingFailureText } from './reading-words.ts';

export const isOfReading = ({ kind }: LongAct) => kind === 'archive-check' || kind === 'archive-replacement';

/** Dropping a file that lies here, and bringing back what was here before one was read in. */
export function useReadingActs({ id: readingId, fileName: name }: Pick<ArchiveReading, 'id' | 'fileName'>) {
  const confirm = useConfirm();
  const drop = useAct(orpc.dataManagement.dropArchiveReading.mutationOptions());
  const undo = useAct(orpc.dataManagement.undoArchive.mutationOptions());
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
          notify.error(readingFailureText(error));
        }
        await readReadingsAnew();
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
          notify.error(readingFailureText(error));
          await readReadingsAnew();
        }
      },
    });
  return { askToDrop, askToUndo };
}

const readReadingsAnew = () => queryClient.invalidateQueries({ queryKey: archiveReadingsOptions().queryKey });

async function tellWhenBack(begun: LongAct): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: orpc.longActs.key() });
  const act = isActOver(begun) ? begun : await followAct(begun.id);
  await Promise.all([queryClient.invalidateQueries(), readSessionAnew()]);
  if (act?.state === 'done') notify.success(t('dataManagement.reading.undone'));
  if (act?.state === 'failed') notify.error(t('dataManagement.reading.notUndone', { reason: reasonOf(act) }));
}
