import {
  conditionValues,
  fieldKindsOf,
  isFieldKind,
  type ConditionKind,
  type SegmentCondition,
} from '@app/domain/segments/segment-rules';
import type { CustomField } from '../../shared/contacts/custom-fields.ts';
import { t } from '../../shared/messages.ts';
import type { SelectOption } from '../../ui/controls/select.tsx';
import type { OptionGroup } from '../../ui/controls/grouped-combobox.tsx';

/** What every contact can be asked for: the ten that are used most, then the others in the groups in which people look for them. */
export const subjectGroups = {
  commonGroup: [
    ...(['has_tag', 'has_not_tag', 'status_is', 'language_is', 'created_within'] as const),
    ...(['messaged_within', 'quiet_for', 'opted_in'] as const),
    ...(['campaigns_read_within', 'campaigns_received_within'] as const),
  ],
  contactGroup: [
    ...(['name_contains', 'phone_contains', 'email_contains', 'search_matches'] as const),
    ...(['language_is_not', 'language_unknown'] as const),
    ...(['created_over', 'created_before', 'created_after'] as const),
  ],
  messagesGroup: ['never_messaged'],
  consentGroup: ['opted_out', 'not_opted_out', 'consent_unknown'],
  campaignsGroup: [
    ...(['campaigns_unread_within', 'campaign_read', 'campaign_received'] as const),
    ...(['campaign_unread', 'campaign_failed'] as const),
  ],
} as const satisfies Record<string, readonly ConditionKind[]>;

const GROUPS = ['commonGroup', 'contactGroup', 'messagesGroup', 'consentGroup', 'campaignsGroup'] as const;

const FIELD = 'field:';

/** What a condition can be about: something of every contact, or a custom field. */
export function listSubjects(fields: readonly CustomField[]): OptionGroup[] {
  const groups: OptionGroup[] = GROUPS.map((name) => ({
    label: t(`contacts.segment.${name}`),
    options: subjectGroups[name].map((kind) => ({
      value: kind,
      label: t(`contacts.segment.kind.${kind}`),
    })),
  }));
  if (fields.length === 0) return groups;
  const options = fields.map(({ id, label }) => ({ value: `${FIELD}${id}`, label }));
  // The workspace's own fields are what it asks for first, next to the common ones.
  return groups.toSpliced(1, 0, { label: t('contacts.fields'), options });
}

/** What the condition is about now; a field that is gone has no name. */
export function subjectOf({ kind, field }: SegmentCondition, fields: readonly CustomField[]): SelectOption {
  if (!isFieldKind(kind)) return { value: kind, label: t(`contacts.segment.kind.${kind}`) };
  const label = fields.find(({ id }) => id === field)?.label ?? t('contacts.segment.otherField');
  return { value: `${FIELD}${field ?? ''}`, label };
}

/** The condition about something else. */
export function changeSubject(
  condition: SegmentCondition,
  subject: string,
  fields: readonly CustomField[],
): SegmentCondition {
  const custom = fields.find(({ id }) => `${FIELD}${id}` === subject);
  const [first] = custom ? fieldKindsOf(custom.type) : [];
  if (custom && first) {
    // An option of one field is none of another.
    const value = conditionValues[first] === 'option' ? '' : condition.value;
    return { ...changeKind({ ...condition, value }, first), field: custom.id };
  }
  const kinds: readonly ConditionKind[] = Object.values(subjectGroups).flat();
  const plain = kinds.find((kind) => kind === subject);
  return plain ? changeKind({ kind: condition.kind, value: condition.value }, plain) : condition;
}

/** What was typed stays when the new kind takes the same sort of value. */
export function changeKind(condition: SegmentCondition, kind: ConditionKind): SegmentCondition {
  const wanted = conditionValues[kind];
  if (wanted === conditionValues[condition.kind]) return { ...condition, kind };
  const value = wanted === 'status' ? 'active' : wanted === 'yes_no' ? 'yes' : '';
  return { ...condition, kind, value };
}
