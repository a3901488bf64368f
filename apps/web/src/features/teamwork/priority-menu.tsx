import { Flag } from 'lucide-react';
import { conversationPriorities } from '@app/domain/conversations/conversation-status';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { PriorityMark } from '../../shared/conversations/priority-mark.tsx';
import { t } from '../../shared/messages.ts';
import { WordButton } from '../../ui/controls/word-button.tsx';
import { Menu, type MenuEntry } from '../../ui/overlays/menu.tsx';
import { useIsWide, type PickerState } from './picker.tsx';
import type { useConversationActions } from './use-conversation-actions.ts';

type Priority = Conversation['priority'];
type Acts = ReturnType<typeof useConversationActions>;

/** How urgent the conversation is; where there is no room that stands in the other menu. */
export function PriorityMenu({
  conversation: { priority },
  acts,
  isOpen,
  setOpen,
}: PickerState & { conversation: Conversation; acts: Acts }) {
  if (!useIsWide()) return null;
  return (
    <Menu
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <WordButton
          icon={priority === 'normal' ? <Flag aria-hidden /> : <PriorityMark priority={priority} />}
          label={t('inbox.priorityIs', { priority: t(`inbox.priority.${priority}`) })}
          word={t('inbox.priority')}
          from="large"
        />
      }
      entries={priorityEntries(priority, (next) => setPriority(acts, next))}
    />
  );
}

/** The most urgent first. */
export function priorityEntries(
  priority: Priority | undefined,
  onSelect: (priority: Priority) => void,
  /** Says the word, among entries about other things. */
  say = (priority: string) => priority,
): MenuEntry[] {
  return conversationPriorities.toReversed().map((name) => ({
    label: say(t(`inbox.priority.${name}`)),
    icon: <PriorityMark priority={name} />,
    checked: name === priority,
    onSelect: () => onSelect(name),
  }));
}

export function setPriority(acts: Acts, priority: Priority): void {
  void acts.setPriority(priority, t('teamwork.prioritised', { priority: t(`inbox.priority.${priority}`) }));
}
