import type { FlowFile, FlowStep } from '@app/domain/flows/flow-file';
import { triggerTypesOf } from '@app/domain/flows/trigger-types';
import { Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useCustomFields } from '../../../shared/contacts/custom-fields.ts';
import { t } from '../../../shared/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { Panel } from '../../../ui/page-frame.tsx';
import { Banner, EmptyState } from '../../../ui/states.tsx';
import { exitName, problemText, stepName, triggerName } from '../flow-words.ts';
import { newTrigger } from './flow-draft.ts';
import { useHooks } from './hook-address.tsx';
import type { EditorParts, EditorProps } from './editor-parts.ts';
import { useReferenceNames } from './flow-summary.ts';
import { AddStep, StepItem } from './step-item.tsx';
import { isOpenEnd, PLAIN_EXIT, readTree, type TreeChain, type TreeStep } from './step-tree.ts';
import { TriggerItem } from './trigger-item.tsx';

/** A flow as a list: what starts it, then each step with where it leads. */
export function FlowEditor(props: EditorProps) {
  const { flow, problems, isReadOnly } = props;
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const hooks = useHooks(
    props.workflowId,
    flow.triggers.some(({ type }) => type === 'webhook'),
  );
  const parts: EditorParts = {
    ...props,
    names: useReferenceNames(flow),
    fields: useCustomFields() ?? [],
    samples: (hooks.data?.items ?? []).map(({ sample }) => sample),
    isOpen: (id) => opened.has(id),
    setOpen: (id, open) =>
      setOpened((now) => new Set(open ? [...now, id] : [...now].filter((one) => one !== id))),
  };
  const general = problems.filter(({ place }) => place === 'flow' || place === 'goal');
  const tree = readTree(flow);
  return (
    <div className="grid gap-4">
      {general.length > 0 ? (
        <Banner tone="warning">
          <ul>
            {general.map((problem) => (
              <li key={`${problem.code} ${problem.value ?? ''}`}>{problemText(problem)}</li>
            ))}
          </ul>
        </Banner>
      ) : null}
      <Panel
        title={t('automation.triggers')}
        purpose={t('automation.triggersPurpose')}
        actions={isReadOnly ? null : <AddTrigger {...parts} />}
      >
        {flow.triggers.length === 0 ? (
          <p className="text-muted">{t('automation.noTrigger')}</p>
        ) : (
          <ul className="grid gap-3">
            {flow.triggers.map((trigger) => (
              <TriggerItem key={trigger.id} parts={parts} trigger={trigger} />
            ))}
          </ul>
        )}
      </Panel>
      <Panel title={t('automation.steps')} purpose={t('automation.stepsPurpose')}>
        {flow.steps.length === 0 ? (
          <EmptyState
            icon={<Plus />}
            title={t('automation.noSteps')}
            text={t('automation.noStepsText')}
            action={
              isReadOnly ? undefined : (
                <AddStep
                  parts={parts}
                  label={t('automation.addStep')}
                  variant="primary"
                  place={{ after: null }}
                />
              )
            }
          />
        ) : (
          <StepList parts={parts} chain={tree.main} isMain />
        )}
        {tree.apart.length > 0 ? (
          <div className="mt-6 grid gap-2">
            <h3 className="font-medium text-warning">{t('automation.stepsApart')}</h3>
            <p className="text-sm text-muted">{t('automation.stepsApartText')}</p>
            <ol className="grid gap-2">
              {tree.apart.map((one) => (
                <StepEntry key={one.step.id} parts={parts} entry={one} />
              ))}
            </ol>
          </div>
        ) : null}
      </Panel>
    </div>
  );
}

function AddTrigger({ flow, onChange, setOpen }: EditorParts) {
  return (
    <Menu
      trigger={
        <Button size="small" icon={<Plus aria-hidden />}>
          {t('automation.addTrigger')}
        </Button>
      }
      entries={triggerTypesOf(flow.kind).map(({ type }) => ({
        label: triggerName(type),
        onSelect: () => {
          const trigger = newTrigger(flow, type);
          setOpen(`trigger ${trigger.id}`, true);
          onChange({ ...flow, triggers: [...flow.triggers, trigger] });
        },
      }))}
    />
  );
}

/** Steps one after the other; between them, and behind the last, the next can be put. */
function StepList({
  parts,
  chain,
  isMain = false,
}: {
  parts: EditorParts;
  chain: TreeChain;
  isMain?: boolean;
}) {
  const { isReadOnly, flow } = parts;
  const target = flow.steps.find(({ id }) => id === chain.goesTo);
  return (
    <ol className="grid gap-2">
      {isMain && !isReadOnly ? (
        <li>
          <AddStep parts={parts} label={t('automation.addFirstStep')} place={{ after: null }} />
        </li>
      ) : null}
      {chain.steps.map((one, index) => (
        <StepEntry key={one.step.id} parts={parts} entry={one}>
          {isReadOnly || index === chain.steps.length - 1 ? null : (
            <span className="-my-1 ml-3.5 justify-self-start">
              <AddStep
                parts={parts}
                variant="between"
                label={t('automation.addStepAfter', { n: one.number })}
                place={{ after: one.step.id, exit: PLAIN_EXIT }}
              />
            </span>
          )}
        </StepEntry>
      ))}
      {target ? <li className="pl-4 text-sm text-muted">{goesToText(parts, target)}</li> : null}
      {!target && isOpenEnd(chain) ? (
        <li className="flex flex-wrap items-center gap-2 pl-4 text-sm text-muted">
          {t('automation.endOfFlow')}
          {isReadOnly || (isMain && chain.steps.length === 0) ? null : (
            <AddStep parts={parts} label={t('automation.addStep')} place={chain.last} />
          )}
        </li>
      ) : null}
    </ol>
  );
}

function goesToText({ flow }: EditorParts, { id, type }: FlowStep): string {
  return t('automation.goesTo', {
    n: findNumber(flow, id),
    name: stepName(type),
  });
}

function findNumber(flow: FlowFile, id: string): number {
  const { main, apart } = readTree(flow);
  const find = (steps: readonly TreeStep[]): number | undefined => {
    for (const { step, number, ways } of steps) {
      if (step.id === id) return number;
      for (const { chain } of ways) {
        const found = find(chain.steps);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  };
  return find(main.steps) ?? find(apart) ?? 0;
}

/** A step, and below it the ways that are ways of their own. */
function StepEntry({
  parts,
  entry,
  children,
}: {
  parts: EditorParts;
  entry: TreeStep;
  children?: ReactNode;
}) {
  const { step, number, ways } = entry;
  return (
    <li className="grid gap-2">
      <StepItem parts={parts} step={step} number={number} />
      {ways.map(({ exit, chain }) => (
        <div key={exit} className="ml-3 grid gap-2 border-l-2 border-border pl-3 sm:ml-6 sm:pl-4">
          <p className="text-sm font-medium">{exitName(exit)}</p>
          <StepList parts={parts} chain={chain} />
        </div>
      ))}
      {children}
    </li>
  );
}
