import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { useUiWords } from '../ui-words.tsx';
import { backdropStyle, type DialogProps, type ModalProps } from './popup-props.ts';

/** What a dialog and a drawer are made of (`dialog.tsx`); it is in the file of the popups. */
export function ModalLayer({ place, look, ...props }: ModalProps) {
  const { open, onOpenChange, keepOpenOnOutsidePress = false } = props;
  const { popup, initialFocus } = useInitialFocus(props.initialFocus);
  return (
    <BaseDialog.Root
      open={open}
      onOpenChange={(next) => onOpenChange(next)}
      disablePointerDismissal={keepOpenOnOutsidePress}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop forceRender className={backdropStyle} />
        <BaseDialog.Viewport className={classNames('fixed inset-0 layer-dialog flex', place)}>
          <BaseDialog.Popup
            ref={popup}
            initialFocus={initialFocus}
            finalFocus={() => isFocusLost(popup.current)}
            className={classNames(
              'flex w-full flex-col border-border bg-raised shadow-raised outline-none',
              'transition-[opacity,transform] data-ending-style:opacity-0 data-starting-style:opacity-0',
              look,
            )}
          >
            <DialogParts {...props} />
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

/** Who opened something else while the dialog was going keeps the focus there: taken from a menu, it would close it. */
function isFocusLost(popup: HTMLElement | null): boolean {
  const focused = document.activeElement;
  const isLost = focused === null || focused === document.body || popup?.contains(focused) === true;
  return isLost && document.querySelector('[role="menu"]') === null;
}

const firstField =
  'input:not([type=file], [type=hidden], [type=radio]:not(:checked), :disabled), textarea:enabled, select:enabled';

/** The close button comes first in the dialog; a user who opens a form means to fill it in. */
function useInitialFocus(wanted: DialogProps['initialFocus']) {
  const popup = useRef<HTMLDivElement>(null);
  return {
    popup,
    initialFocus: (by: string) =>
      // On a touch screen the keyboard would cover half of the dialog, also where an address or a key opens it.
      by === 'touch' || matchMedia('(pointer: coarse)').matches
        ? popup.current
        : (wanted?.current ?? popup.current?.querySelector<HTMLElement>(firstField) ?? true),
  };
}

function DialogParts({ title, description, footer, children }: DialogProps) {
  const words = useUiWords();
  return (
    <>
      <header className="flex items-start gap-3 px-5 pt-4 pb-3">
        <div className="min-w-0 flex-1">
          <BaseDialog.Title className="text-lg leading-7 font-semibold text-balance">
            {title}
          </BaseDialog.Title>
          {description ? (
            <BaseDialog.Description className="mt-0.5 text-muted">{description}</BaseDialog.Description>
          ) : null}
        </div>
        <BaseDialog.Close render={<IconButton label={words.close} size="small" className="-mr-1.5" />}>
          <X aria-hidden />
        </BaseDialog.Close>
      </header>
      {/* A field that gets the focus scrolls far enough for its label and error to be seen too. */}
      <div className="min-h-0 flex-1 scroll-py-14 overflow-y-auto overscroll-contain px-5 pt-1 pb-5">
        {children}
      </div>
      {footer ? (
        <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-border px-5 py-3">
          {footer}
        </footer>
      ) : null}
    </>
  );
}
