import { useEffect, useRef, useState } from 'react';
import { undoRemoval } from '../contacts/bulk-removal.ts';
import { t } from '../messages.ts';
import { can } from '../session.ts';
import { ActRow } from './act-row.tsx';
import { outcomeOf, titleOf } from './act-words.ts';
import { isActOver, useLongActs, type LongAct } from './long-acts.ts';

/** Everything that takes long and goes on, or came to an end a short while ago: on every page, in every tab. */
export function LongActsBanner() {
  const acts = useLongActs();
  const shown = acts.filter((act) => act.kind !== 'contact-restore' || !isActOver(act));
  const ended = useEnded(acts);
  return (
    <>
      <p role="status" className="sr-only">
        {ended ? `${titleOf(ended)}: ${outcomeOf(ended)}` : ''}
      </p>
      {shown.length > 0 ? (
        <section
          aria-label={t('longActs.label')}
          className="max-h-[40dvh] shrink-0 overflow-y-auto border-b border-border bg-raised"
        >
          <ul className="divide-y divide-border">
            {shown.map((act) => (
              <ActRow key={act.id} act={act} onUndo={undoOf(act, acts)} />
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
}

/** A deletion that took somebody and was not turned round yet. */
function undoOf({ id, kind, done, state }: LongAct, acts: readonly LongAct[]) {
  const isTurned = acts.some(({ subject, state: its }) => subject === id && its !== 'failed');
  const isOffered =
    kind === 'contact-removal' && state !== 'failed' && done > 0 && !isTurned && can('contacts:delete');
  return isOffered ? () => undoRemoval(id) : undefined;
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
