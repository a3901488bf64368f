import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../../shared/actions/use-action.ts';
import { api, orpc, readFailure } from '../../shared/api.ts';
import {
  conversationOptions,
  noteConversation,
  type Conversation,
} from '../../shared/conversations/conversations-queries.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { notifyWithUndo } from '../../shared/undo.ts';
import { notify } from '../../ui/toast.ts';

type Person = { id: string; name: string; avatar: string | null };
type Team = { id: string; name: string };
export type Status = Conversation['status'];
type Priority = Conversation['priority'];
type StatusChange = { status: Status; snoozedUntil?: string | null; label?: string };

/**
 * What is done with one conversation. Each act shows at once and is taken back when it is refused; it names the version that the person sees,
 * so that nobody's change is lost, and says how to undo it.
 */
export function useConversationActions(conversationId: string) {
  const queryClient = useQueryClient();
  const { queryKey } = conversationOptions(conversationId);
  const assigning = useAction(orpc.conversations.assign.mutationOptions());
  const turning = useAction(orpc.conversations.setStatus.mutationOptions());
  const labelling = useAction(orpc.conversations.setLabels.mutationOptions());
  const rating = useAction(orpc.conversations.setPriority.mutationOptions());
  const archiving = useAction(orpc.conversations.setArchived.mutationOptions());
  const marking = useAction(orpc.conversations.mark.mutationOptions());
  const blocking = useAction({
    mutationFn: async ({ contactId, isBlocked }: { contactId: string; isBlocked: boolean }) => {
      const { version } = await api.contacts.get({ contactId });
      return api.contacts.update({ contactId, version, status: isBlocked ? 'blocked' : 'active' });
    },
  });

  const read = () => queryClient.getQueryData<Conversation>(queryKey);

  /** Shows the change, does it, and shows what stands there by then. Answers whether it is done. */
  async function change(
    patch: Partial<Conversation>,
    act: (of: { conversationId: string; version: number }) => Promise<Conversation>,
  ): Promise<boolean> {
    const before = read();
    if (!before) return false;
    await queryClient.cancelQueries({ queryKey });
    queryClient.setQueryData<Conversation>(queryKey, { ...before, ...patch });
    try {
      await noteConversation(queryClient, await act({ conversationId, version: before.version }));
      return true;
    } catch (error) {
      queryClient.setQueryData(queryKey, before);
      const isChanged = readFailure(error).code === 'conversation_changed';
      notify.error(isChanged ? t('teamwork.changed') : errorMessage(error));
      await queryClient.invalidateQueries({ queryKey });
      return false;
    }
  }

  const put = {
    assignee: (assignee: Person | null, team: Team | null) =>
      change({ assignee, team }, (of) =>
        assigning.mutateAsync({ ...of, assigneeId: assignee?.id ?? null, teamId: team?.id ?? null }),
      ),
    status: ({ status, snoozedUntil = null, label }: StatusChange) =>
      change({ status, snoozedUntil }, (of) =>
        turning.mutateAsync({ ...of, status, snoozedUntil, ...(label !== undefined && { label }) }),
      ),
    priority: (priority: Priority) => change({ priority }, (of) => rating.mutateAsync({ ...of, priority })),
    archived: (isArchived: boolean) =>
      change({ isArchived }, (of) => archiving.mutateAsync({ ...of, isArchived })),
  };

  return {
    isBusy: assigning.isPending || turning.isPending || archiving.isPending || blocking.isPending,

    async assign(assignee: Person | null, team: Team | null, told: string) {
      const before = read();
      if (!before || !(await put.assignee(assignee, team))) return;
      notifyWithUndo(told, () => put.assignee(before.assignee, before.team));
    },

    async setStatus(wanted: StatusChange, told: string) {
      const before = read();
      if (!before || !(await put.status(wanted))) return;
      // A time that has passed by then is none to go back to.
      const isPast = before.snoozedUntil !== null && Date.parse(before.snoozedUntil) <= Date.now();
      const { status, snoozedUntil } = isPast ? { status: 'open' as const, snoozedUntil: null } : before;
      notifyWithUndo(told, () => put.status({ status, snoozedUntil }));
    },

    async setPriority(priority: Priority, told: string) {
      const before = read();
      if (!before || before.priority === priority || !(await put.priority(priority))) return;
      notifyWithUndo(told, () => put.priority(before.priority));
    },

    setLabels: (labels: string[]) => change({ labels }, (of) => labelling.mutateAsync({ ...of, labels })),

    async archive(isArchived: boolean, told: string) {
      if (await put.archived(isArchived)) notifyWithUndo(told, () => put.archived(!isArchived));
    },

    mark: (marks: { isPinned: boolean } | { isMuted: boolean }) =>
      change(marks, () => marking.mutateAsync({ conversationId, ...marks })),

    async block(isBlocked: boolean, told: string) {
      const before = read();
      if (!before) return;
      try {
        await blocking.mutateAsync({ contactId: before.contact.id, isBlocked });
      } catch (error) {
        notify.error(errorMessage(error));
        return;
      }
      notify.success(told);
      await Promise.all([
        queryClient.invalidateQueries({ queryKey }),
        queryClient.invalidateQueries({ queryKey: orpc.contacts.key() }),
        queryClient.invalidateQueries({ queryKey: orpc.conversations.list.key() }),
      ]);
    },
  };
}
