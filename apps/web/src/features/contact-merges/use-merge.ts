import { useQueryClient } from '@tanstack/react-query';
import { orpc, readFailure } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { formatList } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { notify } from '../../ui/toast.ts';
import { refreshContacts } from '../../shared/contacts/contacts-queries.ts';

/** A merge makes changes and takes contacts away, so it needs both. */
export function mayMerge(): boolean {
  return can('contacts:update') && can('contacts:delete');
}

/** Takes a merge back and tells what came of it. */
export function useUndoMerge() {
  const queryClient = useQueryClient();
  const undo = useAction(orpc.contactMerges.undo.mutationOptions());
  return {
    isUndoing: undo.isPending,
    async undo(mergeId: string): Promise<void> {
      try {
        const { restored, kept } = await undo.mutateAsync({ mergeId });
        notify.success(t('contacts.merge.undone', { n: restored }), {
          text: kept.length > 0 ? t('contacts.merge.kept', { fields: fieldList(kept) }) : undefined,
        });
      } catch (error) {
        notify.error(undoErrorMessage(error), { duration: 10_000 });
      }
      await refreshContacts(queryClient);
    },
  };
}

function undoErrorMessage(error: unknown): string {
  const { code, values } = readFailure(error);
  const name = String(values['name'] ?? '');
  switch (code) {
    case 'contact_merge_not_found':
      return t('contacts.merge.error.notFound');
    case 'contact_merge_too_old':
      return t('contacts.merge.error.tooOld');
    case 'contact_merge_survivor_gone':
      return t('contacts.merge.error.survivorGone');
    case 'contact_merge_merged_again':
      return t('contacts.merge.error.mergedAgain', { name });
    case 'contact_merge_number_taken':
      return t('contacts.merge.error.numberTaken', { name });
    case 'contact_erased':
      return t('contacts.merge.error.erased');
    default:
      return errorMessage(error);
  }
}

const shownFields = ['name', 'phone', 'email', 'language', 'status'] as const;

function fieldList(kept: readonly string[]): string {
  const labels = shownFields
    .filter((field) => kept.includes(field))
    .map((field) => t(`contacts.field.${field}`));
  return formatList(labels, 'and');
}
