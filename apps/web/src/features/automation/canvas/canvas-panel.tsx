import { stepTypesOf } from '@app/domain/flows/step-types';
import { X } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useRef, useState, type ReactNode } from 'react';
import { t } from '../../../shared/messages.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Input } from '../../../ui/input.tsx';
import { Kbd } from '../../../ui/kbd.tsx';
import type { EditorParts } from '../editor/editor-parts.ts';
import { stepIcon } from '../editor/step-icons.tsx';
import { StepButtons, StepFields } from '../editor/step-item.tsx';
import { AddTrigger, TriggerList } from '../editor/trigger-item.tsx';
import { ProblemList } from '../editor/problem-list.tsx';
import { stepName } from '../flow-words.ts';
import { canvasShortcuts } from './canvas-keys.ts';
import type { CanvasItem } from './canvas-layout.ts';

/** The frame of what stands beside the canvas: the fields of a step, the triggers, the types of steps, the keys. */
function CanvasPanel({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const heading = useId();
  const panel = useRef<HTMLElement>(null);
  const hear = useEffectEvent((event: KeyboardEvent) => {
    // A list or menu that is open takes the key for itself.
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    if (document.querySelector('[role="listbox"], [role="menu"], [role="dialog"]')) return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  });
  useEffect(() => {
    const element = panel.current;
    element?.addEventListener('keydown', hear);
    return () => element?.removeEventListener('keydown', hear);
  }, []);
  return (
    <section
      aria-labelledby={heading}
      ref={panel}
      data-canvas-panel
      className="flex w-96 shrink-0 flex-col border-l border-border bg-raised"
    >
      <div className="flex items-center gap-2 border-b border-border px-4 py-2.5">
        <h3 id={heading} className="min-w-0 flex-1 truncate font-semibold">
          {title}
        </h3>
        <IconButton size="small" variant="ghost" label={t('common.close')} onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </div>
      <div className="grid min-h-0 flex-1 content-start gap-4 overflow-y-auto p-4">{children}</div>
    </section>
  );
}

export function StepPanel({
  parts,
  item: { step, number },
  onClose,
  onConnect,
  onCopy,
}: {
  parts: EditorParts;
  item: CanvasItem & { kind: 'step' };
  onClose: () => void;
  onConnect: () => void;
  onCopy: () => void;
}) {
  const problems = parts.problems.filter(({ place, id }) => place === 'step' && id === step.id);
  const others = problems.filter(({ field }) => field === null);
  return (
    <CanvasPanel
      title={t('automation.stepTitle', { n: number, name: stepName(step.type) })}
      onClose={onClose}
    >
      <ProblemList problems={others} className="text-sm text-danger" />
      <fieldset disabled={parts.isReadOnly} className="grid min-w-0 gap-4">
        <StepFields key={step.id} parts={parts} step={step} problems={problems} />
        {parts.isReadOnly ? null : (
          <>
            <div className="flex flex-wrap gap-2 border-t border-border pt-3">
              <Button size="small" variant="ghost" onClick={onConnect}>
                {t('canvas.connect')}
              </Button>
              <Button size="small" variant="ghost" onClick={onCopy}>
                {t('canvas.copy')}
              </Button>
            </div>
            <StepButtons parts={parts} step={step} />
          </>
        )}
      </fieldset>
    </CanvasPanel>
  );
}

export function StartPanel({ parts, onClose }: { parts: EditorParts; onClose: () => void }) {
  return (
    <CanvasPanel title={t('automation.triggers')} onClose={onClose}>
      <TriggerList parts={parts} />
      {parts.isReadOnly ? null : <AddTrigger {...parts} />}
    </CanvasPanel>
  );
}

/** Offers every type of step; typing a part of a name leaves those that have it. */
export function AddPanel({
  parts: { flow },
  mayPaste,
  onAdd,
  onPaste,
  onClose,
}: {
  parts: EditorParts;
  mayPaste: boolean;
  onAdd: (type: string) => void;
  onPaste: () => void;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  const wanted = typed.trim().toLowerCase();
  const found = stepTypesOf(flow.kind).filter(({ type }) => stepName(type).toLowerCase().includes(wanted));
  return (
    <CanvasPanel title={t('automation.addStep')} onClose={onClose}>
      <Input
        autoFocus
        type="search"
        value={typed}
        aria-label={t('canvas.searchTypes')}
        placeholder={t('canvas.searchTypes')}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          const [first] = found;
          if (event.key !== 'Enter' || !first || wanted === '') return;
          event.preventDefault();
          onAdd(first.type);
        }}
      />
      {mayPaste ? (
        <Button size="small" onClick={onPaste}>
          {t('canvas.pasteHere')}
        </Button>
      ) : null}
      <ul className="grid gap-1">
        {found.map(({ type }) => (
          <li key={type}>
            <Button
              variant="ghost"
              className="w-full justify-start"
              icon={<span className="text-muted [&_svg]:size-4">{stepIcon(type)}</span>}
              onClick={() => onAdd(type)}
            >
              {stepName(type)}
            </Button>
          </li>
        ))}
      </ul>
      {found.length === 0 ? <p className="text-muted">{t('canvas.noTypes')}</p> : null}
    </CanvasPanel>
  );
}

export function KeysPanel({ onClose }: { onClose: () => void }) {
  return (
    <CanvasPanel title={t('canvas.keys')} onClose={onClose}>
      <dl className="grid gap-2">
        {canvasShortcuts.map(([label, keys]) => (
          <div key={label} className="flex items-center justify-between gap-3">
            <dt>{t(label)}</dt>
            <dd className="flex shrink-0 gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </CanvasPanel>
  );
}
