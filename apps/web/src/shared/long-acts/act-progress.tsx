import { t } from '../messages.ts';
import { formatBytes } from '../formats.ts';
import { Progress } from '../../ui/progress.tsx';
import { standOf, titleOf } from './act-words.ts';
import type { LongAct } from './long-acts.ts';

/** The bar of one act, with how it stands. */
export function ActProgress({ act }: { act: LongAct }) {
  const { done, total, secondsLeft } = act;
  const isOfFile = act.kind === 'contact-import' || act.kind === 'data-import';
  const isOfBytes = isOfFile && act.phase !== 'saving';
  const stand = standOf(act);
  return (
    <div className="grid gap-1">
      <Progress
        label={titleOf(act)}
        done={isOfBytes ? Math.round(done / 1000) : done}
        total={Math.max(1, isOfBytes ? Math.round((total ?? done) / 1000) : (total ?? done))}
        hideCounts={isOfBytes || total === null}
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
