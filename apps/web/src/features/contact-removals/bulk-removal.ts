import { api, newKey, readFailure } from '../../shared/api.ts';
import { failureText } from '../../shared/failure-text.ts';
import { t } from '../../shared/messages.ts';
import { queryClient } from '../../shared/query-client.ts';
import { notifyWithUndo } from '../../shared/undo.ts';
import { notify } from '../../ui/toast.ts';
import { refreshContacts } from '../../shared/contacts/contacts-queries.ts';

export type Removal = Awaited<ReturnType<typeof api.contactRemovals.get>>;
export type ContactChoice = Parameters<typeof api.contactRemovals.start>[0]['choice'];

const POLL_MS = 800;

/**
 * Deletes all chosen contacts. Resolves when it is done or goes on in the background; this tab then tells the outcome
 * later, also when the page was left. False when nothing was begun.
 */
export async function removeChosen(choice: ContactChoice): Promise<boolean> {
  const removalId = newKey();
  try {
    const removal = await api.contactRemovals.start({ removalId, choice });
    void tellWhenDone(removal);
    return true;
  } catch (error) {
    notify.error(failureText(error));
    return false;
  } finally {
    await refreshContacts(queryClient);
  }
}

/** Brings the contacts of a deletion back; one that still goes on stops first. */
export async function undoRemoval(removalId: string): Promise<void> {
  try {
    void tellWhenDone(await api.contactRemovals.undo({ removalId }));
  } catch (error) {
    const isLate = readFailure(error).code === 'contact_removal_not_undoable';
    notify.error(isLate ? t('contacts.bulk.undoLate') : failureText(error));
  }
  await refreshContacts(queryClient);
}

async function tellWhenDone(begun: Removal): Promise<void> {
  const { state: goal } = begun;
  const removal = await readUntilDone(begun);
  if (!removal) return;
  await refreshContacts(queryClient);
  if (removal.state === 'removed') {
    const title = t('contacts.bulk.deleted', { n: removal.removed });
    notifyWithUndo(title, () => undoRemoval(removal.id), { isLarge: true });
  } else if (goal === 'restoring' || goal === 'restored') {
    const missing = removal.removed - removal.restored;
    notify.success(t('contacts.bulk.restored', { n: removal.restored }), {
      text: missing > 0 ? t('contacts.bulk.notRestored', { n: missing }) : undefined,
    });
  }
}

/** Null when the server could not be asked any more. */
async function readUntilDone(removal: Removal): Promise<Removal | null> {
  let now = removal;
  let misses = 0;
  while (now.state === 'removing' || now.state === 'restoring') {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    try {
      now = await api.contactRemovals.get({ removalId: removal.id });
      misses = 0;
    } catch {
      misses += 1;
      if (misses > 20) return null;
    }
  }
  return now;
}
