import { TriangleAlert } from 'lucide-react';
import type { RunVariable } from '@app/domain/delivery/run-message';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { t } from '../messages.ts';
import { sourceOf, unfilledVariables, type MessageDraft } from './message-draft.ts';

const fields = ['name', 'phone', 'email', 'business'] as const;
type Choice = (typeof fields)[number] | 'text';

/** For each placeholder: a field of the contact or the business, or one text for everybody. */
export function VariableFields({
  names,
  variables,
  onChange,
}: {
  names: readonly string[];
  variables: MessageDraft['variables'];
  onChange: (variables: MessageDraft['variables']) => void;
}) {
  if (names.length === 0) return null;
  return (
    <section className="flex min-w-0 flex-col gap-3">
      <div>
        <h3 className="font-semibold">{t('sending.message.variables')}</h3>
        <p className="text-sm text-muted">{t('sending.message.variablesHint')}</p>
      </div>
      <ul className="flex flex-col gap-2.5">
        {names.map((name) => (
          <VariableRow
            key={name}
            name={name}
            source={sourceOf(name, variables)}
            onChange={(source) => onChange({ ...variables, [name]: source })}
          />
        ))}
      </ul>
      <UnfilledWarning names={names} variables={variables} />
    </section>
  );
}

export function UnfilledWarning({
  names,
  variables,
}: {
  names: readonly string[];
  variables: MessageDraft['variables'];
}) {
  const unfilled = unfilledVariables(names, variables);
  if (unfilled.length === 0) return null;
  const shown = unfilled.map((name) => `{{${name}}}`).join(', ');
  return (
    <p role="status" className="flex items-start gap-2 text-sm text-warning">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {t('sending.message.unfilled', { n: unfilled.length, names: shown })}
    </p>
  );
}

function VariableRow({
  name,
  source,
  onChange,
}: {
  name: string;
  source: RunVariable | null;
  onChange: (source: RunVariable) => void;
}) {
  const choice: Choice | null = source === null ? null : 'field' in source ? source.field : 'text';
  return (
    <li className="grid grid-cols-1 items-center gap-x-3 gap-y-1.5 sm:grid-cols-[minmax(6rem,9rem)_1fr]">
      <code className="truncate rounded bg-neutral-soft px-1.5 py-0.5 font-mono text-sm sm:justify-self-start">
        {`{{${name}}}`}
      </code>
      <div className="grid min-w-0 grid-cols-1 gap-2 sm:grid-cols-2">
        <Select<Choice>
          label={t('sending.message.variableSource', { name })}
          value={choice}
          placeholder={t('sending.message.variableChoose')}
          options={[...fields, 'text' as const].map((value) => ({
            value,
            label: t(`sending.message.field.${value}`),
          }))}
          onChange={(next) => onChange(next === 'text' ? { text: '' } : { field: next })}
        />
        {choice === 'text' && source !== null && 'text' in source ? (
          <Field label={t('sending.message.variableText', { name })} hideLabel>
            <Input
              value={source.text}
              maxLength={1024}
              placeholder={t('sending.message.variableTextPlaceholder')}
              onChange={(event) => onChange({ text: event.target.value })}
            />
          </Field>
        ) : null}
      </div>
    </li>
  );
}
