import type { FlowStep } from '@app/domain/flows/flow-file';
import { findStepType, stepTypesOf } from '@app/domain/flows/step-types';
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useState, type MouseEvent } from 'react';
import { t } from '../../../shared/messages.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/controls/choice.tsx';
import { SearchList } from '../../../ui/controls/search-list.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { Field } from '../../../ui/field.tsx';
import { Popover } from '../../../ui/overlays/popover.tsx';
import { Banner } from '../../../ui/states.tsx';
import { windowRiskText } from '../window-warnings.ts';
import { durationText, endOfFlowText, exitName, fieldName, stepName } from '../flow-words.ts';
import { cardElementId, EditorCard, fieldProblems, hasNoOtherFocus } from './editor-card.tsx';
import { DurationField } from './field-controls.tsx';
import { addStep, changeStep, exitsOf, mayMove, moveStep, removeStep, setNext } from './flow-draft.ts';
import type { EditorParts } from './editor-parts.ts';
import { FlowFields } from './flow-fields.tsx';
import { stepSummary } from './flow-summary.ts';
import { valuesFor } from './flow-values.ts';
import { stepIcon } from './step-icons.tsx';
import { PLAIN_EXIT, stepsInOrder, type Place } from './step-tree.ts';

/** One step: closed in a line, open with its fields, its delay and where each way out leads. */
export function StepItem({ parts, step, number }: { parts: EditorParts; step: FlowStep; number: number }) {
  const { isReadOnly, names, isOpen, setOpen } = parts;
  const key = `step ${step.id}`;
  const problems = parts.problems.filter(({ place, id }) => place === 'step' && id === step.id);
  const isDelayed = step.delay !== null && step.delay.amount > 0;
  const isAtRisk = parts.risks.some(({ stepId }) => stepId === step.id);
  return (
    <EditorCard
      id={key}
      icon={stepIcon(step.type)}
      name={t('automation.stepTitle', { n: number, name: stepName(step.type) })}
      summary={stepSummary(step, names)}
      badge={
        <>
          {isDelayed && step.delay ? (
            <Badge>{t('automation.afterDelay', { time: durationText(step.delay) })}</Badge>
          ) : null}
          {isAtRisk ? <Badge tone="warning">{t('automation.window.badge')}</Badge> : null}
        </>
      }
      problems={problems}
      isOpen={isOpen(key)}
      onOpenChange={(open) => setOpen(key, open)}
    >
      <fieldset disabled={isReadOnly} className="grid min-w-0 gap-4">
        <StepFields parts={parts} step={step} problems={problems} />
        {isReadOnly ? null : <StepButtons parts={parts} step={step} />}
      </fieldset>
    </EditorCard>
  );
}

/** The fields of a step, its delay, and where each way out of it leads. */
export function StepFields({
  parts: { flow, fields, samples, risks, onChange },
  step,
  problems,
}: {
  parts: EditorParts;
  step: FlowStep;
  problems: EditorParts['problems'];
}) {
  const exits = exitsOf(step);
  const problemOf = fieldProblems(problems);
  const risk = risks.find(({ stepId }) => stepId === step.id);
  const change = (part: Partial<FlowStep>) => onChange(changeStep(flow, step.id, part));
  const targets = stepsInOrder(flow)
    .map(({ id, type }, index) => ({
      value: id,
      label: t('automation.stepTitle', { n: index + 1, name: stepName(type) }),
    }))
    .filter(({ value }) => value !== step.id);
  return (
    <>
      {risk ? <Banner tone="warning">{windowRiskText(risk)}</Banner> : null}
      <FlowFields
        type={step.type}
        fields={findStepType(step.type)?.fields ?? []}
        config={step.config}
        values={valuesFor(flow, step.id, { fields, samples })}
        problemOf={problemOf}
        onChange={(config) => change({ config })}
      />
      <Checkbox
        label={t('automation.hasDelay')}
        checked={step.delay !== null}
        onChange={(event) => change({ delay: event.target.checked ? { amount: 1, unit: 'hours' } : null })}
      />
      {step.delay === null ? null : (
        <DurationField
          label={fieldName('delay')}
          value={step.delay}
          error={problemOf('delay')}
          onChange={(delay) => change({ delay })}
        />
      )}
      {exits.map((exit) => (
        <Field
          key={exit}
          label={exit === PLAIN_EXIT ? t('automation.then') : exitName(exit, step)}
          error={problemOf(exit)}
        >
          <Select
            value={step.next[exit] ?? ''}
            onChange={(target) => onChange(setNext(flow, step.id, exit, target === '' ? null : target))}
            options={[
              {
                value: '',
                label: exit === 'failed' ? t('automation.failsRun') : endOfFlowText(flow.kind),
              },
              ...targets,
            ]}
          />
        </Field>
      ))}
    </>
  );
}

