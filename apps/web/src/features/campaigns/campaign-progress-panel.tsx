import { useEffect, useRef, useState } from 'react';
import { estimateSecondsLeft, type PendingSample } from '@app/domain/campaigns/campaign-progress';
import { t } from '../../shared/messages.ts';
import { Panel } from '../../ui/page-frame.tsx';
import { Progress, ProgressParts } from '../../ui/progress.tsx';
import { CampaignStats, progressParts } from './campaign-stats.tsx';
import { countsOf, type Campaign } from './campaigns-queries.ts';

/** How far the campaign is, when it will be done and what became of each recipient. */
export function CampaignProgressPanel({ campaign }: { campaign: Campaign }) {
  const { status } = campaign;
  const counts = countsOf(campaign);
  const secondsLeft = useSecondsLeft(campaign);
  return (
    <Panel title={t('campaigns.page.progress')}>
      <div className="flex flex-col gap-6">
        {counts.pending > 0 || status === 'running' ? (
          <Progress
            label={t('campaigns.page.done')}
            done={counts.total - counts.pending}
            total={counts.total}
            secondsLeft={status === 'running' ? secondsLeft : undefined}
          />
        ) : null}
        <ProgressParts
          label={t('campaigns.page.progressOf')}
          parts={progressParts(counts)}
          total={counts.total}
        />
        {status === 'draft' ? null : (
          <div className="border-t border-border pt-4">
            <CampaignStats counts={counts} wide />
          </div>
        )}
      </div>
    </Panel>
  );
}

const WINDOW_MS = 20_000;

/** Judged by what the last seconds brought; undefined until they tell something. */
function useSecondsLeft({ id, status, counts }: Campaign): number | undefined {
  const [secondsLeft, setSecondsLeft] = useState<number>();
  const pending = useRef(counts.pending);
  useEffect(() => {
    pending.current = counts.pending;
  });
  useEffect(() => {
    if (status !== 'running') return undefined;
    // Begun anew after a pause: what was seen before it says nothing about now.
    let samples: PendingSample[] = [];
    const timer = setInterval(() => {
      const at = Date.now();
      samples = [...samples.filter((sample) => at - sample.at < WINDOW_MS), { at, pending: pending.current }];
      setSecondsLeft(estimateSecondsLeft(samples) ?? undefined);
    }, 1000);
    return () => clearInterval(timer);
  }, [id, status]);
  return secondsLeft;
}
