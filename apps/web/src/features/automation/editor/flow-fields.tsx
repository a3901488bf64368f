import { isFieldShown, type FieldDefinition } from '@app/domain/flows/field';
import type { FlowConfig, Json } from '@app/domain/flows/flow-file';
import { textOf } from '@app/domain/flows/step-type';
import { findTriggerType, triggerTypesOf } from '@app/domain/flows/trigger-types';
import { t } from '../../../shared/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/controls/choice.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { Field } from '../../../ui/field.tsx';
import { DateTimeInput, Input } from '../../../ui/input.tsx';
import { fieldName, optionName, triggerName } from '../flow-words.ts';
import { ChoicesField } from './choices-field.tsx';
import { initialConfig } from './flow-draft.ts';
import {
  DurationField,
  LinesField,
  RulesField,
  SharesField,
  TagField,
  VariablesField,
  WeekdaysField,
  type FieldProps,
} from './field-controls.tsx';
import { FormFields } from './forms/form-fields.tsx';
import { LongTextField, PairsField, TextField } from './text-controls.tsx';
import {
  AssigneeSelect,
  BotFlowSelect,
  CampaignSelect,
  ChannelSelect,
  CustomFieldSelect,
  TemplateSelect,
  WorkflowSelect,
} from './reference-selects.tsx';
import { MediaSelect } from '../media-select.tsx';
import type { FlowValue } from './value-menu.tsx';

export type FieldsProps = {
  /** Of the step or trigger. */
  type: string;
  fields: readonly FieldDefinition[];
  config: FlowConfig;
  onChange: (config: FlowConfig) => void;
  /** What texts may hold here. */
  values: readonly FlowValue[];
  /** What is wrong with a field, in words. */
  problemOf: (field: string) => string | undefined;
};

/** The fields of a step or trigger, each with the control of its kind. */
export function FlowFields({ type, fields, config, onChange, values, problemOf }: FieldsProps) {
  return (
    <div className="grid gap-4">
      <UnknownFields {...{ fields, config, problemOf, onChange }} />
      {fields
        .filter((field) => isFieldShown(field, config))
        .map((field) => (
          <FlowField
            key={field.name}
            type={type}
            field={field}
            config={config}
            values={values}
            error={problemOf(field.name)}
            onChange={(value) => onChange({ ...config, [field.name]: value })}
          />
        ))}
    </div>
  );
}

