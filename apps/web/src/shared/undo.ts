import { notify } from '../ui/toast.ts';
import { t } from './messages.ts';

/** Longer than usual, where much is at stake. */
const LARGE_UNDO_FOR_MS = 12_000;

/** Tells that something is done, with the way back; `undo` tells its own outcome. */
export function notifyWithUndo(
  title: string,
  undo: () => Promise<unknown>,
  { isLarge = false }: { isLarge?: boolean } = {},
): void {
  notify.success(title, {
    ...(isLarge && { duration: LARGE_UNDO_FOR_MS }),
    action: { label: t('common.undo'), onSelect: () => void undo(), isUndo: true },
  });
}
