import { orpc } from '../api.ts';
import { refreshContacts } from './contacts-queries.ts';
import { followAct } from '../long-acts/follow-act.ts';
import { isActOver, type LongAct } from '../long-acts/long-acts.ts';
import { dismissAct } from '../long-acts/dismiss-act.ts';
import { t } from '../messages.ts';
import { queryClient } from '../query-client.ts';
import { notify } from '../../ui/toast.ts';

/** Says what an edit of many came to, when it is over; until then the banner shows how far it is, and then says nothing a second time. `say` in place of how many were changed. */
export async function tellEdited(
  begun: LongAct,
  say = (changed: number) => t('contacts.bulk.done', { n: changed }),
): Promise<void> {
  const act = isActOver(begun) ? begun : await followAct(begun.id);
  if (act?.state === 'done') notify.success(say(act.result.changed ?? 0));
  await Promise.all([
    refreshContacts(queryClient),
    act?.state === 'done'
      ? dismissAct(act.id)
      : queryClient.invalidateQueries({ queryKey: orpc.longActs.key() }),
  ]);
}
