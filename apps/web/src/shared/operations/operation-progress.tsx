import { t } from '../messages.ts';
import { formatBytes } from '../formats.ts';
import { Progress } from '../../ui/progress.tsx';
import { standOf, titleOf } from './operation-messages.ts';
import type { Operation } from './operations.ts';

/** Of which it is told how much of their file was read. */
const kindsOfFiles: ReadonlySet<Operation['kind']> = new Set([
  ...(['contact-import', 'data-import', 'data-replacement', 'archive-check', 'archive-replacement'] as const),
]);

/** The bar of one act, with how it stands. */
export function OperationProgress({ operation }: { operation: Operation }) {
  const { done, total, secondsLeft } = operation;
  const isOfBytes = kindsOfFiles.has(operation.kind) && operation.phase !== 'saving';
  const stand = standOf(operation);
  return (
    <div className="grid gap-1">
      <Progress
        label={titleOf(operation)}
        done={isOfBytes ? Math.round(done / 1000) : done}
        total={Math.max(1, isOfBytes ? Math.round((total ?? done) / 1000) : (total ?? done))}
        hideCounts={isOfBytes || total === null || operation.kind === 'workspace-archive'}
        secondsLeft={secondsLeft ?? undefined}
      />
      <p className="text-sm text-muted tabular-nums empty:hidden">
        {[
          stand,
          isOfBytes && total !== null
            ? t('operations.bytes', { done: formatBytes(done), total: formatBytes(total) })
            : null,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </div>
  );
}
