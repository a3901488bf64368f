import { Smile } from 'lucide-react';
import { Suspense, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { lazyPart } from '../../ui/load-file.ts';
import { Popover } from '../../ui/overlays/popover.tsx';
import { t } from '../messages.ts';

const EmojiPicker = lazyPart(async () => (await import('./emoji/emoji-picker.tsx')).EmojiPicker);

/** Opens all emoji, of which one is picked. */
export function EmojiButton({
  size,
  disabled = false,
  onPick,
}: {
  size?: 'small';
  disabled?: boolean;
  onPick: (emoji: string) => void;
}) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover
      open={isOpen}
      onOpenChange={setIsOpen}
      align="start"
      className="p-2!"
      trigger={
        <IconButton label={t('writing.emoji')} disabled={disabled} {...(size && { size })}>
          <Smile aria-hidden />
        </IconButton>
      }
    >
      <Suspense fallback={<div className="h-72 w-72" />}>
        <EmojiPicker
          onPick={(emoji) => {
            setIsOpen(false);
            onPick(emoji);
          }}
        />
      </Suspense>
    </Popover>
  );
}
