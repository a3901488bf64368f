import { OperationsBanner } from '../../shared/operations/operations-banner.tsx';
import { SampleHint } from '../../shared/sample/sample-hint.tsx';
import { UsageBanner } from '../../shared/usage/usage-banner.tsx';
import { OfflineBanner } from './offline-banner.tsx';

/**
 * The banners above the page, the most urgent first: `banner-slot` shows the first that has something to say. `hasNotices`: also
 * limits of the plan and the sample, for those who set the workspace up. On a phone these stand above the home page alone, because
 * they take half a page.
 */
export function Banners({ hasNotices }: { hasNotices: boolean }) {
  return (
    <div className="banner-slot shrink-0">
      <OfflineBanner />
      <OperationsBanner />
      {hasNotices ? (
        <>
          <UsageBanner />
          <SampleHint />
        </>
      ) : null}
    </div>
  );
}
