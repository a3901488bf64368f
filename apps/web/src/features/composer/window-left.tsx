import { Clock } from 'lucide-react';
import { formatDuration } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { classNames } from '../../ui/class-names.ts';
import { isWindowShort, shownLeft, type WritingBar } from './writing-state.ts';

/** How long anything may still be written. */
export function WindowLeft({ left, bar }: { left: number | null; bar: WritingBar | null }) {
  if (!left || bar !== null) return null;
  const isShort = isWindowShort(left);
  return (
    <p
      title={t('composer.windowHint')}
      className={classNames(
        'ml-auto flex min-w-0 items-center gap-1.5 truncate pr-1 text-xs tabular-nums [&_svg]:size-3.5 [&_svg]:shrink-0',
        isShort ? 'text-warning' : 'text-muted',
      )}
    >
      <Clock aria-hidden />
      <span className="truncate">
        {t('composer.windowLeft', { time: formatDuration(shownLeft(left) / 1000) })}
      </span>
    </p>
  );
}
