import { AlarmClock, ChevronDown, CircleCheck, CirclePause, Inbox } from 'lucide-react';
import { snoozeChoices } from '@app/domain/conversations/teamwork/snooze-presets';
import { conversationStatuses } from '@app/domain/conversations/conversation-status';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { activeTimeZone, formatDateTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu, type MenuEntry } from '../../ui/overlays/menu.tsx';
import { useHasRoom } from './picker.tsx';
import type { useConversationActions } from './use-conversation-actions.ts';

type Props = {
  conversation: Conversation;
  acts: ReturnType<typeof useConversationActions>;
  onResolve: () => void;
  onPickTime: () => void;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
};

/** Resolves with one press, opens again what is resolved, and has all other states in its menu; on a telephone those stand in the other one. */
export function StatusButton({ conversation, acts, onResolve, onPickTime, isOpen, setOpen }: Props) {
  const isResolved = conversation.status === 'resolved';
  const hasRoom = useHasRoom();
  return (
    <span className="flex">
      <Button
        className="sm:rounded-r-none @max-[43.5rem]:aspect-square @max-[43.5rem]:px-0"
        aria-label={t(isResolved ? 'teamwork.open' : 'teamwork.resolve')}
        title={t(isResolved ? 'teamwork.open' : 'teamwork.resolve')}
        icon={isResolved ? <Inbox aria-hidden /> : <CircleCheck aria-hidden />}
        loading={acts.isBusy}
        onClick={onResolve}
      >
        <span className="@max-[43.5rem]:hidden">{t(isResolved ? 'teamwork.open' : 'teamwork.resolve')}</span>
      </Button>
      {hasRoom ? (
        <Menu
          open={isOpen}
          onOpenChange={setOpen}
          trigger={
            <IconButton
              variant="secondary"
              className="w-7 rounded-l-none border-l-0"
              label={t('teamwork.status', { status: statusWord(conversation) })}
            >
              <ChevronDown aria-hidden />
            </IconButton>
          }
          entries={statusEntries(statusActions(conversation, acts, onPickTime))}
        />
      ) : null}
    </span>
  );
}

type StatusActions = {
  /** What it has; undefined where they are many that differ. */
  status: Conversation['status'] | undefined;
  onStatus: (status: 'open' | 'waiting' | 'resolved') => void;
  onSnooze: (until: Date) => void;
  onPickTime: () => void;
};

const icons = {
  open: <Inbox aria-hidden />,
  waiting: <CirclePause aria-hidden />,
  resolved: <CircleCheck aria-hidden />,
};

/** All states of one conversation or of many, with the times to put them aside. */
export function statusEntries({ status, onStatus, onSnooze, onPickTime }: StatusActions): MenuEntry[] {
  const snoozeIcon = <AlarmClock aria-hidden />;
  return [
    ...conversationStatuses
      .filter((name) => name !== 'snoozed')
      .map((name) => ({
        label: t(`inbox.status.${name}`),
        hint: name === 'waiting' ? t('teamwork.waitingHint') : undefined,
        icon: icons[name],
        checked: status === name,
        onSelect: () => onStatus(name),
      })),
    'separator',
    ...snoozeChoices(new Date(), activeTimeZone()).map(({ preset, until }) => ({
      label: t(`teamwork.snooze.${preset}`),
      hint: formatDateTime(until),
      icon: snoozeIcon,
      onSelect: () => onSnooze(until),
    })),
    { label: t('teamwork.snooze.pick'), icon: snoozeIcon, onSelect: onPickTime },
  ];
}

const told = {
  open: 'teamwork.opened',
  waiting: 'teamwork.nowWaiting',
  resolved: 'teamwork.resolved',
} as const;

/** The same for the conversation that is open. */
export function statusActions(
  { status }: Conversation,
  acts: Props['acts'],
  onPickTime: () => void,
): StatusActions {
  return {
    ...{ status, onPickTime },
    onStatus: (next) => void acts.setStatus({ status: next }, t(told[next])),
    onSnooze: (until) => snooze(acts, until),
  };
}

/** Puts it aside until then. */
export function snooze(acts: Props['acts'], until: Date): void {
  const told = t('teamwork.snoozed', { when: formatDateTime(until) });
  void acts.setStatus({ status: 'snoozed', snoozedUntil: until.toISOString() }, told);
}

function statusWord({ status, snoozedUntil }: Conversation): string {
  if (status === 'snoozed')
    return t('teamwork.snoozedUntil', { when: snoozedUntil ? formatDateTime(snoozedUntil) : '' });
  return t(`inbox.status.${status}`);
}
