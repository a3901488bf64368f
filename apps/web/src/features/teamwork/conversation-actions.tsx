import { useRef, useState } from 'react';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { useConversationCommand } from '../../shared/conversations/conversation-commands.ts';
import { useChangeConversations } from '../../shared/conversations/use-change-conversations.ts';
import { DueMarker } from '../../shared/conversations/due-marker.tsx';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { t } from '../../shared/messages.ts';
import { can, useSession } from '../../shared/session.ts';
import { AssigneePicker } from './assignee-picker.tsx';
import { LabelPicker } from './label-picker.tsx';
import { archive, MoreMenu } from './more-menu.tsx';
import type { OpenPart } from './open-part.ts';
import { useHasRoom, useWideHead, WideHead } from './picker.tsx';
import { PriorityMenu } from './priority-menu.tsx';
import { snooze, StatusButton } from './status-button.tsx';
import { SnoozeDialog } from './snooze-dialog.tsx';
import { assigneesOptions } from './teamwork-queries.ts';
import { labelsOptions } from '../../shared/conversations/label-queries.ts';
import { useConversationActions } from './use-conversation-actions.ts';

/** Who has a conversation, what state it is in and what else is done with it: in the head of the chat. */
export function ConversationActions({
  conversation,
  onLeave,
}: {
  conversation: Conversation;
  /** Shows the list, or nothing beside it. */
  onLeave: () => void;
}) {
  const [open, setOpen] = useState<OpenPart>(null);
  const root = useRef<HTMLDivElement>(null);
  const isWide = useWideHead(root);
  const hasRoom = useHasRoom();
  const acts = useConversationActions(conversation.id);
  const changeMany = useChangeConversations();
  const session = useSession();
  const me = session.status === 'signed-in' ? session.user : null;
  const mayChange = can('messages:update');
  const part = (name: OpenPart) => ({
    isOpen: open === name,
    setOpen: (isOpen: boolean) => setOpen(isOpen ? name : null),
  });
  useLiveQuery(
    ['inbox-settings', 'users', 'teams', 'presence'],
    [assigneesOptions().queryKey, labelsOptions().queryKey],
  );

  const assignToMe = () => {
    if (!me) return;
    const own = { id: me.id, name: `${me.firstName} ${me.lastName}`.trim(), avatar: me.avatar };
    void acts.assign(own, conversation.team, t('teamwork.assignedToYou'));
  };
  const resolve = () =>
    void (conversation.status === 'resolved'
      ? acts.setStatus({ status: 'open' }, t('teamwork.opened'))
      : acts.setStatus({ status: 'resolved' }, t('teamwork.resolved')));
  const when = (run: () => void) => (mayChange ? run : null);
  useConversationCommand(
    conversation.id,
    'assign',
    when(() => setOpen('assignee')),
  );
  useConversationCommand(conversation.id, 'assignToMe', when(assignToMe));
  useConversationCommand(conversation.id, 'resolve', when(resolve));
  useConversationCommand(
    conversation.id,
    'snooze',
    when(() => setOpen('snooze')),
  );
  useConversationCommand(
    conversation.id,
    'label',
    when(() => setOpen('labels')),
  );

  useConversationCommand(
    conversation.id,
    'priority',
    when(() => setOpen(isWide && hasRoom ? 'priority' : 'more')),
  );
  const { isPinned, isMuted } = conversation;
  useConversationCommand(
    conversation.id,
    'archive',
    when(() => archive(conversation, acts)),
  );
  useConversationCommand(
    conversation.id,
    'markUnread',
    when(() => {
      // The chat that stays open would mark it as read again.
      onLeave();
      void changeMany([conversation.id], { isRead: false });
    }),
  );
  useConversationCommand(conversation.id, 'pin', () => void acts.mark({ isPinned: !isPinned }));
  useConversationCommand(conversation.id, 'mute', () => void acts.mark({ isMuted: !isMuted }));

  return (
    <WideHead value={isWide}>
      <div ref={root} className="flex shrink-0 items-center gap-1">
        <DueMarker due={conversation.due} className="@max-xl:hidden" />
        {mayChange ? (
          <>
            <AssigneePicker
              {...part('assignee')}
              conversation={conversation}
              acts={acts}
              onAssignToMe={assignToMe}
            />
            <PriorityMenu {...part('priority')} conversation={conversation} acts={acts} />
            <LabelPicker {...part('labels')} conversation={conversation} acts={acts} />
            <StatusButton
              {...part('status')}
              conversation={conversation}
              acts={acts}
              onResolve={resolve}
              onPickTime={() => setOpen('snooze')}
            />
          </>
        ) : null}
        <MoreMenu {...part('more')} conversation={conversation} acts={acts} onOpen={setOpen} />
        {open === 'snooze' ? (
          <SnoozeDialog onPick={(until) => snooze(acts, until)} onClose={() => setOpen(null)} />
        ) : null}
      </div>
    </WideHead>
  );
}
