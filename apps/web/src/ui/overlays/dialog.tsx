import type { ReactNode, RefObject } from 'react';
import { classNames } from '../class-names.ts';
import { usePopupLayers } from './late-trigger.tsx';

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

const widths = {
  small: 'sm:max-w-md',
  medium: 'sm:max-w-xl',
  large: 'sm:max-w-3xl',
  wide: 'sm:max-w-5xl',
};

export const backdropStyle =
  'fixed inset-0 layer-dialog bg-overlay transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0';

/** A modal dialog: traps the focus, closes with Escape and gives the focus back. */
export function Dialog({ size = 'medium', ...props }: DialogProps) {
  return (
    <Modal
      {...props}
      place="items-end justify-center sm:items-center sm:p-6"
      look={classNames(
        'max-h-[92dvh] rounded-t-xl border duration-150 sm:max-h-[85dvh] sm:rounded-xl',
        'data-ending-style:translate-y-2 data-starting-style:translate-y-2',
        widths[size],
      )}
    />
  );
}

/** The same as a dialog, from the right edge: details and longer forms beside a list. */
export function Drawer({ size = 'small', ...props }: DialogProps) {
  return (
    <Modal
      {...props}
      place="justify-end"
      look={classNames(
        'h-dvh border-l duration-200 data-ending-style:translate-x-8 data-starting-style:translate-x-8',
        widths[size],
      )}
    />
  );
}

export type ModalProps = Omit<DialogProps, 'size'> & { place: string; look: string };

function Modal(props: ModalProps) {
  const parts = usePopupLayers(props.open);
  return parts ? <parts.ModalLayer {...props} /> : null;
}
