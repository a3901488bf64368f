import type { Duration, FlowKind, FlowStep } from '@app/domain/flows/flow-file';
import { choicesOf } from '@app/domain/flows/steps/offer-choices';
import { findText, t } from '../../shared/messages.ts';
import { stepName, triggerName, wordsOf } from '../../shared/automation/workflow-words.ts';
import { reasonWords } from '../sending/delivery-words.ts';

export { stepName, triggerName };
/** A way out as people read it: of the step, where it has words of its own, such as the title of a choice. */
export function exitName(exit: string, step?: Pick<FlowStep, 'type' | 'config'>): string {
  const choice =
    step?.type === 'offer_choices' ? choicesOf(step.config).find(({ name }) => name === exit) : undefined;
  if (choice) return t('automation.exit.choice', { title: choice.title });
  return findText(`automation.exit.${step?.type ?? ''}.${exit}`) ?? wordsOf('exit', exit);
}
/** What an option is called; `webhook_call.text` says more than `text` alone where a type needs it. */
export const optionName = (option: string, type = '') =>
  findText(`automation.option.${type}.${option}`) ?? wordsOf('option', option);
/** What a field is called, likewise. */
export const fieldName = (name: string, type = '') =>
  findText(`automation.field.${type}.${name}`) ?? wordsOf('field', name);

/** `2 days`, in the words of the language. */
export function endOfFlowText(kind: FlowKind): string {
  return t(kind === 'bot' ? 'automation.bot.endOfFlow' : 'automation.endOfFlow');
}

export function durationText({ amount, unit }: Duration): string {
  return findText(`automation.duration.${unit}`, { n: amount }) ?? `${amount} ${unit}`;
}

/** Why a step or a run ended as it did, with the code behind it where there are no words for it. */
export function reasonText(code: string): string {
  const [, status] = /^http_(\d{3})$/.exec(code) ?? [];
  if (status !== undefined) return t('automation.reason.http', { status });
  return (
    findText(`automation.reason.${code}`) ?? reasonWords(code) ?? t('automation.reason.unknown', { code })
  );
}

type Problem = { code: string; value: string | null };

export function problemText({ code, value }: Problem): string {
  return findText(`automation.problem.${code}`, { value: value ?? '' }) ?? code;
}

/** A value as people read it: `contact.first_name` as `Contact: First name`. */
export function valueName(path: string, stepNames: ReadonlyMap<string, string>): string {
  const [source = '', ...rest] = path.split('.');
  const [first = '', ...last] = rest;
  const stepTitle = source === 'steps' ? stepNames.get(first) : undefined;
  return t('automation.value', {
    source: stepTitle ?? wordsOf('source', source),
    name: wordsOf('field', stepTitle ? last.join('.') : rest.join('.').replace(/^fields\./, '')),
  });
}
