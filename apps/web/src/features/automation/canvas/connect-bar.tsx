import { t } from '../../../shared/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { exitsOf } from '../editor/flow-draft.ts';
import { exitName } from '../flow-words.ts';
import type { CanvasItem } from './canvas-layout.ts';

/** While a target is looked for: which way is meant, and how to give up. */
export function ConnectBar({
  from,
  exit,
  name,
  onExit,
  onCancel,
}: {
  from: CanvasItem | undefined;
  exit: string;
  name: string;
  onExit: (exit: string) => void;
  onCancel: () => void;
}) {
  const exits = from?.kind === 'step' ? exitsOf(from.step) : [];
  return (
    <div
      role="status"
      className="absolute right-3 bottom-16 left-3 flex flex-wrap items-center gap-2 rounded-card border border-primary bg-raised px-3 py-2 shadow-sm"
    >
      <span className="min-w-0 flex-1">{t('canvas.connecting', { name })}</span>
      {exits.length > 1
        ? exits.map((one) => (
            <Button
              key={one}
              size="small"
              aria-pressed={one === exit}
              variant={one === exit ? 'primary' : 'secondary'}
              onClick={() => onExit(one)}
            >
              {exitName(one, from?.kind === 'step' ? from.step : undefined)}
            </Button>
          ))
        : null}
      <Button size="small" variant="ghost" onClick={onCancel}>
        {t('common.cancel')}
      </Button>
    </div>
  );
}
