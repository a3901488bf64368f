import type { ReactElement, ReactNode } from 'react';
import { useLateTrigger } from './late-trigger.tsx';

export interface PopoverProps {
  trigger: ReactElement;
  /** Without one it has the name of its trigger. */
  title?: ReactNode;
  align?: 'start' | 'center' | 'end' | undefined;
  open?: boolean | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
  className?: string | undefined;
  children: ReactNode;
}

const CLOSED = { 'aria-haspopup': 'dialog', 'aria-expanded': false };

/** A window at a button. */
export function Popover(props: PopoverProps) {
  const { element, parts, adopted } = useLateTrigger(props.trigger, CLOSED, props.open);
  return (
    <>
      {element}
      {parts ? <parts.PopoverLayer {...props} trigger={adopted} /> : null}
    </>
  );
}
