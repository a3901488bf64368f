import type { ReactElement, ReactNode, RefObject } from 'react';

// What popups are given, and how they look: known to what is drawn at once and to what comes after it (`popup-layers.tsx`).

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

/** Where a popup stands beside its trigger. */
export const popupPlace = {
  sideOffset: 6,
  collisionPadding: 8,
  className: 'layer-popup outline-none',
} as const;

export const itemStyle =
  'flex min-h-8 cursor-default items-center gap-2.5 rounded-md px-2.5 py-1.5 text-base outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted';

export interface PopoverProps {
  trigger: ReactElement;
  /** Without one it has the name of its trigger. */
  title?: ReactNode;
  align?: 'start' | 'center' | 'end' | undefined;
  open?: boolean | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
  /** As of a menu. */
  finalFocus?: (() => boolean) | undefined;
  className?: string | undefined;
  children: ReactNode;
}

export interface SelectOption<Value extends string = string> {
  value: Value;
  label: string;
  hint?: string | undefined;
  icon?: ReactNode;
  disabled?: boolean | undefined;
}

export interface SelectProps<Value extends string> {
  value: Value | null;
  onChange: (value: Value) => void;
  options: readonly SelectOption<Value>[];
  placeholder?: string | undefined;
  disabled?: boolean | undefined;
  /** Needed outside a `Field`. */
  label?: string | undefined;
  className?: string | undefined;
}

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  /** Buttons at the end, the main one last. */
  footer?: ReactNode;
  size?: 'small' | 'medium' | 'large' | 'wide' | undefined;
  /** A press outside does not close it: for forms that could lose what was typed. */
  keepOpenOnOutsidePress?: boolean | undefined;
  /** The first field, unless said otherwise; on a touch screen none. */
  initialFocus?: RefObject<HTMLElement | null> | undefined;
  children?: ReactNode;
}

export type ModalProps = Omit<DialogProps, 'size'> & { place: string; look: string };

export const backdropStyle =
  'fixed inset-0 layer-dialog bg-overlay transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0';
