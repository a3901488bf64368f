import { useLocation } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { lazyDetail } from '../../ui/load-file.ts';
import { loadMessages } from '../messages.ts';
import { paths } from '../paths.ts';
import { useSession } from '../session.ts';
import { hideSampleHint, isSampleHintDue } from './sample-hint-due.ts';
import { SampleHintPlace } from './sample-hint-place.tsx';

const SampleLine = lazyDetail(async () => {
  await loadMessages('sample');
  return (await import('./sample-line.tsx')).SampleLine;
});

/** Says on each page of the sample that it is one, and where a business begins; not where that act stands itself. */
export function SampleHint() {
  const session = useSession();
  const { pathname, search } = useLocation();
  const [isHidden, setHidden] = useState(false);
  if (session.status !== 'signed-in' || isHidden || !isSampleHintDue(session.workspace)) return null;
  if (pathname === paths.settings && (search as { tab?: unknown }).tab === 'data') return null;
  return (
    <Suspense fallback={<SampleHintPlace />}>
      <SampleLine
        onHide={() => {
          hideSampleHint();
          setHidden(true);
        }}
      />
    </Suspense>
  );
}
