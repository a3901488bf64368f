import {
  Archive,
  ArchiveRestore,
  Ban,
  Bell,
  BellOff,
  EllipsisVertical,
  MailWarning,
  Pin,
  PinOff,
  Settings,
  ShieldCheck,
  Tag,
  UserRound,
  UserRoundPlus,
} from 'lucide-react';
import { useNavigate } from '@tanstack/react-router';
import { runConversationCommand } from '../../shared/conversations/conversation-commands.ts';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can } from '../../shared/session.ts';
import { readText, useUrlState } from '../../shared/url-state.ts';
import { IconButton } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { Menu, type MenuEntry } from '../../ui/overlays/menu.tsx';
import type { OpenPart } from './open-part.ts';
import { useHasRoom, useIsWide } from './picker.tsx';
import { priorityEntries, setPriority } from './priority-menu.tsx';
import { statusActions, statusEntries } from './status-button.tsx';
import type { useConversationActions } from './use-conversation-actions.ts';

type Props = {
  conversation: Conversation;
  acts: ReturnType<typeof useConversationActions>;
  onOpen: (part: OpenPart) => void;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
};

const readDialog = (search: Record<string, unknown>) => ({ dialog: readText(search, 'dialog') });

/** What else is done with a conversation. Pins and mutes are one's own, everything else is for everybody. */
export function MoreMenu({ conversation, acts, onOpen, isOpen, setOpen }: Props) {
  const navigate = useNavigate();
  const [, setUrl] = useUrlState(readDialog);
  const [hasRoom, isWide] = [useHasRoom(), useIsWide()];
  const { contact, isPinned, isMuted, isArchived } = conversation;
  const block = useBlock(conversation, acts);
  const mayChange = can('messages:update');
  /** What has no button of its own. */
  const withoutRoom = (): MenuEntry[] => {
    const groups: MenuEntry[][] = [
      [
        ...(hasRoom
          ? []
          : [
              {
                label: t('teamwork.assign'),
                icon: <UserRoundPlus aria-hidden />,
                onSelect: () => onOpen('assignee'),
              },
            ]),
        ...(isWide
          ? []
          : [{ label: t('teamwork.labels'), icon: <Tag aria-hidden />, onSelect: () => onOpen('labels') }]),
      ],
      hasRoom ? [] : statusEntries(statusActions(conversation, acts, () => onOpen('snooze'))),
      isWide
        ? []
        : priorityEntries(
            conversation.priority,
            (next) => setPriority(acts, next),
            (priority) => t('inbox.priorityIs', { priority }),
          ),
    ];
    return groups.flatMap((group) => (group.length > 0 ? [...group, 'separator' as const] : []));
  };
  const entries: MenuEntry[] = [
    ...(mayChange ? withoutRoom() : []),
    {
      label: t(isPinned ? 'inbox.act.unpin' : 'inbox.act.pin'),
      icon: isPinned ? <PinOff aria-hidden /> : <Pin aria-hidden />,
      onSelect: () => void acts.mark({ isPinned: !isPinned }),
    },
    {
      label: t(isMuted ? 'teamwork.unmute' : 'teamwork.mute'),
      icon: isMuted ? <Bell aria-hidden /> : <BellOff aria-hidden />,
      onSelect: () => void acts.mark({ isMuted: !isMuted }),
    },
    ...(mayChange
      ? [
          {
            label: t('inbox.act.unread'),
            icon: <MailWarning aria-hidden />,
            // Whoever shows the chat leaves it with that: it would be read again at once.
            onSelect: () => void runConversationCommand(conversation.id, 'markUnread'),
          },
          {
            label: t(isArchived ? 'inbox.act.unarchive' : 'inbox.act.archive'),
            icon: isArchived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />,
            onSelect: () => archive(conversation, acts),
          },
        ]
      : []),
    'separator',
    {
      label: t('teamwork.openContact'),
      icon: <UserRound aria-hidden />,
      onSelect: () => void navigate({ to: paths.contact(contact.id) }),
    },
    ...(can('contacts:update')
      ? [
          {
            label: t(contact.isBlocked ? 'teamwork.unblock' : 'teamwork.block'),
            icon: contact.isBlocked ? <ShieldCheck aria-hidden /> : <Ban aria-hidden />,
            danger: !contact.isBlocked,
            onSelect: () => void block(),
          },
        ]
      : []),
    ...(can('messages:manage')
      ? [
          'separator' as const,
          {
            label: t('teamwork.settings'),
            icon: <Settings aria-hidden />,
            onSelect: () => setUrl({ dialog: 'settings' }, { push: true }),
          },
        ]
      : []),
  ];
  return (
    <Menu
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <IconButton label={t('teamwork.more')}>
          <EllipsisVertical aria-hidden />
        </IconButton>
      }
      entries={entries}
    />
  );
}

/** Puts it into the archive, or takes it out. */
export function archive({ isArchived }: Conversation, acts: Props['acts']): void {
  void acts.archive(!isArchived, t(isArchived ? 'teamwork.unarchived' : 'teamwork.archived'));
}

/** Whoever is blocked gets nothing any more, not even what waits to be sent. */
function useBlock({ contact: { name, isBlocked } }: Conversation, acts: Props['acts']) {
  const confirm = useConfirm();
  return async () => {
    if (isBlocked) return acts.block(false, t('teamwork.unblocked', { name }));
    const isSure = await confirm({
      title: t('teamwork.blockQuestion', { name }),
      text: t('teamwork.blockText'),
      confirmLabel: t('teamwork.block'),
    });
    if (isSure) await acts.block(true, t('teamwork.blocked', { name }));
  };
}
