import {
  businessCategories,
  generalLimits,
  type BusinessCategory,
  type BusinessProfile,
} from '@app/domain/settings/general-settings';
import type { ReactNode } from 'react';
import { t } from '../messages.ts';
import { Select } from '../../ui/controls/select.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, Textarea } from '../../ui/input.tsx';
import { LogoField } from './logo-field.tsx';
import { problemsOfProfile } from './profile-problems.ts';

interface ProfileFieldsProps {
  values: BusinessProfile;
  change: (patch: Partial<BusinessProfile>) => void;
  /** What stands before the category. */
  first?: ReactNode;
}

/** What people see of the business beside its number: of the workspace, or of one number. */
export function ProfileFields({ values, change, first }: ProfileFieldsProps) {
  const problems = problemsOfProfile(values);
  const counter = (name: 'about' | 'address' | 'description') =>
    `${values[name].length}/${generalLimits[name]}`;
  const websites = Array.from({ length: generalLimits.websites }, (_, at) => values.websites[at] ?? '');
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <div className="sm:col-span-2">
        <LogoField logo={values.logo} onChange={(logo) => change({ logo })} />
      </div>
      {first}
      <Field label={t('settings.general.category')}>
        <Select<BusinessCategory>
          value={values.category}
          onChange={(category) => change({ category })}
          options={businessCategories.map((value) => ({ value, label: t(`settings.category.${value}`) }))}
        />
      </Field>
      <Field
        className="sm:col-span-2"
        label={t('settings.general.about')}
        hint={t('settings.general.aboutHint')}
        aside={counter('about')}
        error={problems['about']}
      >
        <Input value={values.about} onChange={(event) => change({ about: event.currentTarget.value })} />
      </Field>
      <Field
        className="sm:col-span-2"
        label={t('settings.general.description')}
        aside={counter('description')}
        error={problems['description']}
      >
        <Textarea
          rows={3}
          value={values.description}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
      </Field>
      <Field
        className="sm:col-span-2"
        label={t('settings.general.address')}
        aside={counter('address')}
        error={problems['address']}
      >
        <Input
          value={values.address}
          autoComplete="street-address"
          onChange={(event) => change({ address: event.currentTarget.value })}
        />
      </Field>
      <Field label={t('settings.general.email')} error={problems['email']}>
        <Input
          type="email"
          value={values.email}
          autoComplete="email"
          onChange={(event) => change({ email: event.currentTarget.value })}
        />
      </Field>
      {websites.map((website, at) => (
        <Field key={at} label={t('settings.general.website', { n: at + 1 })} error={problems[`website${at}`]}>
          <Input
            type="url"
            value={website}
            placeholder="https://"
            onChange={(event) => change({ websites: websites.with(at, event.currentTarget.value) })}
          />
        </Field>
      ))}
    </div>
  );
}
