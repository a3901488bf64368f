import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { ImportProgress } from './import-progress.tsx';
import { isOver, useRunningImport } from './running-import.ts';

/** Stands above the list while an import goes on behind the closed dialog. */
export function ImportBanner({ onShow }: { onShow: () => void }) {
  const running = useRunningImport();
  if (!running || isOver(running)) return null;
  return (
    <div className="mb-4 flex flex-wrap items-center gap-4 rounded-card border border-border bg-raised px-4 py-3">
      <div className="min-w-48 flex-1">
        <ImportProgress running={running} />
      </div>
      <Button size="small" onClick={onShow}>
        {t('contacts.importShow')}
      </Button>
    </div>
  );
}
