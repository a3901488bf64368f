import { longActKinds } from '@app/domain/long-acts/long-act-kinds';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatBytes, formatDateTime } from '../../../shared/formats.ts';
import { ActProgress } from '../../../shared/long-acts/act-progress.tsx';
import { isActOver, useLongActs } from '../../../shared/long-acts/long-acts.ts';
import { t } from '../../../shared/messages.ts';
import { can } from '../../../shared/session.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { FileDrop } from '../../../ui/controls/file-drop.tsx';
import { archiveReadingsOptions, type ArchiveReading } from '../data-queries.ts';
import { isOfReading, useReadingActs } from './reading-acts.ts';
import { ReadingDialog } from './reading-dialog.tsx';

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
            ...[bytes > 0 ? formatBytes(bytes) : null, by],
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
