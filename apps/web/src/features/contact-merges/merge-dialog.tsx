import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { newKey, orpc, readFailure } from '../../shared/api.ts';
import { useCustomFields } from '../../shared/contacts/custom-fields.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { notifyWithUndo } from '../../shared/undo.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Banner, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { contactOptions, refreshContacts, type Contact } from '../../shared/contacts/contacts-queries.ts';
import { MergeChoices } from './merge-choices.tsx';
import { mergeRows, readPicks, suggestSurvivor, type Merging, type Picks } from './merge-fields.ts';
import { useUndoMerge } from './use-merge.ts';

/** The contacts side by side, field by field; whoever merges picks what stays. */
export function MergeDialog({
  contactIds,
  onMerged,
  onClose,
}: {
  contactIds: readonly string[];
  onMerged: () => void;
  onClose: () => void;
}) {
  const found = useQueries({ queries: contactIds.map((id) => ({ ...contactOptions(id), staleTime: 0 })) });
  const fields = useCustomFields();
  const [survivorId, setSurvivorId] = useState<string>();
  const [picks, setPicks] = useState<Picks>({});
  const formId = useId();
  const contacts = inOrder(
    found.flatMap(({ data }) => data ?? []),
    survivorId,
  );
  const failure = found.find(({ isError }) => isError)?.error;
  const isReady =
    contacts !== null && contacts.length === contactIds.length && fields !== undefined && !failure;
  const state = isReady
    ? contacts
        .map(({ id, version }) => `${id} ${version}`)
        .toSorted()
        .join()
    : undefined;
  const [firstState, setFirstState] = useState<string>();
  if (state !== undefined && firstState === undefined) setFirstState(state);
  const act = useMerge({ contacts, picks, onMerged, onClose });

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      size={contactIds.length > 3 ? 'wide' : 'large'}
      keepOpenOnOutsidePress
      title={t('contacts.merge.title', { n: contactIds.length })}
      description={t('contacts.merge.purpose')}
      footer={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button variant="primary" type="submit" form={formId} disabled={!isReady} loading={act.isMerging}>
            {t('contacts.merge.do')}
          </Button>
        </>
      }
    >
      {failure ? (
        <ErrorState
          text={mergeErrorMessage(failure)}
          onRetry={() => void Promise.all(found.map(({ refetch }) => refetch()))}
        />
      ) : isReady ? (
        <form
          id={formId}
          className="grid gap-5"
          onSubmit={(event) => {
            event.preventDefault();
            void act.merge();
          }}
        >
          {act.refusal ? (
            <Banner tone="danger">{act.refusal}</Banner>
          ) : state !== firstState ? (
            // Somebody's change arrived while this was open; nothing is taken over unseen.
            <Banner tone="warning">{t('contacts.merge.error.changed')}</Banner>
          ) : null}
          <MergeChoices
            contacts={contacts}
            rows={mergeRows(contacts, fields)}
            picks={picks}
            onPick={(row, contactId) => setPicks((before) => ({ ...before, [row]: contactId }))}
            onSurvivor={setSurvivorId}
          />
        </form>
      ) : (
        <SkeletonRegion className="grid gap-4">
          {[1, 2, 3, 4].map((line) => (
            <Skeleton key={line} className="h-14" />
          ))}
        </SkeletonRegion>
      )}
    </Dialog>
  );
}

type Act = { contacts: Merging | null; picks: Picks; onMerged: () => void; onClose: () => void };

function useMerge({ contacts, picks, onMerged, onClose }: Act) {
  const queryClient = useQueryClient();
  const merge = useAction(orpc.contactMerges.merge.mutationOptions());
  const { undo } = useUndoMerge();
  const [refusal, setRefusal] = useState<string>();
  // One id for all presses: a lost answer and a second press merge nothing twice.
  const [mergeId] = useState(() => newKey());
  return {
    isMerging: merge.isPending,
    refusal,
    async merge(): Promise<void> {
      if (!contacts || merge.isPending) return;
      setRefusal(undefined);
      try {
        await merge.mutateAsync({
          mergeId,
          survivorId: contacts[0].id,
          contacts: contacts.map(({ id, version }) => ({ contactId: id, version })),
          ...readPicks(picks),
        });
        notifyWithUndo(t('contacts.merge.done', { n: contacts.length }), () => undo(mergeId), {
          isLarge: true,
        });
        onMerged();
        onClose();
      } catch (error) {
        setRefusal(mergeErrorMessage(error));
      }
      await refreshContacts(queryClient);
    },
  };
}

function mergeErrorMessage(error: unknown): string {
  const { code } = readFailure(error);
  if (code === 'contact_changed') return t('contacts.merge.error.changed');
  if (code === 'contact_not_found') return t('contacts.merge.error.gone');
  return errorMessage(error);
}

function inOrder(contacts: readonly Contact[], survivorId: string | undefined): Merging | null {
  const [first, ...others] = contacts;
  if (!first) return null;
  const id = survivorId ?? suggestSurvivor([first, ...others]);
  const survivor = contacts.find((contact) => contact.id === id) ?? first;
  return [survivor, ...contacts.filter((contact) => contact !== survivor)];
}
