import { useWatch } from 'react-hook-form';
import { derivePlatformName } from '@app/domain/templates/platform-name';
import type { ConnectionKind } from '@app/domain/templates/platform-status';
import { templateCategories, templateLanguages, templateStatuses } from '@app/domain/templates/template';
import { t } from '../../shared/messages.ts';
import { Field } from '../../ui/field.tsx';
import { Input, NativeSelect } from '../../ui/input.tsx';
import { categoryLabel, languageLabel, statusLabel } from './template-words.ts';
import type { Template } from './templates-queries.ts';
import { useFormOfTemplate } from './use-template-form.ts';

/** Name, category, language and, where people choose it themselves, the status. */
export function BasicFields({
  edited,
  connection,
  onFirstField,
}: {
  edited: Template | undefined;
  connection: ConnectionKind;
  onFirstField: (element: HTMLInputElement | null) => void;
}) {
  const { register, formState, control } = useFormOfTemplate();
  const name = useWatch({ control, name: 'name' });
  const nameField = register('name');
  const platformName = edited?.platform?.name ?? readablePlatformName(name);
  const isLanguageFixed = Boolean(edited?.platform);
  // Of the account it may have a locale that is not offered, and a copy begins with that.
  const own = formState.defaultValues?.language ?? 'en';
  const languages = isLanguageFixed ? [own] : [...new Set([...templateLanguages, own])];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label={t('templates.form.name')}
        required
        error={formState.errors.name?.message}
        hint={platformName ? t('templates.form.nameHint', { name: platformName }) : undefined}
        className="sm:col-span-2"
      >
        <Input
          {...nameField}
          ref={(element) => {
            nameField.ref(element);
            onFirstField(element);
          }}
          autoComplete="off"
        />
      </Field>
      <Field label={t('templates.form.category')}>
        <NativeSelect {...register('category')}>
          {templateCategories.map((category) => (
            <option key={category} value={category}>
              {categoryLabel(category)}
            </option>
          ))}
        </NativeSelect>
      </Field>
      <Field
        label={t('templates.form.language')}
        error={formState.errors.language?.message}
        hint={isLanguageFixed ? t('templates.form.languageFixed') : undefined}
      >
        <NativeSelect {...register('language', { disabled: false })} aria-disabled={isLanguageFixed}>
          {languages.map((language) => (
            <option key={language} value={language}>
              {languageLabel(language)}
            </option>
          ))}
        </NativeSelect>
      </Field>
      {connection === 'platform' ? null : (
        <Field
          label={t('templates.form.status')}
          hint={connection === 'sandbox' ? t('templates.form.statusHint') : undefined}
          className="sm:col-span-2"
        >
          <NativeSelect {...register('status')}>
            {templateStatuses.map((status) => (
              <option key={status} value={status}>
                {statusLabel(status)}
              </option>
            ))}
          </NativeSelect>
        </Field>
      )}
    </div>
  );
}

/** Undefined for a name without Latin letters: what it will be there is not known before it is saved. */
function readablePlatformName(name: string): string | undefined {
  const derived = derivePlatformName({ id: '', name });
  return derived === derivePlatformName({ id: '', name: '' }) ? undefined : derived;
}
