import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { cleanText } from '@app/domain/contacts/contact';
import {
  cleanOptions,
  customFieldLimits,
  customFieldTypes,
  makeFieldKey,
  type CustomFieldType,
} from '@app/domain/custom-fields/custom-field';
import { orpc, readFailure } from '../../shared/api.ts';
import type { CustomField } from '../../shared/contacts/custom-fields.ts';
import { t } from '../../shared/messages.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, NativeSelect, Textarea } from '../../ui/input.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { refreshContacts } from '../../shared/contacts/contacts-queries.ts';
import { fieldErrorMessage } from './custom-field-failure.ts';

type Values = { label: string; type: CustomFieldType; description: string; options: string };

/** Makes a custom field, or changes what can change of one. */
export function CustomFieldForm({
  field,
  takenKeys,
  suggestion,
  onDone,
}: {
  field: CustomField | undefined;
  takenKeys: readonly string[];
  /** What a new one begins with. */
  suggestion?: { label: string; type: CustomFieldType } | undefined;
  /** With what was saved. */
  onDone: (saved?: CustomField) => void;
}) {
  // Kept as it was opened: what is saved must follow the version that the person saw.
  const [opened] = useState(field);
  const [first] = useState(() => ({ ...toValues(opened), ...suggestion }));
  const [values, setValues] = useState(first);
  const save = useSave(opened, onDone);
  const confirm = useConfirm();
  const change = (patch: Partial<Values>) => {
    setValues((before) => ({ ...before, ...patch }));
    save.forget();
  };
  const isChoice = values.type === 'choice';
  const isComplete = cleanText(values.label) !== '' && (!isChoice || optionsOf(values).length > 0);
  const isUnsaved = JSON.stringify(values) !== JSON.stringify(first) && !save.isSaved;
  const key = opened?.key ?? makeFieldKey(cleanText(values.label), new Set(takenKeys));
  const tooLong = isChoice ? longOption(values) : undefined;
  useUnsavedWarning(isUnsaved);

  async function close() {
    const isSure =
      !isUnsaved ||
      (await confirm({
        title: t('common.unsavedTitle'),
        text: t('common.unsavedText'),
        confirmLabel: t('common.unsavedLeave'),
        cancelLabel: t('common.unsavedStay'),
      }));
    if (isSure) onDone();
  }

  return (
    <FormDialog
      title={opened ? t('contacts.fields.editTitle') : t('contacts.fields.new')}
      submitLabel={t('common.save')}
      isReady={isComplete && tooLong === undefined}
      whyNot={isComplete ? undefined : t('contacts.fields.saveNeeds')}
      isSaving={save.isPending}
      onSubmit={() => void save.write(values)}
      onClose={() => void close()}
    >
      {save.general ? <Banner tone="danger">{save.general}</Banner> : null}
      <Field
        label={t('contacts.fields.label')}
        required
        hint={
          cleanText(values.label) === '' && !opened ? undefined : (
            <>
              {t('contacts.fields.keyHint')} <code className="font-mono">{`{{${key}}}`}</code>
            </>
          )
        }
        error={save.at('label')}
      >
        <Input
          value={values.label}
          maxLength={customFieldLimits.label}
          autoComplete="off"
          onChange={(event) => change({ label: event.target.value })}
        />
      </Field>
      <Field
        label={t('contacts.fields.type')}
        hint={opened ? t('contacts.fields.typeFixed') : t(`contacts.field.typeHint.${values.type}`)}
      >
        <NativeSelect
          value={values.type}
          disabled={opened !== undefined}
          onChange={(event) => change({ type: readType(event.target.value) })}
        >
          {customFieldTypes.map((type) => (
            <option key={type} value={type}>
              {t(`contacts.field.type.${type}`)}
            </option>
          ))}
        </NativeSelect>
      </Field>
      {isChoice ? (
        <Field
          label={t('contacts.fields.options')}
          required
          hint={t('contacts.fields.optionsHint')}
          error={
            save.at('options') ??
            (tooLong && t('contacts.fields.optionTooLong', { most: customFieldLimits.option }))
          }
        >
          <Textarea
            rows={5}
            value={values.options}
            onChange={(event) => change({ options: event.target.value })}
          />
        </Field>
      ) : null}
      <Field label={t('contacts.fields.description')} hint={t('contacts.fields.descriptionHint')}>
        <Input
          value={values.description}
          maxLength={customFieldLimits.description}
          autoComplete="off"
          onChange={(event) => change({ description: event.target.value })}
        />
      </Field>
    </FormDialog>
  );
}

function useSave(opened: CustomField | undefined, onDone: (saved: CustomField) => void) {
  const queryClient = useQueryClient();
  const create = useAction(orpc.customFields.create.mutationOptions());
  const update = useAction(orpc.customFields.update.mutationOptions());
  const [isSaved, setSaved] = useState(false);
  const failure = create.error ?? update.error;
  const place = failure && readFailure(failure).field?.split('.')[0];
  const isPending = create.isPending || update.isPending;

  async function write(values: Values): Promise<void> {
    const { label, type, description } = values;
    const options = type === 'choice' ? optionsOf(values) : [];
    try {
      const saved = opened
        ? await update.mutateAsync({
            ...{ fieldId: opened.id, version: opened.version },
            ...{ label, description, options },
          })
        : await create.mutateAsync({ label, type, description, options });
      setSaved(true);
      notify.success(t('contacts.fields.saved'));
      onDone(saved);
    } catch {
      // Shown in the form, from the failed call.
    }
    await refreshContacts(queryClient);
  }

  return {
    write,
    isSaved,
    isPending,
    at: (field: 'label' | 'options') => (failure && place === field ? fieldErrorMessage(failure) : undefined),
    general: failure && place !== 'label' && place !== 'options' ? fieldErrorMessage(failure) : undefined,
    forget: () => {
      create.reset();
      update.reset();
    },
  };
}

function toValues(field: CustomField | undefined): Values {
  return {
    label: field?.label ?? '',
    type: field?.type ?? 'text',
    description: field?.description ?? '',
    options: field?.options.join('\n') ?? '',
  };
}

function optionsOf({ options }: Values): string[] {
  return cleanOptions(options.split('\n'));
}

function longOption(values: Values): string | undefined {
  return optionsOf(values).find((option) => option.length > customFieldLimits.option);
}

function readType(text: string): CustomFieldType {
  return customFieldTypes.find((type) => type === text) ?? 'text';
}
