import { useId, type ReactNode } from 'react';
import { Button } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { useUiWords } from '../ui-words.tsx';
import { Dialog, type DialogProps } from './dialog.tsx';

export interface FormDialogProps extends Pick<
  DialogProps,
  'title' | 'description' | 'size' | 'initialFocus' | 'children'
> {
  onSubmit: () => void;
  onClose: () => void;
  /** Of the button that saves. */
  submitLabel: string;
  submitIcon?: ReactNode;
  isSaving?: boolean | undefined;
  /** Until then the button waits, and `whyNot` stands beside it. */
  isReady?: boolean | undefined;
  whyNot?: string | undefined;
  /** At the left of the buttons. */
  note?: ReactNode;
  /** In place of the button that saves, where there are several ways to. */
  buttons?: ReactNode;
  /** A press outside closes it: nothing has been typed. */
  closeOnOutsidePress?: boolean | undefined;
  /** Its gaps and columns. */
  className?: string | undefined;
}

/** A form in a dialog: Enter saves, Cancel, Escape and the cross close, and only the form inside hears of its submit. */
export function FormDialog({
  onSubmit,
  onClose,
  submitLabel,
  submitIcon,
  isSaving = false,
  isReady = true,
  whyNot,
  note,
  buttons,
  closeOnOutsidePress = false,
  className = 'gap-4',
  children,
  ...dialog
}: FormDialogProps) {
  const words = useUiWords();
  const form = useId();
  const reason = useId();
  return (
    <Dialog
      {...dialog}
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      keepOpenOnOutsidePress={!closeOnOutsidePress}
      footer={
        <>
          {note}
          {isReady || !whyNot ? null : (
            <p
              id={reason}
              className="min-w-0 flex-1 basis-48 text-sm text-pretty text-muted max-sm:basis-full"
            >
              {whyNot}
            </p>
          )}
          <Button onClick={onClose}>{words.cancel}</Button>
          {buttons ?? (
            <Button
              variant="primary"
              type="submit"
              form={form}
              icon={submitIcon}
              disabled={!isReady}
              aria-describedby={isReady || !whyNot ? undefined : reason}
              loading={isSaving}
            >
              {submitLabel}
            </Button>
          )}
        </>
      }
    >
      <form
        id={form}
        noValidate
        className={classNames('grid grid-cols-[minmax(0,1fr)]', className)}
        onSubmit={(event) => {
          event.preventDefault();
          // One that stands inside of another form is not its submit.
          event.stopPropagation();
          if (isReady && !isSaving) onSubmit();
        }}
      >
        {children}
      </form>
    </Dialog>
  );
}
