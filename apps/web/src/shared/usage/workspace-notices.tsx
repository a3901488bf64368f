import { SampleHint } from '../sample/sample-hint.tsx';
import { UsageBanner } from './usage-banner.tsx';

/** Banners for those who set the workspace up. On a phone they stand above the home page alone, because they take half a page. */
export function WorkspaceNotices() {
  return (
    <>
      <UsageBanner />
      <SampleHint />
    </>
  );
}
