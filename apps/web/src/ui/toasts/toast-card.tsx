import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { shownToasts, type ToastMessage } from '../toast.ts';

const icons = {
  success: <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />,
  error: <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />,
  info: <Info aria-hidden className="mt-0.5 size-4 shrink-0 text-info" />,
};

/** One notification: it goes by itself, unless somebody points at it or has the focus in it. */
export function ToastCard({ toast, closeLabel }: { toast: ToastMessage; closeLabel: string }) {
  const [held, setHeld] = useState(false);
  const { endsAt } = toast;
  const left = useRef(toast.duration ?? 5000);

  useEffect(leaveAtNextPress, []);
  useEffect(() => {
    if (held && endsAt === undefined) return undefined;
    const started = performance.now();
    const waits = endsAt === undefined ? left.current : endsAt - Date.now();
    const timer = setTimeout(() => shownToasts.dismiss(toast.id), waits);
    return () => {
      clearTimeout(timer);
      left.current = Math.max(1000, left.current - (performance.now() - started));
    };
  }, [held, endsAt, toast.id]);

  return (
    <div
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="flex w-full sm:pointer-events-auto items-start gap-3 rounded-card border border-border bg-raised p-3 shadow-raised transition-[opacity,translate] duration-150 starting:translate-y-2 starting:opacity-0"
    >
      {endsAt === undefined ? icons[toast.kind] : <Countdown endsAt={endsAt} />}
      <div className="min-w-0 flex-1">
        <div className="flex gap-1.5">
          <p className="font-medium text-pretty">{toast.title}</p>
          {toast.times > 1 ? <span className="text-muted tabular-nums">×{toast.times}</span> : null}
        </div>
        {toast.text ? <p className="text-sm text-muted">{toast.text}</p> : null}
      </div>
      {toast.action ? (
        <button
          type="button"
          aria-keyshortcuts={toast.action.isUndo ? 'Control+Z Meta+Z' : undefined}
          onClick={() => {
            toast.action?.onSelect();
            shownToasts.dismiss(toast.id);
          }}
          className="pointer-events-auto -my-0.5 rounded-md px-2 py-0.5 font-medium text-primary-text hover:bg-hover"
        >
          {toast.action.label}
        </button>
      ) : null}
      <button
        type="button"
        aria-label={closeLabel}
        onClick={() => shownToasts.dismiss(toast.id)}
        className="pointer-events-auto -m-0.5 grid size-6 shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-text"
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  );
}

/** Seconds for the eye; who listens hears the notification once. */
function Countdown({ endsAt }: { endsAt: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return (
    <span
      aria-hidden
      className="grid size-6 shrink-0 place-items-center rounded-full border-2 border-primary text-xs font-semibold tabular-nums"
    >
      {Math.max(1, Math.ceil((endsAt - now) / 1000))}
    </span>
  );
}

/**
 * On a phone a notification lies over what comes next, wherever it stands: a press goes through to that, and takes away
 * what was read. What can still be done about it stays.
 */
function leaveAtNextPress(): () => void {
  const narrow = matchMedia('(width < 40rem)');
  const leave = ({ target }: PointerEvent) => {
    if (!narrow.matches || (target instanceof Element && target.closest('[data-notifications]'))) return;
    shownToasts.dismissRead();
  };
  document.addEventListener('pointerdown', leave, { capture: true });
  return () => document.removeEventListener('pointerdown', leave, { capture: true });
}
