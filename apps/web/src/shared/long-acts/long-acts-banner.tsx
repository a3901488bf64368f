import { Suspense, useEffect, useRef, useState } from 'react';
import { lazyDetail } from '../../ui/load-file.ts';
import { loadMessages } from '../messages.ts';
import { isActOver, useLongActs, type LongAct } from './long-acts.ts';

const ActList = lazyDetail(async () => {
  await loadMessages('long-acts');
  return (await import('./act-list.tsx')).ActList;
});

/**
 * Everything that takes long and goes on, or came to an end a short while ago: on every page, in every tab. Lines and words come
 * with the first of them.
 */
export function LongActsBanner() {
  const acts = useLongActs();
  const ended = useEnded(acts);
  if (acts.length === 0 && !ended) return null;
  return (
    <Suspense>
      <ActList acts={acts} ended={ended} />
    </Suspense>
  );
}

/** The last one that came to its end while this tab looked on. */
function useEnded(acts: readonly LongAct[]): LongAct | undefined {
  const before = useRef(new Set<string>());
  const [ended, setEnded] = useState<LongAct>();
  useEffect(() => {
    const now = acts.find((act) => isActOver(act) && before.current.has(act.id));
    if (now) setEnded(now);
    before.current = new Set(acts.filter((act) => !isActOver(act)).map(({ id }) => id));
  }, [acts]);
  return ended;
}
