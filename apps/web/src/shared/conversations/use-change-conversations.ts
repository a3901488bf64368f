import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { errorMessage } from '../error-message.ts';
import { t } from '../messages.ts';
import { notifyWithUndo } from '../undo.ts';
import { notify } from '../../ui/toast.ts';
import { listKeys } from './conversation-keys.ts';
import { conversationOptions } from './conversations-queries.ts';

type Input = Parameters<typeof api.conversations.change>[0];
export type ConversationChange = Input['change'];
type Done = Awaited<ReturnType<typeof api.conversations.change>>;
type Changed = Done['changed'][number];

const AT_ONCE = 200;

/** Does one thing with many conversations, says what came of it, and offers to take it back. */
export function useChangeConversations(): (
  ids: readonly string[],
  change: ConversationChange,
) => Promise<void> {
  const queryClient = useQueryClient();

  async function refresh(ids: readonly string[]): Promise<void> {
    await Promise.all([
      ...listKeys().map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ...ids.map((id) => queryClient.invalidateQueries({ queryKey: conversationOptions(id).queryKey })),
    ]);
  }

  async function undo(steps: readonly Input[]): Promise<void> {
    const ids = steps.flatMap(({ conversations }) => conversations.map(({ id }) => id));
    try {
      const done = await Promise.all(steps.map((step) => api.conversations.change(step)));
      const left = done.reduce((sum, one) => sum + one.left.length, 0);
      if (left > 0) notify.info(t('inbox.undoneBut', { n: left }));
      else notify.success(t('inbox.undone'));
    } catch (error) {
      notify.error(errorMessage(error));
    }
    await refresh(ids);
  }

  return async (ids, change) => {
    const chosen = ids.slice(0, AT_ONCE);
    try {
      const done = await api.conversations.change({ conversations: chosen.map((id) => ({ id })), change });
      tell(done, change, undo);
    } catch (error) {
      notify.error(errorMessage(error));
    }
    await refresh(chosen);
  };
}

/** Pins conversations for the person who asks, or takes the pins away. */
export function usePinConversations(): (ids: readonly string[], isPinned: boolean) => Promise<void> {
  const queryClient = useQueryClient();
  const put = async (conversationIds: readonly string[], isPinned: boolean) => {
    const done = await api.conversations.pinMany({ conversationIds: [...conversationIds], isPinned });
    await Promise.all([
      ...listKeys().map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ...conversationIds.map((id) =>
        queryClient.invalidateQueries({ queryKey: conversationOptions(id).queryKey }),
      ),
    ]);
    return done.conversationIds;
  };
  return async (ids, isPinned) => {
    try {
      const pinned = await put(ids.slice(0, AT_ONCE), isPinned);
      if (pinned.length === 0) return;
      const text = t(`inbox.done.${isPinned ? 'pinned' : 'unpinned'}`, { n: pinned.length });
      notifyWithUndo(text, () => put(pinned, !isPinned));
    } catch (error) {
      notify.error(errorMessage(error));
    }
  };
}

function tell(
  done: Done,
  change: ConversationChange,
  undo: (steps: readonly Input[]) => Promise<void>,
): void {
  const left = done.left.filter(({ why }) => why !== 'as_it_was').length;
  if (left > 0) notify.info(t('inbox.leftAlone', { n: left }));
  if (done.changed.length === 0) return;
  const text = t(`inbox.done.${nameOf(change)}`, { n: done.changed.length });
  const steps = stepsBack(done.changed, change);
  if (steps.length > 0) notifyWithUndo(text, () => undo(steps));
  else notify.success(text);
}

function nameOf(change: ConversationChange) {
  if ('assigneeId' in change) return 'assigned' as const;
  if ('status' in change) return change.status;
  if ('isArchived' in change) return change.isArchived ? ('archived' as const) : ('unarchived' as const);
  if ('isRead' in change) return change.isRead ? ('read' as const) : ('unread' as const);
  if ('priority' in change) return 'priority' as const;
  return 'labelled' as const;
}

/** What each was before, those together that go back to the same; nothing that somebody else changed since is touched. */
function stepsBack(changed: readonly Changed[], change: ConversationChange): Input[] {
  const groups = Map.groupBy(changed, (one) => JSON.stringify(back(one, change)));
  return [...groups].flatMap(([key, group]) => {
    const [first] = group;
    const step = key === 'null' || !first ? null : back(first, change);
    const withVersion = !('isRead' in change);
    return step
      ? [
          {
            conversations: group.map(({ id, version }) => (withVersion ? { id, version } : { id })),
            change: step,
          },
        ]
      : [];
  });
}

function back({ before }: Changed, change: ConversationChange): ConversationChange | null {
  if ('assigneeId' in change)
    return {
      assigneeId: before.assigneeId,
      ...(change.teamId !== undefined && { teamId: before.teamId }),
    };
  // A time to wake up at may be over by then.
  if ('status' in change)
    return before.status === 'snoozed'
      ? { status: 'snoozed', snoozedUntil: before.snoozedUntil }
      : { status: before.status };
  if ('isArchived' in change) return { isArchived: before.isArchived };
  if ('priority' in change) return { priority: before.priority };
  // Which messages were unread nobody knows any more.
  if ('isRead' in change) return null;
  const had = new Set(before.labels.map((label) => label.toLowerCase()));
  return {
    addLabels: (change.removeLabels ?? []).filter((label) => had.has(label.toLowerCase())),
    removeLabels: (change.addLabels ?? []).filter((label) => !had.has(label.toLowerCase())),
  };
}
