import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { contactLimits } from '@app/domain/contacts/contact';
import {
  conditionKinds,
  conditionValues,
  segmentLimits,
  type ConditionKind,
  type SegmentCondition,
} from '@app/domain/contacts/segment-rules';
import { orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { FieldGroup } from '../../ui/field.tsx';
import { Input, NativeSelect } from '../../ui/input.tsx';
import { tagsOptions } from './contacts-queries.ts';

type Conditions = readonly SegmentCondition[];

export function SegmentConditions({
  conditions,
  onChange,
}: {
  conditions: Conditions;
  onChange: (conditions: Conditions) => void;
}) {
  const replace = (index: number, condition: SegmentCondition) => onChange(conditions.with(index, condition));
  return (
    <FieldGroup legend={t('contacts.segment.conditions')}>
      <ul className="grid gap-2">
        {conditions.map((condition, index) => (
          <li key={index} className="grid grid-cols-[1fr_auto] gap-2 sm:grid-cols-[14rem_1fr_auto]">
            <NativeSelect
              aria-label={t('contacts.segment.conditionKind', { n: index + 1 })}
              value={condition.kind}
              onChange={(event) => replace(index, changeKind(condition, event.target.value))}
            >
              {conditionKinds.map((kind) => (
                <option key={kind} value={kind}>
                  {t(`contacts.segment.kind.${kind}`)}
                </option>
              ))}
            </NativeSelect>
            <div className="order-last col-span-2 sm:order-none sm:col-span-1">
              <ConditionValueInput
                condition={condition}
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

/** What was typed stays when the new kind takes the same sort of value. */
function changeKind({ kind, value }: SegmentCondition, chosen: string): SegmentCondition {
  const next: ConditionKind = conditionKinds.find((known) => known === chosen) ?? kind;
  if (conditionValues[next] === conditionValues[kind]) return { kind: next, value };
  return { kind: next, value: conditionValues[next] === 'status' ? 'active' : '' };
}

function ConditionValueInput({
  condition: { kind, value },
  label,
  onChange,
}: {
  condition: SegmentCondition;
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
      return <Input {...attributes} type="number" min={1} max={segmentLimits.days} step={1} />;
    case 'campaign':
      return <CampaignValue {...attributes} />;
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
