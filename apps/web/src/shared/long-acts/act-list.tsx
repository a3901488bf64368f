import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { notify } from '../../ui/toast.ts';
import { useAct } from '../acts/use-act.ts';
import { orpc } from '../api.ts';
import { failureText } from '../failure-text.ts';
import { undoRemoval } from '../contacts/bulk-removal.ts';
import { t } from '../messages.ts';
import { can } from '../session.ts';
import { ActRow } from './act-row.tsx';
import { outcomeOf, titleOf } from './act-words.ts';
import { isActOver, type LongAct } from './long-acts.ts';

/** The lines of the banner, and what it tells of the one that has just ended. Load the catalogue `long-acts` before. */
export function ActList({ acts, ended }: { acts: readonly LongAct[]; ended: LongAct | undefined }) {
  const [isWhole, setWhole] = useState(false);
  const shown = acts.filter((act) => act.kind !== 'contact-restore' || !isActOver(act));
  const over = shown.filter(isActOver);
  // What has ended must not take the page's place: one that failed, or the last one, stands for all until somebody wants to see them.
  const standing = over.find(({ state }) => state === 'failed') ?? over[0];
  const folded = isWhole ? [] : over.filter((act) => act !== standing);
  return (
    <>
      <p role="status" className="sr-only">
        {ended ? `${titleOf(ended)}: ${outcomeOf(ended)}` : ''}
      </p>
      {shown.length > 0 ? (
        <section
          aria-label={t('longActs.label')}
          className="flex max-h-[40dvh] shrink-0 flex-wrap items-end overflow-y-auto border-b border-border bg-raised"
        >
          <ul className="min-w-0 grow basis-80 divide-y divide-border">
            {shown
              .filter((act) => !folded.includes(act))
              .map((act) => (
                <ActRow key={act.id} act={act} onUndo={undoOf(act, acts)} />
              ))}
          </ul>
          {over.length > 1 ? (
            <div className="ml-auto flex flex-wrap justify-end gap-2 px-4 pb-2 lg:pl-0">
              <Button
                size="small"
                variant="ghost"
                aria-expanded={isWhole}
                onClick={() => setWhole((before) => !before)}
              >
                {isWhole ? t('longActs.showFewer') : t('ui.more', { n: folded.length })}
              </Button>
              <PutAllAway acts={shown} />
            </div>
          ) : null}
        </section>
      ) : null}
    </>
  );
}

/** Offered where one by one would be work. */
function PutAllAway({ acts }: { acts: readonly LongAct[] }) {
  const queryClient = useQueryClient();
  const dismissAll = useAct(orpc.longActs.dismissAll.mutationOptions());
  if (acts.filter((act) => act.isOwn && isActOver(act)).length < 2) return null;
  async function putAway(): Promise<void> {
    await dismissAll.mutateAsync({}).catch((error: unknown) => notify.error(failureText(error)));
    await queryClient.invalidateQueries({ queryKey: orpc.longActs.key() });
  }
  return (
    <Button size="small" loading={dismissAll.isPending} onClick={() => void putAway()}>
      {t('longActs.dismissAll')}
    </Button>
  );
}

/** A deletion that took somebody and was not turned round yet. */
function undoOf({ id, kind, done, state }: LongAct, acts: readonly LongAct[]) {
  const isTurned = acts.some(({ subject, state: its }) => subject === id && its !== 'failed');
  const isOffered =
    kind === 'contact-removal' && state !== 'failed' && done > 0 && !isTurned && can('contacts:delete');
  return isOffered ? () => undoRemoval(id) : undefined;
}
