import { useState } from 'react';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { useConversationCommand } from '../../shared/conversations/conversation-commands.ts';
import { DueMarker } from '../../shared/conversations/due-marker.tsx';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { t } from '../../shared/messages.ts';
import { can, useSession } from '../../shared/session.ts';
import { AssigneePicker } from './assignee-picker.tsx';
import { LabelPicker } from './label-picker.tsx';
import { MoreMenu } from './more-menu.tsx';
import type { OpenPart } from './open-part.ts';
import { StatusButton } from './status-button.tsx';
import { SnoozeDialog } from './snooze-dialog.tsx';
import { assigneesOptions } from './teamwork-queries.ts';
import { labelsOptions } from '../../shared/conversations/label-queries.ts';
import { useConversationActs } from './use-conversation-acts.ts';

/** Who has a conversation, what state it is in and what else is done with it: in the head of the chat. */
export function ConversationActions({ conversation }: { conversation: Conversation }) {
  const [open, setOpen] = useState<OpenPart>(null);
  const acts = useConversationActs(conversation.id);
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

  return (
    <div className="flex shrink-0 items-center gap-1">
      <DueMarker due={conversation.due} always className="@max-xl:hidden" />
      {mayChange ? (
        <>
          <AssigneePicker
            {...part('assignee')}
            conversation={conversation}
            acts={acts}
            onAssignToMe={assignToMe}
          />
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
      {open === 'snooze' ? <SnoozeDialog acts={acts} onClose={() => setOpen(null)} /> : null}
    </div>
  );
}
