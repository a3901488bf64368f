import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { contactLimits } from '@app/domain/contacts/contact';
import { customFieldLimits } from '@app/domain/custom-fields/custom-field';
import { conditionValues, segmentLimits, type SegmentCondition } from '@app/domain/segments/segment-rules';
import { orpc } from '../../shared/api.ts';
import { tagsOptions } from '../../shared/contacts/contacts-queries.ts';
import { NumberInput } from '../../shared/languages/number-input.tsx';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Combobox } from '../../ui/controls/combobox.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Input } from '../../ui/input.tsx';

/** What a condition compares with. Inside a `Field`, which names it and shows what is wrong with it. */
export function ConditionValueInput({
  condition: { kind, value },
  options,
  onChange,
}: {
  condition: SegmentCondition;
  /** Of a custom field. */
  options: readonly string[];
  onChange: (value: string) => void;
}) {
  const attributes = {
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
        <Select
          value={value}
          onChange={onChange}
          options={[
            { value: 'active', label: t('contacts.active') },
            { value: 'blocked', label: t('contacts.blocked') },
          ]}
        />
      );
    case 'date':
      return <Input {...attributes} type="date" min="1900-01-01" />;
    case 'days':
    case 'days_ahead':
      return (
        <Input
          {...attributes}
          type="number"
          min={conditionValues[kind] === 'days' ? 1 : 0}
          max={conditionValues[kind] === 'days' ? segmentLimits.days : segmentLimits.yearAhead}
          step={1}
          placeholder={t('contacts.segment.days')}
        />
      );
    case 'campaign':
      return <CampaignValue value={value} onChange={onChange} />;
    case 'words':
      return <Input {...attributes} maxLength={customFieldLimits.text} autoComplete="off" />;
    case 'number':
      return <NumberInput {...attributes} onChange={onChange} />;
    case 'option':
      return <OptionValue value={value} onChange={onChange} options={options} />;
    case 'yes_no':
      return (
        <Select
          value={value}
          onChange={onChange}
          options={[
            { value: 'yes', label: t('common.yes') },
            { value: 'no', label: t('common.no') },
          ]}
        />
      );
    case 'nothing':
      return null;
  }
}

type Chosen = { value: string; onChange: (value: string) => void };

type ValueAttributes = { value: string; onChange: (event: { target: { value: string } }) => void };

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

function OptionValue({ value, onChange, options }: Chosen & { options: readonly string[] }) {
  const isKnown = value === '' || options.includes(value);
  return (
    <Select
      value={value === '' ? null : value}
      onChange={onChange}
      placeholder={t('contacts.segment.chooseOption')}
      options={[...(isKnown ? [] : [value]), ...options].map((option) => ({ value: option, label: option }))}
    />
  );
}

const MOST_CAMPAIGNS = 200;

function CampaignValue({ value, onChange }: Chosen) {
  const { data, isFetching } = useQuery({
    ...orpc.campaigns.list.queryOptions({ input: { limit: MOST_CAMPAIGNS } }),
    enabled: can('campaigns:read'),
  });
  const options = (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
  // A campaign that is not among the newest, or is gone, stays chosen.
  const other = { value, label: t('contacts.segment.otherCampaign') };
  return (
    <Combobox
      value={value === '' ? null : (options.find((option) => option.value === value) ?? other)}
      options={options}
      loading={isFetching}
      placeholder={t('contacts.segment.chooseCampaign')}
      onChange={(option) => onChange(option?.value ?? '')}
    />
  );
}
