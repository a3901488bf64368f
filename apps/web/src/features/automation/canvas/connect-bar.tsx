import { t } from '../../../shared/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { exitsOf } from '../editor/flow-draft.ts';
import { exitName } from '../flow-words.ts';
import type { CanvasItem } from './canvas-layout.ts';

/** While a target is looked for: which way is meant, and how to give up. It stands below the canvas, so that it covers no step. */
export function ConnectBar({
  from,
  exit,
  name,
  onChange,
}: {
  from: CanvasItem | undefined;
  exit: string;
  name: string;
  onChange: (connecting: { from: string; exit: string } | null) => void;
}) {
  const exits = from?.kind === 'step' ? exitsOf(from.step) : [];
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-2 border-t border-primary bg-raised px-3 py-2"
    >
      <span className="min-w-0 flex-1">{t('canvas.connecting', { name })}</span>
      {exits.length > 1
        ? exits.map((one) => (
            <Button
              key={one}
              size="small"
              aria-pressed={one === exit}
              variant={one === exit ? 'primary' : 'secondary'}
              onClick={() => from && onChange({ from: from.id, exit: one })}
            >
              {exitName(one, from?.kind === 'step' ? from.step : undefined)}
            </Button>
          ))
        : null}
      <Button size="small" variant="ghost" onClick={() => onChange(null)}>
        {t('common.cancel')}
      </Button>
    </div>
  );
}
