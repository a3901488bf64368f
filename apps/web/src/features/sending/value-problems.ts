import type { api } from '../../shared/api.ts';
import { formatList } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import type { ConfirmRequest } from '../../ui/overlays/confirm-request.ts';

type Preflight = Awaited<ReturnType<typeof api.campaigns.preflight>>;
type ValueProblem = Preflight['valueProblems'][number];

/** “2 people have no value for {{code}} and will not get the message: Ann and Bob”. */
export function valueProblemText({ kind, placeholder, count, people }: ValueProblem): string {
  const text = t(`sending.values.${kind}`, { n: count, placeholder: written(placeholder) });
  if (people.length === 0) return text;
  const more = count - people.length;
  const names = people.map(({ name }) => name);
  const all = more > 0 ? [...names, t('sending.values.more', { n: more })] : names;
  return t('sending.values.people', { text, names: formatList(all, 'and') });
}

/** The explicit yes to placeholders that leave as they are written: off until somebody sets it. */
export type ValueChoice = { isAllowed: boolean; option: ConfirmRequest['option'] };

/** What a question says of values, and the choice in it where some are missing. */
export function choiceAboutValues({
  valueProblems,
  receiving,
}: Pick<Preflight, 'valueProblems' | 'receiving'>): ValueChoice {
  const missing = valueProblems.filter(({ kind }) => kind === 'missing');
  const choice: ValueChoice = { isAllowed: false, option: undefined };
  if (missing.length === 0) return choice;
  const names = missing.map(({ placeholder }) => written(placeholder));
  const without = missing.reduce((sum, { count }) => sum + count, 0);
  choice.option = {
    label: t('sending.values.allow', { placeholders: formatList(names, 'and') }),
    // Else it would leave to nobody.
    isNeeded: without >= receiving,
    onChange: (isOn) => (choice.isAllowed = isOn),
  };
  return choice;
}

function written(placeholder: string | null): string {
  return `{{${placeholder ?? ''}}}`;
}
