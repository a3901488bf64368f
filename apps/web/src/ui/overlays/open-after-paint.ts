import { useEffect, useEffectEvent, useState } from 'react';
import { afterPaint } from '../after-paint.ts';

type Change = { reason: string; event: Event; cancel(): void };

export interface OpenAfterPaint {
  open: boolean;
  onOpenChange: (open: boolean, change: Change) => void;
  /** For the trigger, which is lit from the press on. */
  lit: { 'data-pressed': '' | undefined };
}

/**
 * Drawing a popup is much work. A press is answered first: it lights the trigger, and the popup follows as soon as that is painted.
 * @param open What its owner says, where it has one.
 */
export function useOpenAfterPaint(
  open: boolean | undefined,
  onOpenChange: ((open: boolean) => void) | undefined,
): OpenAfterPaint {
  const [isOwnOpen, setOwnOpen] = useState(false);
  const [isPressed, setPressed] = useState(false);
  const isOpen = open ?? isOwnOpen;
  function change(next: boolean) {
    setPressed(false);
    setOwnOpen(next);
    onOpenChange?.(next);
  }
  const openNow = useEffectEvent(() => change(true));
  useEffect(() => (isPressed ? afterPaint(() => openNow()) : undefined), [isPressed]);
  return {
    open: isOpen,
    onOpenChange(next, details) {
      if (!keepAtDoubleClick(next, details)) (next ? setPressed : change)(next);
    },
    lit: { 'data-pressed': isPressed || isOpen ? '' : undefined },
  };
}

/** A double click is one press: its second half does not close what its first half opened. */
export function keepAtDoubleClick(open: boolean, { reason, event, cancel }: Change): boolean {
  const isSecondHalf = event instanceof MouseEvent && event.detail === 2;
  if (open || reason !== 'trigger-press' || !isSecondHalf) return false;
  cancel();
  return true;
}
