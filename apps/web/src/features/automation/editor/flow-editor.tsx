import type { FlowFile, FlowStep } from '@app/domain/flows/flow-file';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../shared/messages.ts';
import { Panel } from '../../../ui/page-frame.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { endOfFlowText, exitName, stepName } from '../flow-words.ts';
import { GeneralProblems } from './general-problems.tsx';
import type { EditorParts, EditorProps } from './editor-parts.ts';
import { AddStep, StepItem } from './step-item.tsx';
import { isOpenEnd, PLAIN_EXIT, readTree, type TreeChain, type TreeStep } from './step-tree.ts';
import { AddTrigger, TriggerList } from './trigger-item.tsx';
import { useEditorParts } from './use-editor-parts.ts';

/** A flow as a list: what starts it, then each step with where it leads. */
export function FlowEditor(props: EditorProps) {
  const { flow, problems, isReadOnly } = props;
  const parts = useEditorParts(props);
  const tree = readTree(flow);
  return (
    <div className="grid grid-cols-1 gap-4">
      <GeneralProblems problems={problems} />
      <Panel
        title={t('automation.triggers')}
        purpose={t(flow.kind === 'bot' ? 'automation.bot.triggersPurpose' : 'automation.triggersPurpose')}
        actions={isReadOnly ? null : <AddTrigger {...parts} />}
      >
        <TriggerList parts={parts} />
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
            <ol className="grid grid-cols-1 gap-2">
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
    <ol className="grid grid-cols-1 gap-2">
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
          {endOfFlowText(parts.flow.kind)}
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
    <li className="grid grid-cols-1 gap-2">
      <StepItem parts={parts} step={step} number={number} />
      {ways.map(({ exit, chain }) => (
        <div key={exit} className="ml-3 grid grid-cols-1 gap-2 border-l-2 border-border pl-3 sm:ml-6 sm:pl-4">
          <p className="text-sm font-medium">{exitName(exit, step)}</p>
          <StepList parts={parts} chain={chain} />
        </div>
      ))}
      {children}
    </li>
  );
}
