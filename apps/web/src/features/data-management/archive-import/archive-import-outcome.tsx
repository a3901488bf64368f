import { archiveCounts } from '@app/domain/data-management/archive-import';
import { formatDateTime } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { Banner } from '../../../ui/states.tsx';
import { CountTable } from '../count-table.tsx';
import type { ArchiveImport } from '../data-queries.ts';
import { People, ArchiveImportRules, type ArchiveReport } from './archive-import-preview.tsx';

interface ArchiveImportOutcomeProps {
  reading: ArchiveImport;
  report: ArchiveReport;
  onClose: () => void;
}

/** What came, what stayed behind, and until when it can be taken back. */
export function ArchiveImportOutcome({ reading, report, onClose }: ArchiveImportOutcomeProps) {
  return (
    <Dialog
      open
      size="large"
      title={t('dataManagement.reading.done')}
      description={reading.fileName}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('common.close')}
        </Button>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {reading.undoableUntil ? (
          <Banner tone="success">
            {t('dataManagement.reading.undoableUntil', { time: formatDateTime(reading.undoableUntil) })}
          </Banner>
        ) : null}
        <CountTable
          label={t('dataManagement.reading.came')}
          columns={[t('dataManagement.reading.came')]}
          rows={archiveCounts.map((kind) => ({
            name: t(`dataManagement.reading.kind.${kind}`),
            counts: [report.holds[kind]],
          }))}
        />
        <People people={report.people.filter(({ isHere }) => !isHere)} />
        <ArchiveImportRules hasSecrets={report.hasSecrets} />
      </div>
    </Dialog>
  );
}
