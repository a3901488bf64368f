import { Check, Pencil, X } from 'lucide-react';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { t } from '../../shared/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { ConflictBanner } from '../../ui/conflict-banner.tsx';

/** What came of a save: nothing more to say, what is wrong with what was typed, or what somebody else has made of it. */
export type SaveOutcome<Value> =
  | { kind: 'saved' }
  | { kind: 'wrong'; text: string }
  | { kind: 'theirs'; value: Value };

export interface EditableLineProps<Value> {
  label: string;
  value: Value;
  /** As it is read. */
  children: ReactNode;
  /** The control for it; Enter in it saves. */
  editor: (draft: Value, change: (draft: Value) => void) => ReactNode;
  /** Null for whoever may only read it. */
  save: ((draft: Value, seen: Value) => Promise<SaveOutcome<Value>>) | null;
  say?: (value: Value) => string;
}

/** A line of details that is changed where it stands: Enter saves, Escape leaves it as it was. */
export function EditableLine<Value>(props: EditableLineProps<Value>) {
  const { label, children, save } = props;
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  // The focus comes back with the line as it is read.
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const close = () => setOpen(false);
  return (
    <div className="group">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="mt-0.5 wrap-anywhere tabular-nums">
        {isOpen && save ? (
          <LineEditor {...props} save={save} onClose={close} />
        ) : (
          <span className="flex items-start justify-between gap-1">
            <span className="min-w-0 py-0.5">{children}</span>
            {save ? (
              <IconButton
                ref={opener}
                size="small"
                className="-my-0.5 shrink-0 opacity-60 group-hover:opacity-100 focus-visible:opacity-100"
                label={t('contactPanel.change', { field: label })}
                onClick={() => setOpen(true)}
              >
                <Pencil aria-hidden />
              </IconButton>
            ) : null}
          </span>
        )}
      </dd>
    </div>
  );
}

function LineEditor<Value>({
  label,
  value,
  editor,
  save,
  say = String,
  onClose,
}: EditableLineProps<Value> & { save: NonNullable<EditableLineProps<Value>['save']>; onClose: () => void }) {
  // What was seen when it was opened: a later change by somebody else must not pull the ground from under what is typed.
  const [seen, setSeen] = useState(value);
  const [draft, setDraft] = useState(value);
  const [problem, setProblem] = useState<string>();
  const [theirs, setTheirs] = useState<{ value: Value } | null>(null);
  const [isSaving, setSaving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const problemId = useId();
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), []);
  const leave = useRef(onClose);
  useEffect(() => {
    leave.current = onClose;
  });
  useEffect(() => {
    const field = form.current;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      leave.current();
    };
    field?.addEventListener('keydown', onKey);
    return () => field?.removeEventListener('keydown', onKey);
  }, []);

  async function submit(base: Value) {
    if (isSaving) return;
    if (JSON.stringify(draft) === JSON.stringify(base)) return onClose();
    setSaving(true);
    setProblem(undefined);
    const outcome = await save(draft, base);
    setSaving(false);
    if (outcome.kind === 'saved') return onClose();
    if (outcome.kind === 'wrong') return setProblem(outcome.text);
    setTheirs({ value: outcome.value });
  }

  return (
    <form
      ref={form}
      aria-label={t('contactPanel.change', { field: label })}
      aria-describedby={problem === undefined ? undefined : problemId}
      className="grid gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(seen);
      }}
    >
      <span className="flex items-start gap-1">
        <span className="min-w-0 flex-1">{editor(draft, setDraft)}</span>
        <IconButton type="submit" size="small" label={t('common.save')} disabled={isSaving}>
          <Check aria-hidden />
        </IconButton>
        <IconButton size="small" label={t('common.cancel')} onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </span>
      <span id={problemId} role="alert" className="text-sm text-danger empty:hidden">
        {problem}
      </span>
      {theirs ? (
        <ConflictBanner
          ways={[
            {
              label: t('contacts.changedLoad'),
              onSelect: () => {
                setDraft(theirs.value);
                setSeen(theirs.value);
                setTheirs(null);
              },
            },
            {
              label: t('contacts.changedKeep'),
              onSelect: () => {
                setSeen(theirs.value);
                setTheirs(null);
                void submit(theirs.value);
              },
            },
          ]}
        >
          <p>{t('contactPanel.theirs', { value: say(theirs.value) || '—' })}</p>
        </ConflictBanner>
      ) : null}
    </form>
  );
}
