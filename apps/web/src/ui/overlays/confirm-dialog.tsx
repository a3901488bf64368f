import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useRef, useState } from 'react';
import { afterPaint } from '../after-paint.ts';
import { Button } from '../button.tsx';
import { TriangleAlert } from 'lucide-react';
import type { ConfirmObstacle, ConfirmRequest } from './confirm-request.ts';
import { Checkbox } from '../controls/choice.tsx';
import { Banner } from '../states.tsx';
import { backdropStyle } from './popup-props.ts';
import { useUiWords } from '../ui-words.tsx';

/** The question itself; `useConfirm` loads this file with the first question. */
export function ConfirmDialog({
  request,
  onAnswer,
  onGone,
}: {
  request: ConfirmRequest;
  /** Called after the browser has shown that the user answered; the dialog then still fades out. */
  onAnswer: (yes: boolean) => void;
  onGone: () => void;
}) {
  const words = useUiWords();
  const [open, setOpen] = useState(true);
  const [working, setWorking] = useState(false);
  const [isOptionOn, setOptionOn] = useState(false);
  const isAnswered = useRef(false);

  async function confirm() {
    // The second half of a double click comes before the button is drawn anew, or while the dialog fades out.
    if (isAnswered.current) return;
    isAnswered.current = true;
    if (request.work) {
      setWorking(true);
      try {
        await request.work();
      } finally {
        setWorking(false);
      }
    }
    close(true);
  }

  function close(yes: boolean) {
    setOpen(false);
    // What follows is often a page that is drawn anew: that the dialog goes shows first.
    afterPaint(() => onAnswer(yes));
  }

  return (
    <AlertDialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!working && !next) close(false);
      }}
      onOpenChangeComplete={(isOpen) => {
        if (!isOpen) onGone();
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop forceRender className={backdropStyle} />
        <AlertDialog.Viewport className="fixed inset-0 layer-dialog grid place-items-center p-4">
          <AlertDialog.Popup className="w-full max-w-md rounded-xl border border-border bg-raised p-5 shadow-raised outline-none transition-[opacity,transform] duration-150 data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0">
            <AlertDialog.Title className="text-lg font-semibold text-balance">
              {request.title}
            </AlertDialog.Title>
            {request.text ? (
              <AlertDialog.Description className="mt-1.5 text-muted">{request.text}</AlertDialog.Description>
            ) : null}
            {request.obstacle ? (
              <div className="mt-4">
                <Banner tone="danger" icon={<TriangleAlert aria-hidden />}>
                  {request.obstacle.text}
                </Banner>
              </div>
            ) : null}
            {request.warnings && request.warnings.length > 0 ? (
              <ul className="mt-4 flex max-h-60 flex-col gap-1.5 overflow-y-auto text-sm text-warning">
                {request.warnings.map((warning) => (
                  <li key={warning} className="flex items-start gap-2">
                    <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
                    <span className="min-w-0 wrap-anywhere">{warning}</span>
                  </li>
                ))}
              </ul>
            ) : null}
            {request.option && !request.obstacle ? (
              <div className="mt-3">
                <Checkbox
                  label={request.option.label}
                  checked={isOptionOn}
                  onChange={({ target }) => {
                    setOptionOn(target.checked);
                    request.option?.onChange(target.checked);
                  }}
                />
              </div>
            ) : null}
            {request.facts ? (
              <dl className="mt-4 flex flex-col gap-1.5 rounded-card border border-border bg-surface p-3 tabular-nums">
                {request.facts.map(({ label, value }) => (
                  <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-4">
                    <dt className="text-muted">{label}</dt>
                    <dd className="font-medium">{value}</dd>
                  </div>
                ))}
              </dl>
            ) : null}
            <div className="mt-5 flex justify-end gap-2">
              <AlertDialog.Close render={<Button disabled={working} />}>
                {request.cancelLabel ?? words.cancel}
              </AlertDialog.Close>
              {request.obstacle ? (
                <NextStep step={request.obstacle.step} onDone={() => close(false)} />
              ) : (
                <Button
                  variant={request.danger === false ? 'primary' : 'danger'}
                  loading={working}
                  disabled={request.option?.isNeeded && !isOptionOn}
                  onClick={() => void confirm()}
                >
                  {request.confirmLabel ?? words.confirm}
                </Button>
              )}
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

function NextStep({ step, onDone }: { step: ConfirmObstacle['step']; onDone: () => void }) {
  if (!step) return null;
  return (
    <Button
      variant="primary"
      onClick={() => {
        onDone();
        step.onSelect();
      }}
    >
      {step.label}
    </Button>
  );
}
