import { t } from '../messages.ts';
import { formatBytes } from '../formats.ts';
import { Progress } from '../../ui/progress.tsx';
import { standOf, titleOf } from './act-words.ts';
import type { LongAct } from './long-acts.ts';

/** Of which it is told how much of their file was read. */
const kindsOfFiles: ReadonlySet<LongAct['kind']> = new Set([
  ...(['contact-import', 'data-import', 'data-replacement', 'archive-check', 'archive-replacement'] as const),
]);

/** The bar of one act, with how it stands. */
export function ActProgress({ act }: { act: LongAct }) {
  const { done, total, secondsLeft } = act;
  const isOfBytes = kindsOfFiles.has(act.kind) && act.phase !== 'saving';
  const stand = standOf(act);
  return (
    <div className="grid gap-1">
      <Progress
        label={titleOf(act)}
        done={isOfBytes ? Math.round(done / 1000) : done}
        total={Math.max(1, isOfBytes ? Math.round((total ?? done) / 1000) : (total ?? done))}
        hideCounts={isOfBytes || total === null || act.kind === 'workspace-archive'}
        secondsLeft={secondsLeft ?? undefined}
      />
      <p className="text-sm text-muted tabular-nums empty:hidden">
        {[
          stand,
          isOfBytes && total !== null
            ? t('longActs.bytes', { done: formatBytes(done), total: formatBytes(total) })
            : null,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </div>
  );
}
