import { CloudOff, X } from 'lucide-react';
import { createElement, lazy, Suspense, use, useEffect, useRef } from 'react';
import type { ComponentType, LazyExoticComponent } from 'react';
import { IconButton } from '../button.tsx';
import { loadFile } from '../load-file.ts';
import { useUiWords } from '../ui-words.tsx';

type Load<Props> = () => Promise<ComponentType<Props>>;
type Closes = { onClose: () => void };

/**
 * A dialog in a file of its own. Where that is not on this device and there is no connection, a dialog stands in its place that says so, closes as the
 * real one does (`close`, where that is not its `onClose`), and becomes it by itself once it can be had.
 */
export function lazyDialog<Props extends Closes>(load: Load<Props>): Lazy<Props>;
export function lazyDialog<Props>(load: Load<Props>, close: (props: Props) => void): Lazy<Props>;
export function lazyDialog<Props extends Partial<Closes>>(
  load: Load<Props>,
  close: (props: Props) => void = ({ onClose }) => onClose?.(),
): Lazy<Props> {
  return lazy(async () => {
    const { promise: waits, resolve: startWaiting } = Promise.withResolvers<undefined>();
    const loaded = loadFile(load, () => startWaiting(undefined));
    return { default: (await Promise.race([loaded, waits])) ?? comingLater(loaded, close) };
  });
}

type Lazy<Props> = LazyExoticComponent<ComponentType<Props>>;

function comingLater<Props extends object>(
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

/** The browser's own dialog: the file of ours may be among those that are not here. */
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
