import { X } from 'lucide-react';
import type { QuotedMessage } from '../../shared/conversations/quoted-message.ts';
import { t } from '../../shared/messages.ts';
import { IconButton } from '../../ui/button.tsx';

/** The message that is answered, above the text. */
export function QuoteStrip({
  quoted,
  onRemove,
}: {
  quoted: Pick<QuotedMessage, 'text' | 'author'> | null;
  onRemove: () => void;
}) {
  return (
    <div className="mx-2 mt-1 flex items-center gap-2 rounded-card border-l-4 border-primary bg-sunken py-1 pr-1 pl-3">
      <div className="min-w-0 flex-1 text-sm">
        <p className="truncate font-medium text-primary-text">
          {quoted ? t('composer.quote.of', { name: quoted.author }) : t('composer.quote.earlier')}
        </p>
        {quoted ? (
          <p dir="auto" className="truncate text-muted">
            {quoted.text}
          </p>
        ) : null}
      </div>
      <IconButton size="small" label={t('composer.quote.remove')} onClick={onRemove}>
        <X aria-hidden />
      </IconButton>
    </div>
  );
}
