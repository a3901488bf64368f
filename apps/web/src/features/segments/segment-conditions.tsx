import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { contactLimits } from '@app/domain/contacts/contact';
import { customFieldLimits } from '@app/domain/custom-fields/custom-field';
import {
  conditionKinds,
  conditionValues,
  fieldKindsOf,
  isFieldKind,
  segmentLimits,
  type ConditionKind,
  type SegmentCondition,
} from '@app/domain/segments/segment-rules';
import { orpc } from '../../shared/api.ts';
import { useCustomFields, type CustomField } from '../../shared/contacts/custom-fields.ts';
import { NumberInput } from '../../shared/languages/number-input.tsx';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { FieldGroup } from '../../ui/field.tsx';
import { Input, NativeSelect } from '../../ui/input.tsx';
import { tagsOptions } from '../../shared/contacts/contacts-queries.ts';

type Conditions = readonly SegmentCondition[];

export function SegmentConditions({
  conditions,
  onChange,
}: {
  conditions: Conditions;
  onChange: (conditions: Conditions) => void;
}) {
  const fields = useCustomFields() ?? [];
  const replace = (index: number, condition: SegmentCondition) => onChange(conditions.with(index, condition));
  return (
    <FieldGroup legend={t('contacts.segment.conditions')}>
      <ul className="grid gap-2">
        {conditions.map((condition, index) => (
          <li key={index} className="grid grid-cols-[1fr_auto] gap-2 sm:grid-cols-[14rem_1fr_auto]">
            <SubjectSelect
              label={t('contacts.segment.conditionKind', { n: index + 1 })}
              condition={condition}
              fields={fields}
              onChange={(next) => replace(index, next)}
            />
            <div className="order-last col-span-2 flex flex-wrap gap-2 sm:order-none sm:col-span-1 sm:flex-nowrap">
              <OperatorSelect
                label={t('contacts.segment.operator', { n: index + 1 })}
                condition={condition}
                field={fields.find(({ id }) => id === condition.field)}
                onChange={(next) => replace(index, next)}
              />
              <ConditionValueInput
                condition={condition}
                options={fields.find(({ id }) => id === condition.field)?.options ?? []}
                label={t('contacts.segment.conditionValue', { n: index + 1 })}
                onChange={(value) => replace(index, { ...condition, value })}
              />
            </div>
            <IconButton
              label={t('contacts.segment.removeCondition', { n: index + 1 })}
              disabled={conditions.length === 1}
              onClick={() => onChange(conditions.toSpliced(index, 1))}
            >
              <X aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      {conditions.length < segmentLimits.conditions ? (
        <div>
          <Button
            size="small"
            icon={<Plus aria-hidden />}
            onClick={() => onChange([...conditions, { kind: 'has_tag', value: '' }])}
          >
            {t('contacts.segment.addCondition')}
          </Button>
        </div>
      ) : null}
    </FieldGroup>
  );
}

const contactKinds = conditionKinds.filter((kind) => !isFieldKind(kind));

/** What the condition is about: something that every contact has, or a custom field. */
function SubjectSelect({
  label,
  condition,
  fields,
  onChange,
}: {
  label: string;
  condition: SegmentCondition;
  fields: readonly CustomField[];
  onChange: (condition: SegmentCondition) => void;
}) {
  const { kind, field } = condition;
  const contactOptions = contactKinds.map((known) => (
    <option key={known} value={known}>
      {t(`contacts.segment.kind.${known}`)}
    </option>
  ));
  function choose(chosen: string) {
    const custom = fields.find(({ id }) => `${FIELD}${id}` === chosen);
    const [first] = custom ? fieldKindsOf(custom.type) : [];
    const sameSort = first && conditionValues[first] !== 'option' ? condition : { ...condition, value: '' };
    if (custom && first) onChange({ ...changeKind(sameSort, first), field: custom.id });
    const plain = contactKinds.find((known) => known === chosen);
    if (plain) onChange(changeKind({ kind, value: condition.value }, plain));
  }
  return (
    <NativeSelect
      aria-label={label}
      value={field === undefined ? kind : `${FIELD}${field}`}
      onChange={(event) => choose(event.target.value)}
    >
      {fields.length === 0 ? (
        contactOptions
      ) : (
        <>
          <optgroup label={t('contacts.segment.contactGroup')}>{contactOptions}</optgroup>
          <optgroup label={t('contacts.fields')}>
            {fields.map(({ id, label: name }) => (
              <option key={id} value={`${FIELD}${id}`}>
                {name}
              </option>
            ))}
          </optgroup>
        </>
      )}
      {field === undefined || fields.some(({ id }) => id === field) ? null : (
        <option value={`${FIELD}${field}`}>{t('contacts.segment.otherField')}</option>
      )}
    </NativeSelect>
  );
}

const FIELD = 'field:';

/** How a custom field is compared; nothing for the other conditions, which say it themselves. */
function OperatorSelect({
  label,
  condition,
  field,
  onChange,
}: {
  label: string;
  condition: SegmentCondition;
  field: CustomField | undefined;
  onChange: (condition: SegmentCondition) => void;
}) {
  if (!field) return null;
  const kinds = fieldKindsOf(field.type);
  return (
    <div className="w-full shrink-0 sm:w-44">
      <NativeSelect
        aria-label={label}
        value={condition.kind}
        onChange={(event) => {
          const chosen = kinds.find((kind) => kind === event.target.value);
          if (chosen) onChange(changeKind(condition, chosen));
        }}
      >
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {t(`contacts.segment.kind.${kind}`)}
          </option>
        ))}
      </NativeSelect>
    </div>
  );
}

