import { CloudOff, X } from 'lucide-react';
import { createElement, Suspense, use, useEffect, useRef } from 'react';
import type { ComponentType } from 'react';
import { IconButton } from '../button.tsx';
import { useUiWords } from '../ui-words.tsx';

/** In place of a dialog that is on its way; `close` is what closes that one. */
export function comingLater<Props extends object>(
  loaded: Promise<ComponentType<Props>>,
  close: (props: Props) => void,
): ComponentType<Props> {
  function Arrived(props: Props) {
    return createElement(use(loaded), props);
  }
  return function LateDialog(props: Props) {
    return (
      <Suspense fallback={<AwayDialog onClose={() => close(props)} />}>
        <Arrived {...props} />
      </Suspense>
    );
  };
}

/** Stands where a dialog is not on this device: the browser's own, as the file of ours may be among those that are not here. */
function AwayDialog({ onClose }: { onClose: () => void }) {
  const words = useUiWords();
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = place.current;
    const before = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={place}
      // oxlint-disable-next-line jsx-a11y/no-redundant-roles -- by it the keys of the page know that something lies over it
      role="dialog"
      aria-labelledby="dialog-away"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className="m-auto w-full max-w-md rounded-xl border border-border bg-raised text-text shadow-raised backdrop:bg-overlay max-sm:mb-0 max-sm:max-w-full max-sm:rounded-b-none"
    >
      <div className="flex items-start gap-3 p-5">
        <CloudOff aria-hidden className="mt-1 size-5 shrink-0 text-muted" />
        <div className="min-w-0 flex-1">
          <h2 id="dialog-away" className="text-lg leading-7 font-semibold">
            {words.offlineTitle}
          </h2>
          <p role="status" className="mt-0.5 text-pretty text-muted">
            {words.offlineText}
          </p>
        </div>
        <IconButton label={words.close} size="small" onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </div>
    </dialog>
  );
}
