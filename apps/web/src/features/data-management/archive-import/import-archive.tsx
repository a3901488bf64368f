import { operationKinds } from '@app/domain/operations/operation-kinds';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatBytes, formatDateTime } from '../../../shared/formats.ts';
import { OperationProgress } from '../../../shared/operations/operation-progress.tsx';
import { isOperationOver, useOperations } from '../../../shared/operations/operations.ts';
import { t } from '../../../shared/messages.ts';
import { can } from '../../../shared/session.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { FileDrop } from '../../../ui/controls/file-drop.tsx';
import { archiveImportsOptions, type ArchiveImport } from '../data-queries.ts';
import { isOfArchiveImport, useArchiveImportActions } from './archive-import-actions.ts';
import { ArchiveImportDialog } from './archive-import-dialog.tsx';

/** An archive comes in again: a file to choose, the one that lies here, and those that can be taken back. */
export function ReadInArchive() {
  const [from, setFrom] = useState<File | ArchiveImport>();
  const running = useOperations().find(
    (operation) => isOfArchiveImport(operation) && !isOperationOver(operation),
  );
  const mayManage = can('settings:manage');
  const mayRead = operationKinds['archive-check'].access.every(can);
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
      {running && !from ? <OperationProgress operation={running} /> : null}
      {mayManage ? (
        <Readings
          mayRead={mayRead && running === undefined}
          isBusy={running !== undefined}
          onOpen={setFrom}
        />
      ) : null}
      {from ? <ArchiveImportDialog from={from} onClose={() => setFrom(undefined)} /> : null}
    </section>
  );
}

interface ReadingsProps {
  mayRead: boolean;
  isBusy: boolean;
  onOpen: (reading: ArchiveImport) => void;
}

function Readings({ mayRead, isBusy, onOpen }: ReadingsProps) {
  const { data } = useQuery(archiveImportsOptions());
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

function Reading({ reading, mayRead, isBusy, onOpen }: ReadingsProps & { reading: ArchiveImport }) {
  const { fileName, bytes, by, createdAt, replacedAt, undoableUntil, undoneAt } = reading;
  const { askToDrop, askToUndo } = useArchiveImportActions(reading);
  const mayReplace = operationKinds['archive-replacement'].access.every(can);
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
