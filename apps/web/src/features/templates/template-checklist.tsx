import { CircleAlert, CircleCheck, Lightbulb } from 'lucide-react';
import { useMemo } from 'react';
import type { TemplateCheck } from '@app/domain/templates/template-checks';
import { t } from '../../shared/messages.ts';
import { classNames } from '../../ui/class-names.ts';
import { adviceText } from './template-words.ts';
import { checkForm, type TemplateFormValues } from './template-form.ts';

const marks = {
  passed: { icon: CircleCheck, tone: 'text-success', word: 'templates.checks.passed' },
  warning: { icon: Lightbulb, tone: 'text-warning', word: 'templates.checks.hint' },
  error: { icon: CircleAlert, tone: 'text-danger', word: 'templates.checks.mustFix' },
} as const;

/** The checks of the platform's review, live beside the form. */
export function TemplateChecklist({ values }: { values: TemplateFormValues }) {
  const checks = useMemo(() => checkForm(values), [values]);
  const problems = checks.filter(({ result }) => result === 'error').length;
  const hints = checks.filter(({ result }) => result === 'warning').length;
  const summary =
    problems > 0
      ? t('templates.checks.problems', { n: problems })
      : hints > 0
        ? t('templates.checks.hints', { n: hints })
        : t('templates.checks.ready');
  return (
    <section aria-label={t('templates.checks.title')} className="mt-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 className="font-medium">{t('templates.checks.title')}</h3>
        <p className="text-sm text-muted">{summary}</p>
      </div>
      <ul className="mt-2 flex flex-col gap-1.5 text-sm">
        {checks.map((check) => (
          <CheckLine key={check.check} check={check} />
        ))}
      </ul>
    </section>
  );
}

function CheckLine({ check: line }: { check: TemplateCheck }) {
  const { check, result } = line;
  const { icon: Icon, tone, word } = marks[result];
  return (
    <li className="flex gap-2">
      <Icon aria-hidden className={classNames('mt-0.5 size-4 shrink-0', tone)} />
      <span>
        <span className="font-medium">{t(`templates.check.${check}`)}</span>
        <span className="sr-only">{`: ${t(word)}`}</span>
        {line.advice ? <span className="block text-muted">{adviceText(line)}</span> : null}
      </span>
    </li>
  );
}
