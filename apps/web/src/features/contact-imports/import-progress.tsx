import { formatBytes } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Progress } from '../../ui/progress.tsx';
import type { RunningImport } from './running-import.ts';

/** First the file is read, then its contacts are saved; each has a bar of its own. */
export function ImportProgress({ running }: { running: RunningImport }) {
  const { result, fileName } = running;
  if (!result || result.phase === 'reading') {
    const received = result?.receivedBytes ?? 0;
    const total = result?.totalBytes ?? received;
    return (
      <div className="grid gap-1">
        <Progress
          label={t('contacts.importReading', { file: fileName })}
          done={Math.round(received / 1000)}
          total={Math.max(1, Math.round(total / 1000))}
          hideCounts
          secondsLeft={secondsLeft(result?.createdAt, received, total)}
        />
        <p className="text-sm text-muted tabular-nums">
          {t('contacts.importReadingBytes', {
            done: formatBytes(received),
            total: formatBytes(total),
            rows: result?.rows ?? 0,
          })}
        </p>
      </div>
    );
  }
  return <Progress label={t('contacts.importSaving')} done={result.total} total={result.rows} />;
}

function secondsLeft(begunAt: string | undefined, done: number, total: number): number | undefined {
  if (!begunAt || done === 0 || total <= done) return undefined;
  const seconds = (Date.now() - Date.parse(begunAt)) / 1000;
  return seconds < 3 ? undefined : (seconds / done) * (total - done);
}
