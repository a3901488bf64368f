import { classNames } from '../class-names.ts';
import { usePopupLayers } from './late-trigger.tsx';
import type { DialogProps, ModalProps } from './popup-props.ts';

export type { DialogProps } from './popup-props.ts';

const widths = {
  small: 'sm:max-w-md',
  medium: 'sm:max-w-xl',
  large: 'sm:max-w-3xl',
  wide: 'sm:max-w-5xl',
};

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

function Modal(props: ModalProps) {
  const parts = usePopupLayers(props.open);
  return parts ? <parts.ModalLayer {...props} /> : null;
}
