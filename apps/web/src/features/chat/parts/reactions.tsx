import { useState, type ReactElement } from 'react';
import { t } from '../../../shared/messages.ts';
import { Popover } from '../../../ui/overlays/popover.tsx';
import { Tooltip } from '../../../ui/overlays/tooltip.tsx';
import type { Message } from '../timeline-window.ts';

const common = ['👍', '❤️', '😂', '😮', '😢', '🙏', '✅', '🎉'];

/** Who reacted with what, at the lower edge of the bubble. */
export function Reactions({
  reactions,
  contactName,
}: {
  reactions: Message['reactions'];
  contactName: string;
}) {
  if (reactions.length === 0) return null;
  const names = reactions.map(
    ({ emoji, direction, name }) => `${emoji} ${direction === 'in' ? contactName : (name ?? t('chat.us'))}`,
  );
  return (
    <Tooltip text={names.join('\n')}>
      <span
        role="img"
        aria-label={`${t('chat.reactions')}: ${names.join(', ')}`}
        className="absolute start-2 -bottom-4 flex h-6 items-center gap-0.5 rounded-full border border-border bg-raised px-1.5 text-sm shadow-xs"
      >
        {reactions.map(({ emoji, direction }) => (
          <span key={direction} aria-hidden>
            {emoji.slice(0, 30)}
          </span>
        ))}
      </span>
    </Tooltip>
  );
}

/** A few of the most used, and room for any other. The one that is there already is taken back. */
export function ReactionPicker({
  own,
  trigger,
  onPick,
  onClose,
}: {
  own: string | undefined;
  trigger: ReactElement;
  onPick: (emoji: string) => void;
  onClose: () => void;
}) {
  const [isOpen, setIsOpen] = useState(true);
  function change(next: boolean) {
    setIsOpen(next);
    if (!next) onClose();
  }
  return (
    <Popover trigger={trigger} open={isOpen} onOpenChange={change} className="min-w-0 p-1.5">
      <div role="group" aria-label={t('chat.react')} className="flex flex-wrap gap-0.5">
        {[...new Set([...(own ? [own] : []), ...common])].map((emoji) => (
          <button
            key={emoji}
            type="button"
            aria-pressed={emoji === own}
            aria-label={emoji === own ? t('chat.takeBack', { emoji }) : emoji}
            onClick={() => {
              onPick(emoji);
              change(false);
            }}
            className="grid size-9 place-items-center rounded-md text-xl hover:bg-hover aria-pressed:bg-selected"
          >
            {emoji}
          </button>
        ))}
      </div>
    </Popover>
  );
}
