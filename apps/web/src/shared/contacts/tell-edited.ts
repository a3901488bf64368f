import { orpc } from '../api.ts';
import { refreshContacts } from './contacts-queries.ts';
import { followOperation } from '../operations/follow-operation.ts';
import { isOperationOver, type Operation } from '../operations/operations.ts';
import { dismissOperation } from '../operations/dismiss-operation.ts';
import { t } from '../messages.ts';
import { queryClient } from '../query-client.ts';
import { notify } from '../../ui/toast.ts';

/** Says what an edit of many came to, when it is over; until then the banner shows how far it is, and then says nothing a second time. `say` in place of how many were changed. */
export async function tellEdited(
  begun: Operation,
  say = (changed: number) => t('contacts.bulk.done', { n: changed }),
): Promise<void> {
  const operation = isOperationOver(begun) ? begun : await followOperation(begun.id);
  if (operation?.state === 'done') notify.success(say(operation.result.changed ?? 0));
  await Promise.all([
    refreshContacts(queryClient),
    operation?.state === 'done'
      ? dismissOperation(operation.id)
      : queryClient.invalidateQueries({ queryKey: orpc.operations.key() }),
  ]);
}
