import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Suspense } from 'react';
import { loadMessages } from '../../shared/messages.ts';
import { useSession } from '../../shared/session.ts';
import { lazyDetail } from '../../ui/load-file.ts';
import { attentionOptions, startOptions } from './dashboard-queries.ts';
import { PanelPlace } from './panel-place.tsx';

/** The panels at the top of the home with their words. They are no part of the frame's file, and come beside what they show. */
export async function loadPanels() {
  const [{ HomePanels }] = await Promise.all([
    import('./panels/home-panels.tsx'),
    loadMessages('home', 'sample'),
  ]);
  return HomePanels;
}

const HomePanels = lazyDetail(loadPanels);

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
