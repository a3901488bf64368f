import type { Rehearsal } from '@app/domain/chatbot/rehearsal';
import type { FlowFile } from '@app/domain/flows/flow-file';
import { writeValue } from '@app/domain/flows/flow-values';
import { t } from '../../../shared/messages.ts';
import { stepsInOrder } from '../../automation/editor/step-tree.ts';
import { exitName, reasonText, stepName, valueName } from '../../automation/flow-words.ts';

/** `2. Ask a question`, by the id of the step. */
export function stepTitles(flow: FlowFile): Map<string, string> {
  return new Map(
    stepsInOrder(flow).map(({ id, type }, index) => [
      id,
      t('automation.stepTitle', { n: index + 1, name: stepName(type) }),
    ]),
  );
}

/** Where the run stands, why it went there, and what it knows. */
export function RehearsalState({ rehearsal }: { rehearsal: Rehearsal }) {
  const { flow, state, entries } = rehearsal;
  const titles = stepTitles(flow);
  const steps = entries.flatMap((entry) =>
    entry.kind === 'step' && entry.log.event !== 'ignored' ? [entry.log] : [],
  );
  const values = Object.entries(state.steps).flatMap(([id, found]) =>
    Object.entries(found)
      .filter(([name]) => name !== 'message_id')
      .map(([name, value]) => ({ path: `steps.${id}.${name}`, value: writeValue(value) })),
  );
  return (
    <div className="grid gap-3 text-sm">
      <p role="status" className="font-medium text-pretty">
        {whereText(rehearsal, titles)}
      </p>
      {steps.length > 0 ? (
        <section aria-label={t('botFlows.test.way')}>
          <h3 className="text-muted">{t('botFlows.test.way')}</h3>
          <ol className="mt-1 grid gap-1">
            {steps.map(({ stepId, exit, code, visit }, place) => {
              const step = flow.steps.find(({ id }) => id === stepId);
              return (
                <li key={place} value={visit} className="flex flex-wrap gap-x-2">
                  <span>{titles.get(stepId ?? '') ?? ''}</span>
                  <span className="text-muted">
                    {code !== null
                      ? reasonText(code)
                      : exit === null || exit === 'done'
                        ? t('automation.option.done')
                        : exitName(exit, step)}
                  </span>
                </li>
              );
            })}
          </ol>
        </section>
      ) : null}
      {values.length > 0 ? (
        <section aria-label={t('botFlows.test.values')}>
          <h3 className="text-muted">{t('botFlows.test.values')}</h3>
          <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 [&_dt]:text-muted">
            {values.map(({ path, value }) => (
              <div key={path} className="contents">
                <dt>{valueName(path, titles)}</dt>
                <dd dir="auto" className="wrap-anywhere">
                  {value === '' ? '–' : value}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ) : null}
    </div>
  );
}

function whereText({ state }: Rehearsal, titles: ReadonlyMap<string, string>): string {
  const { end, wait, at } = state;
  if (end)
    return end.code === null
      ? t('botFlows.test.ended')
      : t('botFlows.test.endedFor', { reason: reasonText(end.code) });
  const step = titles.get(at ?? '') ?? '';
  if (wait?.kind === 'reply') return t('botFlows.test.waitsForReply', { step });
  if (wait?.kind === 'effect') return t('botFlows.test.waitsForYou', { step });
  return t('botFlows.test.waits', { step });
}
