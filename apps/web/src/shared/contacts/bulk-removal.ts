import { api, newKey, orpc, readFailure } from '../api.ts';
import { errorMessage } from '../error-message.ts';
import { loadMessages, t } from '../messages.ts';
import { queryClient } from '../query-client.ts';
import { notifyWithUndo } from '../undo.ts';
import { followOperation } from '../operations/follow-operation.ts';
import { isOperationOver, type Operation } from '../operations/operations.ts';
import { notify } from '../../ui/toast.ts';
import { refreshContacts } from './contacts-queries.ts';

export type ContactChoice = Parameters<typeof api.contactRemovals.start>[0]['choice'];

/**
 * Deletes all chosen contacts. Resolves when it is done or goes on in the background; this tab then tells the outcome
 * later, also when the page was left, and the banner shows it everywhere. False when nothing was begun.
 */
export async function removeChosen(choice: ContactChoice): Promise<boolean> {
  const removalId = newKey();
  try {
    void tellWhenDone(await api.contactRemovals.start({ removalId, choice }));
    return true;
  } catch (error) {
    notify.error(errorMessage(error));
    return false;
  } finally {
    await refreshAll();
  }
}

/** Brings the contacts of a deletion back; one that still goes on stops first. */
export async function undoRemoval(removalId: string): Promise<void> {
  await loadMessages('contacts');
  try {
    void tellWhenDone(await api.contactRemovals.undo({ removalId }));
  } catch (error) {
    const isLate = readFailure(error).code === 'contact_removal_not_undoable';
    notify.error(isLate ? t('contacts.bulk.undoLate') : errorMessage(error));
  }
  await refreshAll();
}

async function tellWhenDone(begun: Operation): Promise<void> {
  const operation = isOperationOver(begun) ? begun : await followOperation(begun.id);
  if (!operation) return;
  if (operation !== begun) await refreshAll();
  const { kind, state, done, total } = operation;
  if (state !== 'done') return;
  if (kind === 'contact-removal') {
    const title = t('contacts.bulk.deleted', { n: done });
    notifyWithUndo(title, () => undoRemoval(operation.id), { isLarge: true });
  } else {
    const missing = (total ?? done) - done;
    notify.success(t('contacts.bulk.restored', { n: done }), {
      text: missing > 0 ? t('contacts.bulk.notRestored', { n: missing }) : undefined,
    });
  }
}

async function refreshAll(): Promise<void> {
  await Promise.all([
    refreshContacts(queryClient),
    queryClient.invalidateQueries({ queryKey: orpc.operations.key() }),
  ]);
}
