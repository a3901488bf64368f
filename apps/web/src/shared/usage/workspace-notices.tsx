import { SampleHint } from '../sample/sample-hint.tsx';
import { UsageBanner } from './usage-banner.tsx';

/** What stands above every page for those who set the workspace up; on a telephone above the home alone, for it takes half a page. */
export function WorkspaceNotices() {
  return (
    <div className="shrink-0 max-md:in-[body:not(:has([data-home]))]:hidden">
      <SampleHint />
      <UsageBanner />
    </div>
  );
}
