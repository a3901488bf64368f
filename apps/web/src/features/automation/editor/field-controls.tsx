import type { FieldDefinition } from '@app/domain/flows/field';
import { durationUnits, type Duration, type FlowConfig, type Json } from '@app/domain/flows/flow-file';
import { listOfTexts, textOf } from '@app/domain/flows/step-type';
import type { SegmentRules } from '@app/domain/segments/segment-rules';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { tagsOptions } from '../../../shared/contacts/contacts-queries.ts';
import { TagInput } from '../../../shared/contacts/tag-input.tsx';
import { formatWeekday } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/controls/choice.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { Field, FieldGroup } from '../../../ui/field.tsx';
import { Input, Textarea } from '../../../ui/input.tsx';
import { SegmentConditions } from '../../segments/segment-conditions.tsx';
import { fieldName, optionName } from '../flow-words.ts';
import { useTemplateVariables } from './reference-selects.tsx';
import { ValueMenu, type FlowValue } from './value-menu.tsx';

export type FieldProps = {
  /** Of the step or trigger. */
  type: string;
  field: FieldDefinition;
  config: FlowConfig;
  /** What texts may hold here. */
  values: readonly FlowValue[];
  error: string | undefined;
  onChange: (value: Json) => void;
};

export function TagField({ type, field, config, error, onChange }: FieldProps) {
  const known = useQuery(tagsOptions).data?.items ?? [];
  const isList = field.kind === 'tags';
  const value = isList ? listOfTexts(config, field.name) : [textOf(config, field.name)].filter(Boolean);
  return (
    <Field label={fieldName(field.name, type)} error={error} required={field.isRequired}>
      <TagInput
        value={value}
        suggestions={known.map(({ tag }) => tag)}
        onChange={(tags) => onChange(isList ? tags : (tags.at(-1) ?? ''))}
      />
    </Field>
  );
}

/** A list of texts, one in each line. */
export function LinesField({ type, field, config, error, onChange }: FieldProps) {
  const lines = listOfTexts(config, field.name);
  const [typed, setTyped] = useState(() => lines.join('\n'));
  // What was typed stays as it is written; what came from elsewhere is shown.
  const text = linesOf(typed).join('\n') === lines.join('\n') ? typed : lines.join('\n');
  return (
    <Field
      label={fieldName(field.name, type)}
      hint={t('automation.linesHint')}
      error={error}
      required={field.isRequired}
    >
      <Textarea
        rows={3}
        value={text}
        onChange={(event) => {
          setTyped(event.target.value);
          onChange(linesOf(event.target.value));
        }}
      />
    </Field>
  );
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

/** A length of time: an amount and its unit. */
export function DurationField({
  label,
  error,
  required,
  value,
  onChange,
}: {
  label: string;
  error?: string | undefined;
  required?: boolean | undefined;
  value: Json;
  onChange: (value: Duration) => void;
}) {
  const { amount, unit } = (value ?? { amount: 0, unit: 'minutes' }) as Duration; // as the file has it
  return (
    <FieldGroup legend={label} error={error}>
      <div className="grid grid-cols-[6rem_minmax(0,1fr)] gap-2">
        <Input
          type="number"
          min={0}
          aria-label={t('automation.amount', { label })}
          aria-required={required || undefined}
          value={String(amount)}
          onChange={(event) =>
            onChange({ amount: Math.max(0, Math.trunc(Number(event.target.value))), unit })
          }
        />
        <Select
          label={t('automation.unit', { label })}
          value={unit}
          onChange={(next) => onChange({ amount, unit: next })}
          options={durationUnits.map((one) => ({ value: one, label: optionName(one) }))}
        />
      </div>
    </FieldGroup>
  );
}

const firstRules: SegmentRules = { match: 'all', conditions: [{ kind: 'has_tag', value: '' }] };

/** Rules of the segment builder, also unfinished ones. */
export function rulesOf(value: Json): SegmentRules {
  const isThere = typeof value === 'object' && value !== null && 'match' in value && 'conditions' in value;
  return isThere ? (value as unknown as SegmentRules) : firstRules; // as the builder made them
}

export function RulesField({ type, field, config, error, onChange }: FieldProps) {
  return (
    <FieldGroup legend={fieldName(field.name, type)} error={error}>
      <SegmentConditions
        rules={rulesOf(config[field.name] ?? null)}
        showsProblems={error !== undefined}
        onChange={(next) => onChange(next as unknown as Json)}
      />
    </FieldGroup>
  );
}

/** What stands for each placeholder of the chosen template. */
export function VariablesField({ type, field, config, values, error, onChange }: FieldProps) {
  const names = useTemplateVariables(textOf(config, 'template'));
  const filled = (config[field.name] ?? {}) as { readonly [name: string]: Json }; // as the file has it
  if (names.length === 0) return null;
  return (
    <FieldGroup legend={fieldName(field.name, type)} hint={t('automation.variablesHint')} error={error}>
      {names.map((name) => {
        const text = textOf(filled, name);
        const change = (value: string) => onChange({ ...filled, [name]: value });
        return (
          <Field
            key={name}
            label={`{{${name}}}`}
            aside={<ValueMenu values={values} onPick={(value) => change(`${text}${value}`)} />}
          >
            <Input value={text} onChange={(event) => change(event.target.value)} />
          </Field>
        );
      })}
    </FieldGroup>
  );
}

type Share = { name: string; percent: number };

export function SharesField({ type, field, config, error, onChange }: FieldProps) {
  const shares = (config[field.name] ?? []) as unknown as readonly Share[]; // as the file has it
  const set = (at: number, part: Partial<Share>) =>
    onChange(shares.map((share, index) => (index === at ? { ...share, ...part } : share)));
  return (
    <FieldGroup legend={fieldName(field.name, type)} hint={t('automation.sharesHint')} error={error}>
      {shares.map((share, at) => (
        <div key={at} className="grid grid-cols-[minmax(0,1fr)_6rem_auto] gap-2">
          <Input
            aria-label={t('automation.shareName', { n: at + 1 })}
            value={share.name}
            onChange={(event) => set(at, { name: event.target.value })}
          />
          <Input
            type="number"
            min={0}
            max={100}
            aria-label={t('automation.sharePercent', { n: at + 1 })}
            value={String(share.percent)}
            onChange={(event) => set(at, { percent: Number(event.target.value) })}
          />
          <Button
            variant="ghost"
            disabled={shares.length <= 2}
            onClick={() => onChange(shares.filter((_, index) => index !== at))}
          >
            {t('automation.remove')}
          </Button>
        </div>
      ))}
      <Button
        className="justify-self-start"
        disabled={shares.length >= 10}
        onClick={() => onChange([...shares, { name: String.fromCodePoint(97 + shares.length), percent: 0 }])}
      >
        {t('automation.addShare')}
      </Button>
    </FieldGroup>
  );
}

export function WeekdaysField({ type, field, config, error, onChange }: FieldProps) {
  const value = (config[field.name] ?? []) as readonly number[]; // as the file has it
  return (
    <FieldGroup legend={fieldName(field.name, type)} hint={t('automation.weekdaysHint')} error={error}>
      <div className="flex flex-wrap gap-x-4 gap-y-2">
        {[1, 2, 3, 4, 5, 6, 7].map((day) => (
          <Checkbox
            key={day}
            label={formatWeekday(day % 7)}
            checked={value.includes(day)}
            onChange={(event) =>
              onChange(
                event.target.checked
                  ? [...value, day].toSorted((a, b) => a - b)
                  : value.filter((one) => one !== day),
              )
            }
          />
        ))}
      </div>
    </FieldGroup>
  );
}
