import type { ReactElement, ReactNode } from 'react';
import { useLateTrigger } from './late-trigger.tsx';

export interface MenuAction {
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
  danger?: boolean | undefined;
  disabled?: boolean | undefined;
  /** Says under the label why it is disabled, or what it does. */
  hint?: string | undefined;
  shortcut?: string | undefined;
  /** The menu stays open, and has more or others afterwards. */
  keepsOpen?: boolean | undefined;
  /** Shows a tick: the entry is a choice that is on. */
  checked?: boolean | undefined;
}

export type MenuEntry = MenuAction | 'separator';

export interface MenuProps {
  /** The button that opens it, such as an `IconButton`. */
  trigger: ReactElement;
  /** A function is only called for a menu that is about to open. */
  entries: readonly MenuEntry[] | (() => readonly MenuEntry[]);
  align?: 'start' | 'end' | undefined;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** Asked when it closes; `false` where an entry takes the focus elsewhere. Otherwise it goes back to the trigger. */
  finalFocus?: (() => boolean) | undefined;
}

export const itemStyle =
  'flex min-h-8 cursor-default items-center gap-2.5 rounded-md px-2.5 py-1.5 text-base outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted';

const CLOSED = { 'aria-haspopup': 'menu', 'aria-expanded': false };

/** A list of actions at a button. */
export function Menu(props: MenuProps) {
  const { element, parts, adopted } = useLateTrigger(props.trigger, CLOSED, props.open);
  return (
    <>
      {element}
      {parts ? <parts.MenuLayer {...props} trigger={adopted} /> : null}
    </>
  );
}
