import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { notify } from '../../ui/toast.ts';
import { useAction } from '../actions/use-action.ts';
import { orpc } from '../api.ts';
import { errorMessage } from '../error-message.ts';
import { undoRemoval } from '../contacts/bulk-removal.ts';
import { t } from '../messages.ts';
import { can } from '../session.ts';
import { OperationRow } from './operation-row.tsx';
import { outcomeOf, titleOf } from './operation-messages.ts';
import { isOperationOver, type Operation } from './operations.ts';

/** The lines of the banner, and what it tells of the one that has just ended. Load the catalogue `long-acts` before. */
export function OperationList({
  operations,
  ended,
}: {
  operations: readonly Operation[];
  ended: Operation | undefined;
}) {
  const [isWhole, setWhole] = useState(false);
  const shown = operations.filter(
    (operation) => operation.kind !== 'contact-restore' || !isOperationOver(operation),
  );
  const over = shown.filter(isOperationOver);
  // What has ended must not take the page's place: one that failed, or the last one, stands for all until somebody wants to see them.
  const standing = over.find(({ state }) => state === 'failed') ?? over[0];
  const folded = isWhole ? [] : over.filter((operation) => operation !== standing);
  return (
    <>
      <p role="status" className="sr-only">
        {ended ? `${titleOf(ended)}: ${outcomeOf(ended)}` : ''}
      </p>
      {shown.length > 0 ? (
        <section
          data-banner
          aria-label={t('operations.label')}
          className="flex max-h-[40dvh] shrink-0 flex-wrap items-end overflow-y-auto border-b border-border bg-raised"
        >
          <ul className="min-w-0 grow basis-80 divide-y divide-border">
            {shown
              .filter((operation) => !folded.includes(operation))
              .map((operation) => (
                <OperationRow
                  key={operation.id}
                  operation={operation}
                  onUndo={undoOf(operation, operations)}
                />
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
                {isWhole ? t('operations.showFewer') : t('ui.more', { n: folded.length })}
              </Button>
              <PutAllAway operations={shown} />
            </div>
          ) : null}
        </section>
      ) : null}
    </>
  );
}

/** Offered where one by one would be work. */
function PutAllAway({ operations }: { operations: readonly Operation[] }) {
  const queryClient = useQueryClient();
  const dismissAll = useAction(orpc.operations.dismissAll.mutationOptions());
  if (operations.filter((operation) => operation.isOwn && isOperationOver(operation)).length < 2) return null;
  async function putAway(): Promise<void> {
    await dismissAll.mutateAsync({}).catch((error: unknown) => notify.error(errorMessage(error)));
    await queryClient.invalidateQueries({ queryKey: orpc.operations.key() });
  }
  return (
    <Button size="small" loading={dismissAll.isPending} onClick={() => void putAway()}>
      {t('operations.dismissAll')}
    </Button>
  );
}

/** A deletion that took somebody and was not turned round yet. */
function undoOf({ id, kind, done, state }: Operation, operations: readonly Operation[]) {
  const isTurned = operations.some(({ subject, state: its }) => subject === id && its !== 'failed');
  const isOffered =
    kind === 'contact-removal' && state !== 'failed' && done > 0 && !isTurned && can('contacts:delete');
  return isOffered ? () => undoRemoval(id) : undefined;
}