/** Puts the step elsewhere on its way, or removes it. */
export function StepButtons({ parts, step }: { parts: EditorParts; step: FlowStep }) {
  const { flow, onChange } = parts;
  function move(direction: 'up' | 'down', { currentTarget: button }: MouseEvent<HTMLButtonElement>) {
    onChange(moveStep(flow, step.id, direction));
    // What is moved in the document loses the focus; at the end of the way the button is off.
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body && document.activeElement !== button) return;
      const target = button.disabled ? document.getElementById(cardElementId(`step ${step.id}`)) : button;
      target?.focus({ preventScroll: true });
      target?.scrollIntoView({ block: 'nearest' });
    });
  }
  return (
    <div className="flex flex-wrap gap-2 border-t border-border pt-3">
      {exitsOf(step)
        .filter((exit) => exit === 'failed' && !step.next[exit])
        .map((exit) => (
          <AddStep
            key={exit}
            parts={parts}
            label={t('automation.addIfFailed')}
            place={{ after: step.id, exit }}
          />
        ))}
      <Button
        size="small"
        variant="ghost"
        icon={<ArrowUp aria-hidden />}
        disabled={!mayMove(flow, step.id, 'up')}
        onClick={(event) => move('up', event)}
      >
        {t('automation.moveUp')}
      </Button>
      <Button
        size="small"
        variant="ghost"
        icon={<ArrowDown aria-hidden />}
        disabled={!mayMove(flow, step.id, 'down')}
        onClick={(event) => move('down', event)}
      >
        {t('automation.moveDown')}
      </Button>
      <Button
        size="small"
        variant="danger-ghost"
        icon={<Trash2 aria-hidden />}
        onClick={() => onChange(removeStep(flow, step.id))}
      >
        {t('automation.removeStep')}
      </Button>
    </div>
  );
}

/** Offers every type of step, by its group and found by a part of its name; the new step stands open at its place. */
export function AddStep({
  parts: { flow, onChange, setOpen, focusOn },
  label,
  place,
  variant = 'ghost',
}: {
  parts: Pick<EditorParts, 'flow' | 'onChange' | 'setOpen' | 'focusOn'>;
  label: string;
  place: Place;
  /** `between`: a small plus on the way from one step to the next. */
  variant?: 'ghost' | 'primary' | 'between';
}) {
  const [isOpen, setIsOpen] = useState(false);
  const groups = [...Map.groupBy(stepTypesOf(flow.kind), ({ group }) => group).values()];
  return (
    <Popover
      align="start"
      open={isOpen}
      onOpenChange={setIsOpen}
      finalFocus={hasNoOtherFocus}
      className="flex max-h-[min(28rem,var(--available-height))] w-72 flex-col p-1.5!"
      trigger={
        variant === 'between' ? (
          <IconButton size="small" variant="ghost" label={label}>
            <Plus aria-hidden />
          </IconButton>
        ) : (
          <Button
            size={variant === 'primary' ? 'medium' : 'small'}
            variant={variant}
            icon={<Plus aria-hidden />}
          >
            {label}
          </Button>
        )
      }
    >
      <SearchList
        label={t('canvas.searchTypes')}
        emptyText={t('canvas.noTypes')}
        groups={groups.map((types) =>
          types.map(({ type }) => ({ value: type, label: stepName(type), icon: stepIcon(type) })),
        )}
        onChoose={(type) => {
          const added = addStep(flow, type, place);
          setIsOpen(false);
          setOpen(`step ${added.id}`, true);
          focusOn(`step ${added.id}`);
          onChange(added.flow);
        }}
      />
    </Popover>
  );
}
