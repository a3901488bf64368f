import { Suspense } from 'react';
import { loadMessages } from '../../../shared/messages.ts';
import { lazyDetail } from '../../../ui/load-file.ts';
import { Skeleton } from '../../../ui/states.tsx';
import type { CampaignDetails } from '../campaigns-queries.ts';

const AbTestPanel = lazyDetail(async () => {
  await loadMessages('ab-tests');
  return (await import('./ab-test-panel.tsx')).AbTestPanel;
});

/** The test of a campaign, loaded where there is one. A retry repeats the variants and tests nothing. */
export function AbTestPlace({ campaign }: { campaign: CampaignDetails }) {
  const { abTest, audience } = campaign;
  if (abTest === null || 'failedOf' in audience) return null;
  return (
    <Suspense fallback={<Skeleton className="h-56 w-full" />}>
      <AbTestPanel campaign={campaign} test={abTest} />
    </Suspense>
  );
}
