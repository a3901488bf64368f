import { useLocation } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { lazyDetail } from '../../ui/load-file.ts';
import { loadMessages } from '../messages.ts';
import { paths } from '../paths.ts';
import { useSession } from '../session.ts';

const SampleLine = lazyDetail(async () => {
  await loadMessages('sample');
  return (await import('./sample-line.tsx')).SampleLine;
});

/** Of this tab, for as long as it is open. */
const HIDDEN = 'sample-hint-hidden';

/** Says on each page of the sample that it is one, and where a business begins; not where that act stands itself. */
export function SampleHint() {
  const session = useSession();
  const { pathname, search } = useLocation();
  const [isHidden, setHidden] = useState(() => sessionStorage.getItem(HIDDEN) !== null);
  if (session.status !== 'signed-in' || !session.workspace.isSample || isHidden) return null;
  if (pathname === paths.settings && (search as { tab?: unknown }).tab === 'data') return null;
  return (
    <Suspense>
      <SampleLine
        onHide={() => {
          sessionStorage.setItem(HIDDEN, 'yes');
          setHidden(true);
        }}
      />
    </Suspense>
  );
}