/** What was typed stays when the new kind takes the same sort of value. */
function changeKind(condition: SegmentCondition, kind: ConditionKind): SegmentCondition {
  const wanted = conditionValues[kind];
  if (wanted === conditionValues[condition.kind]) return { ...condition, kind };
  const value = wanted === 'status' ? 'active' : wanted === 'yes_no' ? 'yes' : '';
  return { ...condition, kind, value };
}

function ConditionValueInput({
  condition: { kind, value },
  options,
  label,
  onChange,
}: {
  condition: SegmentCondition;
  /** Of a custom field. */
  options: readonly string[];
  label: string;
  onChange: (value: string) => void;
}) {
  const attributes = {
    'aria-label': label,
    value,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  switch (conditionValues[kind]) {
    case 'text':
      return <Input {...attributes} maxLength={contactLimits.name} autoComplete="off" />;
    case 'tag':
      return <TagValue {...attributes} />;
    case 'status':
      return (
        <NativeSelect {...attributes}>
          <option value="active">{t('contacts.active')}</option>
          <option value="blocked">{t('contacts.blocked')}</option>
        </NativeSelect>
      );
    case 'date':
      return <Input {...attributes} type="date" min="1900-01-01" />;
    case 'days':
      return (
        <Input
          {...attributes}
          type="number"
          min={1}
          max={segmentLimits.days}
          step={1}
          placeholder={t('contacts.segment.days')}
        />
      );
    case 'campaign':
      return <CampaignValue {...attributes} />;
    case 'words':
      return <Input {...attributes} maxLength={customFieldLimits.text} autoComplete="off" />;
    case 'number':
      return <NumberInput {...attributes} onChange={onChange} />;
    case 'option':
      return <OptionValue {...attributes} options={options} />;
    case 'yes_no':
      return (
        <NativeSelect {...attributes}>
          <option value="yes">{t('common.yes')}</option>
          <option value="no">{t('common.no')}</option>
        </NativeSelect>
      );
    case 'nothing':
      return null;
  }
}

type ValueAttributes = {
  'aria-label': string;
  value: string;
  onChange: (event: { target: { value: string } }) => void;
};

function TagValue(attributes: ValueAttributes) {
  const listId = useId();
  const tags = useQuery(tagsOptions).data?.items ?? [];
  return (
    <>
      <Input
        {...attributes}
        list={listId}
        maxLength={contactLimits.tag}
        autoComplete="off"
        placeholder={t('contacts.segment.tag')}
      />
      <datalist id={listId}>
        {tags.map(({ tag }) => (
          <option key={tag} value={tag}>
            {tag}
          </option>
        ))}
      </datalist>
    </>
  );
}

function OptionValue({ options, ...attributes }: ValueAttributes & { options: readonly string[] }) {
  const isKnown = attributes.value === '' || options.includes(attributes.value);
  return (
    <NativeSelect {...attributes}>
      <option value="">{t('contacts.segment.chooseOption')}</option>
      {isKnown ? null : <option value={attributes.value}>{attributes.value}</option>}
      {options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </NativeSelect>
  );
}

const MOST_CAMPAIGNS = 200;

function CampaignValue(attributes: ValueAttributes) {
  const { data } = useQuery({
    ...orpc.campaigns.list.queryOptions({ input: { limit: MOST_CAMPAIGNS } }),
    enabled: can('campaigns:read'),
  });
  const campaigns = data?.items ?? [];
  // A campaign that is not among the newest, or is gone, stays chosen.
  const isKnown = attributes.value === '' || campaigns.some(({ id }) => id === attributes.value);
  return (
    <NativeSelect {...attributes}>
      <option value="">{t('contacts.segment.chooseCampaign')}</option>
      {isKnown ? null : <option value={attributes.value}>{t('contacts.segment.otherCampaign')}</option>}
      {campaigns.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </NativeSelect>
  );
}
