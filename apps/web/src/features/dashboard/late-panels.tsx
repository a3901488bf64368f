import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Suspense } from 'react';
import { loadMessages } from '../../shared/messages.ts';
import { useSession } from '../../shared/session.ts';
import { partAhead } from './part-ahead.ts';
import { attentionOptions, startOptions } from './dashboard-queries.ts';
import { PanelPlace } from './panel-place.tsx';

// With their words. They are no part of the frame's file, and come beside what they show.
const HomePanels = partAhead(async () => {
  const [panels] = await Promise.all([import('./panels/home-panels.tsx'), loadMessages('home', 'sample')]);
  return panels.HomePanels;
});

/** Loads the panels at the top of the home. */
export const loadPanels = HomePanels.load;

/** What needs attention, and the first steps. Until both are known, the place of what most users see is reserved. */
export function LatePanels() {
  const session = useSession();
  const isSample = session.status === 'signed-in' && session.workspace.isSample;
  const start = useQuery(startOptions);
  const attention = useQuery(attentionOptions);
  if (isUnknown(start) || isUnknown(attention)) return isSample ? samplePlace : place;
  return (
    <Suspense fallback={isSample ? samplePlace : attention.data?.items.length === 0 ? null : place}>
      <HomePanels />
    </Suspense>
  );
}

function isUnknown({ data, error }: UseQueryResult<unknown>): boolean {
  return data === undefined && error === null;
}

// A no-break space has the height of the title, whose words come with the panels.
const place = <PanelPlace title={'\u00A0'} rows={1} rowClass="h-11" />;
const samplePlace = (
  <>
    {place}
    <PanelPlace title={'\u00A0'} rows={4} />
  </>
);
