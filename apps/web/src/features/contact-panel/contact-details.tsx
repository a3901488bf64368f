import { formatPhone } from '@app/domain/contacts/format-phone';
import { contactLimits } from '@app/domain/contacts/contact';
import { customFieldLimits } from '@app/domain/custom-fields/custom-field';
import { useQuery } from '@tanstack/react-query';
import { tagsOptions, type Contact } from '../../shared/contacts/contacts-queries.ts';
import { customValueText, useCustomFields, type CustomField } from '../../shared/contacts/custom-fields.ts';
import { NumberInput } from '../../shared/languages/number-input.tsx';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Input, NativeSelect } from '../../ui/input.tsx';
import { ContactStatus } from '../contacts/list/contact-columns.tsx';
import { TagInput } from '../../shared/contacts/tag-input.tsx';
import { EditableLine } from './editable-line.tsx';
import { readCustom, useContactEdit } from './use-contact-edit.ts';

const texts = [
  { name: 'name', max: contactLimits.name, type: 'text' },
  { name: 'phone', max: contactLimits.phone, type: 'tel' },
  { name: 'email', max: contactLimits.email, type: 'text' },
] as const;

/** What is known of the person, changed where it stands by those who may. */
export function ContactDetails({ contact }: { contact: Contact }) {
  const save = useContactEdit(contact);
  const mayChange = can('contacts:update');
  const fields = useCustomFields() ?? [];
  return (
    <dl className="grid grid-cols-1 gap-3">
      <div>
        <dt className="text-sm text-muted">{t('contacts.column.status')}</dt>
        <dd className="mt-0.5">
          <ContactStatus contact={contact} />
        </dd>
      </div>
      {texts.map(({ name, max, type }) => {
        const label = t(`contacts.field.${name}`);
        const read = (of: Contact) => of[name] ?? '';
        return (
          <EditableLine
            key={name}
            label={label}
            value={read(contact)}
            editor={(draft, change) => (
              <Input
                aria-label={label}
                type={type}
                inputMode={name === 'email' ? 'email' : undefined}
                dir="auto"
                autoComplete="off"
                maxLength={max}
                value={draft}
                onChange={({ target }) => change(target.value)}
              />
            )}
            save={
              mayChange
                ? (draft, seen) => {
                    const text = draft.trim();
                    return save({ change: { [name]: name === 'email' ? text || null : text }, read }, seen);
                  }
                : null
            }
          >
            <bdi>{shownText(name, read(contact))}</bdi>
          </EditableLine>
        );
      })}
      <TagsLine contact={contact} save={save} />
      {fields.map((field) => (
        <EditableLine
          key={field.id}
          label={field.label}
          value={readCustom(contact, field.key)}
          editor={(draft, change) => <CustomInput field={field} value={draft} onChange={change} />}
          save={
            mayChange
              ? (draft, seen) =>
                  save(
                    {
                      ...{ change: { customFields: { [field.key]: draft } }, field },
                      read: (of) => readCustom(of, field.key),
                    },
                    seen,
                  )
              : null
          }
        >
          <bdi>{sayCustom(contact, field)}</bdi>
        </EditableLine>
      ))}
    </dl>
  );
}

function TagsLine({ contact, save }: { contact: Contact; save: ReturnType<typeof useContactEdit> }) {
  const tags = useQuery(tagsOptions).data?.items ?? [];
  return (
    <EditableLine
      label={t('contacts.field.tags')}
      value={contact.tags}
      say={(value) => value.join(', ')}
      editor={(draft, change) => (
        <TagInput value={draft} onChange={change} suggestions={tags.map(({ tag }) => tag)} />
      )}
      save={
        can('contacts:update')
          ? (draft, seen) => save({ change: { tags: draft }, read: (of) => of.tags }, seen)
          : null
      }
    >
      {contact.tags.length === 0 ? '—' : null}
      <span className="flex flex-wrap gap-1.5">
        {contact.tags.map((tag) => (
          <Badge key={tag} className="min-w-0">
            <bdi className="truncate">{tag}</bdi>
          </Badge>
        ))}
      </span>
    </EditableLine>
  );
}

function CustomInput({
  field,
  value,
  onChange,
}: {
  field: CustomField;
  value: string;
  onChange: (text: string) => void;
}) {
  const common = { 'aria-label': field.label, value };
  if (field.type === 'number') return <NumberInput {...common} onChange={onChange} />;
  if (field.type === 'text' || field.type === 'date')
    return (
      <Input
        {...common}
        type={field.type}
        dir="auto"
        autoComplete="off"
        maxLength={customFieldLimits.text}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  const options =
    field.type === 'yes_no'
      ? [
          { value: 'yes', label: t('common.yes') },
          { value: 'no', label: t('common.no') },
        ]
      : field.options.map((option) => ({ value: option, label: option }));
  return (
    <NativeSelect {...common} onChange={({ target }) => onChange(target.value)}>
      <option value="">{t('contacts.field.noValue')}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </NativeSelect>
  );
}

function sayCustom(contact: Contact, { key, type }: CustomField): string {
  const value = contact.customFields[key];
  return value === undefined ? '—' : customValueText(type, value);
}

function shownText(name: (typeof texts)[number]['name'], text: string): string {
  if (name === 'phone') return text ? formatPhone(text) : t('contacts.hiddenNumber');
  return text || '—';
}
