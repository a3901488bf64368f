import { longActKinds } from '@app/domain/long-acts/long-act-kinds';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAct } from '../../../shared/acts/use-act.ts';
import { orpc } from '../../../shared/api.ts';
import { formatBytes, formatDateTime } from '../../../shared/formats.ts';
import { ActProgress } from '../../../shared/long-acts/act-progress.tsx';
import { reasonOf } from '../../../shared/long-acts/act-words.ts';
import { followAct } from '../../../shared/long-acts/follow-act.ts';
import { isActOver, useLongActs, type LongAct } from '../../../shared/long-acts/long-acts.ts';
import { t } from '../../../shared/messages.ts';
import { queryClient } from '../../../shared/query-client.ts';
import { can, readSessionAnew } from '../../../shared/session.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { FileDrop } from '../../../ui/controls/file-drop.tsx';
import { useConfirm } from '../../../ui/overlays/confirm.tsx';
import { notify } from '../../../ui/toast.ts';
import { archiveReadingsOptions, type ArchiveReading } from '../data-queries.ts';
import { ReadingDialog } from './reading-dialog.tsx';
import { readingFailureText } from './reading-words.ts';

/** An archive comes in again: a file to choose, the one that lies here, and those that can be taken back. */
export function ReadInArchive() {
  const [from, setFrom] = useState<File | ArchiveReading>();
  const running = useLongActs().find((act) => isOfReading(act) && !isActOver(act));
  const mayManage = can('settings:manage');
  const mayRead = longActKinds['archive-check'].access.every(can);
  return (
    <section aria-label={t('dataManagement.reading.title')} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div>
        <h3 className="font-medium">{t('dataManagement.reading.title')}</h3>
        <p className="text-sm text-muted">{t('dataManagement.reading.hint')}</p>
      </div>
      <FileDrop
        label={t('dataManagement.reading.choose')}
        hint={t('dataManagement.reading.fileHint')}
        disabled={!mayRead || running !== undefined}
        onFiles={([chosen]) => setFrom(chosen)}
      />
      {running && !from ? <ActProgress act={running} /> : null}
      {mayManage ? (
        <Readings
          mayRead={mayRead && running === undefined}
          isBusy={running !== undefined}
          onOpen={setFrom}
        />
      ) : null}
      {from ? <ReadingDialog from={from} onClose={() => setFrom(undefined)} /> : null}
    </section>
  );
}

const isOfReading = ({ kind }: LongAct) => kind === 'archive-check' || kind === 'archive-replacement';

interface ReadingsProps {
  mayRead: boolean;
  isBusy: boolean;
  onOpen: (reading: ArchiveReading) => void;
}

function Readings({ mayRead, isBusy, onOpen }: ReadingsProps) {
  const { data } = useQuery(archiveReadingsOptions());
  const items = data?.items.filter(({ state, replacedAt }) => state === 'here' || replacedAt) ?? [];
  if (items.length === 0) return null;
  return (
    <ul
      aria-label={t('dataManagement.reading.list')}
      className="divide-y divide-border rounded-card border border-border"
    >
      {items.map((reading) => (
        <Reading key={reading.id} {...{ reading, mayRead, isBusy, onOpen }} />
      ))}
    </ul>
  );
}

function Reading({ reading, mayRead, isBusy, onOpen }: ReadingsProps & { reading: ArchiveReading }) {
  const { fileName, bytes, by, createdAt, replacedAt, undoableUntil, undoneAt } = reading;
  const { askToDrop, askToUndo } = useReadingActs(reading);
  const mayReplace = longActKinds['archive-replacement'].access.every(can);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <span className="min-w-40 flex-1">
        <span className="block truncate">{fileName}</span>
        <span className="text-sm text-muted tabular-nums">
          {[
            formatDateTime(replacedAt ?? createdAt),
            ...[formatBytes(bytes), by],
            undoableUntil ? t('dataManagement.reading.until', { time: formatDateTime(undoableUntil) }) : null,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      {undoneAt ? (
        <Badge>{t('dataManagement.import.isUndone')}</Badge>
      ) : replacedAt ? (
        <Badge tone="success">{t('dataManagement.reading.isIn')}</Badge>
      ) : (
        <>
          <Button size="small" disabled={!mayRead} onClick={() => onOpen(reading)}>
            {t('dataManagement.reading.goOn')}
          </Button>
          <Button size="small" disabled={isBusy} onClick={() => void askToDrop()}>
            {t('common.delete')}
          </Button>
        </>
      )}
      {undoableUntil && mayReplace ? (
        <Button size="small" disabled={isBusy} onClick={() => void askToUndo()}>
          {t('dataManagement.reading.undo')}
        </Button>
      ) : null}
    </li>
  );
}

function useReadingActs({ id: readingId, fileName: name }: ArchiveReading) {
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