/** What a file brought that this step or trigger does not have: no control shows it, and it can only be taken out. */
function UnknownFields({
  fields,
  config,
  problemOf,
  onChange,
}: Pick<FieldsProps, 'fields' | 'config' | 'problemOf' | 'onChange'>) {
  const isKnown = (name: string) => fields.some((field) => field.name === name);
  const problems = Object.keys(config).flatMap((name) => (isKnown(name) ? [] : (problemOf(name) ?? [])));
  if (problems.length === 0) return null;
  return (
    <div className="grid justify-items-start gap-2 text-sm text-danger">
      {problems.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <Button
        size="small"
        onClick={() => onChange(Object.fromEntries(Object.entries(config).filter(([name]) => isKnown(name))))}
      >
        {t('automation.removeUnknown')}
      </Button>
    </div>
  );
}

function FlowField(props: FieldProps) {
  const { type, field, config, error, onChange } = props;
  const label = fieldName(field.name, type);
  const wiring = { label, error, required: field.isRequired };
  const text = textOf(config, field.name);
  switch (field.kind) {
    case 'choice':
      return (
        <Field {...wiring}>
          <Select
            value={chosenOf(field, text)}
            onChange={onChange}
            options={(field.options ?? []).map((value) => ({ value, label: optionName(value, type) }))}
          />
        </Field>
      );
    case 'tag':
    case 'tags':
      return <TagField {...props} />;
    case 'text':
    case 'url':
    case 'email':
      return <TextField {...props} />;
    case 'headers':
    case 'mapping':
      return <PairsField {...props} />;
    case 'choices':
      return <ChoicesField {...props} />;
    case 'form_fields':
      return <FormFields {...props} />;
    case 'words':
    case 'buttons':
      return <LinesField {...props} />;
    case 'long_text':
      return <LongTextField {...props} />;
    case 'duration':
      return <DurationField {...wiring} value={config[field.name] ?? null} onChange={onChange} />;
    case 'rules':
      return <RulesField {...props} />;
    case 'goal':
      return <GoalField {...props} />;
    case 'variables':
      return <VariablesField {...props} />;
    case 'shares':
      return <SharesField {...props} />;
    case 'weekdays':
      return <WeekdaysField {...props} />;
    case 'template':
      return (
        <Field {...wiring}>
          <TemplateSelect value={text === '' ? null : text} onChange={onChange} />
        </Field>
      );
    case 'channel':
      return (
        <Field {...wiring} hint={t('automation.channelHint')}>
          <ChannelSelect value={text === '' ? null : text} onChange={onChange} />
        </Field>
      );
    case 'campaign':
      return (
        <Field
          {...wiring}
          hint={t(type === 'campaign_outcome' ? 'automation.anyCampaignHint' : 'automation.campaignHint')}
        >
          <CampaignSelect
            isForOutcome={type === 'campaign_outcome'}
            value={text === '' ? null : text}
            onChange={onChange}
          />
        </Field>
      );
    case 'custom_field':
      return (
        <CustomFieldSelect
          {...wiring}
          isForDate={field.customFieldType === 'date'}
          value={text === '' ? null : text}
          onChange={onChange}
        />
      );
    case 'user':
    case 'team':
      return (
        <AssigneeSelect kind={field.kind} {...wiring} value={text === '' ? null : text} onChange={onChange} />
      );
    case 'bot_flow':
      return (
        <Field {...wiring}>
          <BotFlowSelect value={text === '' ? null : text} onChange={onChange} />
        </Field>
      );
    case 'media':
      return <MediaSelect kind={textOf(config, 'media')} {...wiring} value={text} onChange={onChange} />;
    case 'workflow':
      return (
        <Field {...wiring}>
          <WorkflowSelect value={text === '' ? null : text} onChange={onChange} />
        </Field>
      );
    case 'time_zone':
      return (
        <Field {...wiring} hint={text === 'contact' ? t('automation.zoneHint') : undefined}>
          <Select
            value={text === 'contact' ? 'contact' : 'workspace'}
            onChange={onChange}
            options={(['workspace', 'contact'] as const).map((value) => ({
              value,
              label: optionName(`zone_${value}`),
            }))}
          />
        </Field>
      );
    case 'date_time':
      return (
        <Field {...wiring}>
          <DateTimeInput value={text} onChange={(event) => onChange(event.target.value)} />
        </Field>
      );
    case 'time':
      return (
        <Field {...wiring}>
          <Input type="time" value={text} onChange={(event) => onChange(event.target.value)} />
        </Field>
      );
    case 'flag':
      return (
        <Checkbox
          label={label}
          checked={config[field.name] === true}
          onChange={(event) => onChange(event.target.checked)}
        />
      );
    case 'number':
      return (
        <Field {...wiring}>
          <Input
            type="number"
            min={field.least}
            max={field.most}
            value={numberText(config[field.name])}
            onChange={(event) => onChange(event.target.value === '' ? null : Number(event.target.value))}
          />
        </Field>
      );
    default:
      return (
        <Field {...wiring}>
          <Input value={text} onChange={(event) => onChange(event.target.value)} />
        </Field>
      );
  }
}

function numberText(value: Json | undefined): string {
  return typeof value === 'number' ? String(value) : '';
}

/** A file may leave out a choice that is not required: then the first value of its type holds. */
function chosenOf({ isRequired, initial }: FieldDefinition, text: string): string | null {
  if (text !== '') return text;
  return !isRequired && typeof initial === 'string' ? initial : null;
}

/** A trigger that is waited for. */
function GoalField({ field, config, values, error, onChange }: FieldProps) {
  const { type = '', config: wanted = {} } = (config[field.name] ?? {}) as {
    type?: string;
    config?: FlowConfig;
  }; // as the file has it
  const awaitable = triggerTypesOf('workflow').filter(({ isAwaitable }) => isAwaitable);
  return (
    <div className="grid gap-4">
      <Field label={fieldName(field.name)} error={error} required={field.isRequired}>
        <Select
          value={type === '' ? null : type}
          onChange={(next) => onChange({ type: next, config: initialConfig(findTriggerType(next)?.fields) })}
          options={awaitable.map((one) => ({ value: one.type, label: triggerName(one.type) }))}
        />
      </Field>
      <FlowFields
        type={type}
        fields={findTriggerType(type)?.fields ?? []}
        config={wanted}
        values={values}
        problemOf={() => undefined}
        onChange={(next) => onChange({ type, config: next })}
      />
    </div>
  );
}
