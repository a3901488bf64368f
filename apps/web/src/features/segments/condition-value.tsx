import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { contactLimits } from '@app/domain/contacts/contact';
import { customFieldLimits } from '@app/domain/custom-fields/custom-field';
import { conditionValues, segmentLimits, type SegmentCondition } from '@app/domain/segments/segment-rules';
import { orpc } from '../../shared/api.ts';
import { languageOption, languageOptions } from '../../shared/contacts/contact-languages.ts';
import { tagsOptions } from '../../shared/contacts/contacts-queries.ts';
import { NumberInput } from '../../shared/languages/number-input.tsx';
import { t } from '../../shared/messages.ts';
import { useFoundRows } from '../../shared/offline/found-rows.ts';
import { holdsText, whileReachable } from '../../shared/offline/kept-rows.ts';
import { can } from '../../shared/session.ts';
import { useDebounced } from '../../shared/use-debounced.ts';
import { Combobox } from '../../ui/controls/combobox.tsx';
import { Select, type SelectOption } from '../../ui/controls/select.tsx';
import { SuggestInput } from '../../ui/controls/suggest-input.tsx';
import { Input } from '../../ui/input.tsx';

const CAMPAIGNS_SHOWN = 30;
const campaignKind = orpc.campaigns.list.key();

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
      return <TagValue value={value} onChange={onChange} />;
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
    case 'language':
      return <LanguageValue value={value} onChange={onChange} />;
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

/** One that nobody has yet can be asked for as well. */
function TagValue({ value, onChange }: Chosen) {
  const tags = useQuery(tagsOptions).data?.items ?? [];
  return (
    <SuggestInput
      value={value}
      onChange={onChange}
      suggestions={tags.map(({ tag, contacts }) => ({
        value: tag,
        hint: t('contacts.filterCount', { n: contacts }),
      }))}
      maxLength={contactLimits.tag}
      placeholder={t('contacts.segment.tag')}
    />
  );
}

function LanguageValue({ value, onChange }: Chosen) {
  return (
    <Combobox
      value={value === '' ? null : languageOption(value)}
      options={languageOptions()}
      placeholder={t('contacts.segment.chooseLanguage')}
      onChange={(option) => onChange(option?.value ?? '')}
    />
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

/** Found by typing, among all of them: the server searches. */
function CampaignValue({ value, onChange }: Chosen) {
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed.trim());
  const mayRead = can('campaigns:read');
  const query = useQuery({
    ...orpc.campaigns.list.queryOptions({ input: { limit: CAMPAIGNS_SHOWN, ...(search && { search }) } }),
    enabled: mayRead,
    placeholderData: whileReachable,
  });
  const { rows, searched } = useFoundRows(query, campaignKind, (kept) =>
    kept.filter(({ name }) => holdsText([name], search)).slice(0, CAMPAIGNS_SHOWN),
  );
  const options = rows.map(({ id, name }) => ({ value: id, label: name }));
  const [picked, setPicked] = useState<SelectOption>();
  const found = [...options, ...(picked ? [picked] : [])].find((option) => option.value === value);
  const chosen = useQuery({
    ...orpc.campaigns.get.queryOptions({ input: { campaignId: value } }),
    enabled: mayRead && value !== '' && !found,
    retry: false,
  }).data;
  // One that is gone stays chosen.
  const label = found?.label ?? chosen?.name ?? t('contacts.segment.otherCampaign');
  return (
    <Combobox
      value={value === '' ? null : { value, label }}
      options={options}
      loading={query.isFetching}
      searchedHere={searched}
      placeholder={t('contacts.segment.chooseCampaign')}
      onSearch={setTyped}
      onChange={(option) => {
        setPicked(option ?? undefined);
        onChange(option?.value ?? '');
      }}
    />
  );
}
