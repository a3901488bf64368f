import { TriangleAlert } from 'lucide-react';
import type { RunVariable } from '@app/domain/delivery/run-message';
import { Field } from '../../../ui/field.tsx';
import { Input } from '../../../ui/input.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { useCustomFields, type CustomField } from '../../../shared/contacts/custom-fields.ts';
import { t } from '../../../shared/messages.ts';
import { sourceOf, unfilledVariables, variablesWithoutFallback, type MessageDraft } from './message-draft.ts';

const ownFields = ['name', 'first_name', 'phone', 'email', 'business'] as const;
type Choice = (typeof ownFields)[number] | 'text' | `custom:${string}`;

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
  const fields = useCustomFields();
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
            source={sourceOf(name, variables, fields)}
            fields={fields ?? []}
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
  const fields = useCustomFields();
  const unfilled = unfilledVariables(names, variables, fields);
  const bare = variablesWithoutFallback(names, variables, fields);
  const shown = (some: readonly string[]) => some.map((name) => `{{${name}}}`).join(', ');
  return (
    <>
      {unfilled.length > 0 ? (
        <Warning text={t('sending.message.unfilled', { n: unfilled.length, names: shown(unfilled) })} />
      ) : null}
      {bare.length > 0 ? (
        <Warning text={t('sending.message.noFallback', { n: bare.length, names: shown(bare) })} />
      ) : null}
    </>
  );
}

function Warning({ text }: { text: string }) {
  return (
    <p role="status" className="flex items-start gap-2 text-sm text-warning">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {text}
    </p>
  );
}

function VariableRow({
  name,
  source,
  fields,
  onChange,
}: {
  name: string;
  source: RunVariable | null;
  fields: readonly CustomField[];
  onChange: (source: RunVariable) => void;
}) {
  return (
    <li className="grid grid-cols-1 items-center gap-x-3 gap-y-1.5 sm:grid-cols-[minmax(6rem,9rem)_1fr]">
      <code
        title={name}
        className="max-w-full truncate rounded bg-neutral-soft px-1.5 py-0.5 font-mono text-sm justify-self-start"
      >
        {`{{${name}}}`}
      </code>
      <div className="grid min-w-0 grid-cols-1 gap-2 sm:grid-cols-2">
        <Select<Choice>
          label={t('sending.message.variableSource', { name })}
          value={choiceOf(source)}
          placeholder={t('sending.message.variableChoose')}
          options={[
            ...ownFields.map((value) => ({ value, label: t(`sending.message.field.${value}`) })),
            ...fields.map(({ id, label }) => ({ value: `custom:${id}` as const, label })),
            { value: 'text', label: t('sending.message.field.text') },
          ]}
          onChange={(next) => onChange(sourceFor(next, source))}
        />
        <VariableText name={name} source={source} onChange={onChange} />
      </div>
    </li>
  );
}

/** The fixed text, or what stands in for people without a value; a phone number is always there. */
function VariableText({
  name,
  source,
  onChange,
}: {
  name: string;
  source: RunVariable | null;
  onChange: (source: RunVariable) => void;
}) {
  if (source === null || ('field' in source && source.field === 'phone')) return null;
  if ('text' in source) {
    return (
      <Field label={t('sending.message.variableText', { name })} hideLabel>
        <Input
          value={source.text}
          maxLength={1024}
          placeholder={t('sending.message.variableTextPlaceholder')}
          onChange={(event) => onChange({ text: event.target.value })}
        />
      </Field>
    );
  }
  return (
    <Field label={t('sending.message.variableFallback', { name })} hideLabel>
      <Input
        value={source.fallback ?? ''}
        maxLength={1024}
        placeholder={t('sending.message.variableFallbackPlaceholder')}
        onChange={(event) => onChange({ ...source, fallback: event.target.value || undefined })}
      />
    </Field>
  );
}

function choiceOf(source: RunVariable | null): Choice | null {
  if (source === null) return null;
  if ('text' in source) return 'text';
  return 'field' in source ? source.field : `custom:${source.customField}`;
}

/** What was typed for people without a value stays. */
function sourceFor(choice: Choice, before: RunVariable | null): RunVariable {
  if (choice === 'text') return { text: '' };
  const fallback = before && !('text' in before) && before.fallback ? { fallback: before.fallback } : {};
  const own = ownFields.find((field) => field === choice);
  return own ? { field: own, ...fallback } : { customField: choice.slice('custom:'.length), ...fallback };
}
