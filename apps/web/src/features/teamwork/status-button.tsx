import { AlarmClock, ChevronDown, CircleCheck, CirclePause, Inbox } from 'lucide-react';
import { snoozePresets, snoozeUntil } from '@app/domain/conversations/teamwork/snooze-presets';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { activeTimeZone, formatDateTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { useHasRoom } from './picker.tsx';
import type { useConversationActs } from './use-conversation-acts.ts';

type Props = {
  conversation: Conversation;
  acts: ReturnType<typeof useConversationActs>;
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
        className="sm:rounded-r-none @max-3xl:aspect-square @max-3xl:px-0"
        aria-label={t(isResolved ? 'teamwork.open' : 'teamwork.resolve')}
        title={t(isResolved ? 'teamwork.open' : 'teamwork.resolve')}
        icon={isResolved ? <Inbox aria-hidden /> : <CircleCheck aria-hidden />}
        loading={acts.isBusy}
        onClick={onResolve}
      >
        <span className="@max-3xl:hidden">{t(isResolved ? 'teamwork.open' : 'teamwork.resolve')}</span>
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
          entries={statusEntries({ conversation, acts, onPickTime })}
        />
      ) : null}
    </span>
  );
}

/** All states of a conversation, with the times to put it aside. */
export function statusEntries({
  conversation: { status },
  acts,
  onPickTime,
}: Pick<Props, 'conversation' | 'acts' | 'onPickTime'>) {
  return [
    {
      label: t('teamwork.statusOpen'),
      icon: <Inbox aria-hidden />,
      checked: status === 'open',
      onSelect: () => void acts.setStatus({ status: 'open' }, t('teamwork.opened')),
    },
    {
      label: t('teamwork.statusWaiting'),
      hint: t('teamwork.waitingHint'),
      icon: <CirclePause aria-hidden />,
      checked: status === 'waiting',
      onSelect: () => void acts.setStatus({ status: 'waiting' }, t('teamwork.nowWaiting')),
    },
    {
      label: t('teamwork.statusResolved'),
      icon: <CircleCheck aria-hidden />,
      checked: status === 'resolved',
      onSelect: () => void acts.setStatus({ status: 'resolved' }, t('teamwork.resolved')),
    },
    'separator' as const,
    ...snoozePresets.map((preset) => {
      const until = snoozeUntil(preset, new Date(), activeTimeZone());
      return {
        label: t(`teamwork.snooze.${preset}`),
        hint: formatDateTime(until),
        icon: <AlarmClock aria-hidden />,
        onSelect: () => snooze(acts, until),
      };
    }),
    { label: t('teamwork.snooze.pick'), icon: <AlarmClock aria-hidden />, onSelect: onPickTime },
  ];
}

/** Puts it aside until then. */
export function snooze(acts: Props['acts'], until: Date): void {
  const told = t('teamwork.snoozed', { when: formatDateTime(until) });
  void acts.setStatus({ status: 'snoozed', snoozedUntil: until.toISOString() }, told);
}

function statusWord({ status, snoozedUntil }: Conversation): string {
  if (status === 'snoozed')
    return t('teamwork.snoozedUntil', { when: snoozedUntil ? formatDateTime(snoozedUntil) : '' });
  if (status === 'open') return t('teamwork.statusOpen');
  return t(status === 'waiting' ? 'teamwork.statusWaiting' : 'teamwork.statusResolved');
}
