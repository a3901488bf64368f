import { X } from 'lucide-react';
import {
  conditionValues,
  fieldKindsOf,
  isFieldKind,
  type SegmentCondition,
} from '@app/domain/segments/segment-rules';
import type { CustomField } from '../../shared/contacts/custom-fields.ts';
import { t } from '../../shared/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { GroupedCombobox } from '../../ui/controls/grouped-combobox.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Field } from '../../ui/field.tsx';
import { problemOf } from './condition-problem.ts';
import { changeKind, changeSubject, listSubjects, subjectOf } from './condition-subjects.ts';
import { ConditionValueInput } from './condition-value.tsx';

/** One condition: what it is about, how it compares, with what. `n` is its number among all of the segment. */
export function ConditionRow({
  condition,
  n,
  fields,
  showsProblem,
  onChange,
  onRemove,
}: {
  condition: SegmentCondition;
  n: number;
  fields: readonly CustomField[];
  showsProblem: boolean;
  onChange: (condition: SegmentCondition) => void;
  /** Undefined for the only one. */
  onRemove: (() => void) | undefined;
}) {
  const field = fields.find(({ id }) => id === condition.field);
  const sort = conditionValues[condition.kind];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]">
      <GroupedCombobox
        label={t('contacts.segment.conditionKind', { n })}
        placeholder={t('contacts.segment.findCondition')}
        value={subjectOf(condition, fields)}
        groups={listSubjects(fields)}
        onChange={({ value }) => onChange(changeSubject(condition, value, fields))}
      />
      <div className="order-last col-span-2 grid gap-2 sm:order-none sm:col-span-1">
        {field && isFieldKind(condition.kind) ? (
          <Select
            label={t('contacts.segment.operator', { n })}
            value={condition.kind}
            onChange={(kind) => onChange(changeKind(condition, kind))}
            options={fieldKindsOf(field.type).map((kind) => ({
              value: kind,
              label: t(`contacts.segment.kind.${kind}`),
            }))}
          />
        ) : null}
        {sort === 'nothing' ? null : (
          <Field
            hideLabel
            label={t('contacts.segment.conditionValue', { n })}
            hint={sort === 'days_ahead' ? t('contacts.segment.yearlyHint') : undefined}
            error={showsProblem ? problemOf(condition, n) : undefined}
          >
            <ConditionValueInput
              condition={condition}
              options={field?.options ?? []}
              onChange={(value) => onChange({ ...condition, value })}
            />
          </Field>
        )}
      </div>
      <IconButton
        label={t('contacts.segment.removeCondition', { n })}
        disabled={onRemove === undefined}
        onClick={onRemove}
      >
        <X aria-hidden />
      </IconButton>
    </div>
  );
}
