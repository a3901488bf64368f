import { DEFAULT_BUSINESS_NAME, generalLimits, weekStarts } from '@app/domain/settings/general-settings';
import { readPhoneCountry } from '@app/domain/contacts/phone-country';
import { interfaceLanguages, type InterfaceLanguage } from '@app/domain/text/interface-language';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api.ts';
import { ProfileFields } from '../../shared/business-profile/profile-fields.tsx';
import {
  problemOfLength,
  problemsOfProfile,
  writtenProfile,
} from '../../shared/business-profile/profile-problems.ts';
import { CountryOptions } from '../../shared/contacts/country-options.tsx';
import { formatWeekday } from '../../shared/formats.ts';
import { languageNames } from '../../shared/languages/language-names.ts';
import { t } from '../../shared/messages.ts';
import { readSessionAnew } from '../../shared/session.ts';
import { Combobox } from '../../ui/controls/combobox.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, NativeSelect } from '../../ui/input.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { PlanPanel } from './plan-panel.tsx';
import { PricesPanel, pricesProblem } from './prices-panel.tsx';
import { ProfilePanel } from './profile-panel.tsx';
import { SettingsForm } from './settings-form.tsx';
import { generalOptions, type GeneralSettings } from './settings-queries.ts';
import { FormState } from '../../shared/actions/form-state.tsx';

/** What the workspace says of itself, and how it reckons where nobody chose anything. */
export function GeneralTab() {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(generalOptions());
  if (!data) return <FormState error={error} onRetry={() => void refetch()} />;
  return (
    <SettingsForm<GeneralSettings>
      saved={data}
      onSave={async (values) => {
        const kept = await api.settings.updateGeneral(writtenProfile(values));
        queryClient.setQueryData(generalOptions().queryKey, kept);
        await readSessionAnew(); // the name stands in it
        return kept;
      }}
      onReadAnew={() => queryClient.fetchQuery({ ...generalOptions(), staleTime: 0 })}
      findProblem={(values) => (isRight(values) ? pricesProblem(values.priceList) : t('settings.mend'))}
    >
      {(values, change) => (
        <>
          <ProfilePanel onTake={change} />
          <Business values={values} change={change} />
          <Defaults values={values} change={change} />
          <PlanPanel />
          <PricesPanel currency={values.currency} priceList={values.priceList} onChange={change} />
        </>
      )}
    </SettingsForm>
  );
}

interface PartProps {
  values: GeneralSettings;
  change: (patch: Partial<GeneralSettings>) => void;
}

function Business({ values, change }: PartProps) {
  return (
    <Panel title={t('settings.general.business')} purpose={t('settings.general.businessHint')}>
      <ProfileFields
        values={values}
        change={change}
        first={
          <Field
            label={t('settings.general.name')}
            hint={t('settings.general.nameHint', { placeholder: '{{business}}' })}
            error={problemOfLength(values.businessName, generalLimits.businessName)}
          >
            <Input
              value={values.businessName}
              placeholder={DEFAULT_BUSINESS_NAME}
              autoComplete="organization"
              onChange={(event) => change({ businessName: event.currentTarget.value })}
            />
          </Field>
        }
      />
    </Panel>
  );
}

function Defaults({ values, change }: PartProps) {
  const zones = [...new Set(['UTC', values.timeZone, ...Intl.supportedValuesOf('timeZone')])];
  const optionOf = (zone: string) => ({ value: zone, label: zone.replaceAll('_', ' ') });
  return (
    <Panel title={t('settings.general.defaults')} purpose={t('settings.general.defaultsHint')}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('settings.general.timeZone')}>
          <Combobox
            value={optionOf(values.timeZone)}
            onChange={(zone) => {
              if (zone) change({ timeZone: zone.value });
            }}
            options={zones.map(optionOf)}
          />
        </Field>
        <Field label={t('settings.general.language')} hint={t('settings.general.languageHint')}>
          <Select<InterfaceLanguage>
            value={values.language}
            onChange={(language) => change({ language })}
            options={interfaceLanguages.map((value) => ({ value, label: languageNames[value] }))}
          />
        </Field>
        <Field label={t('settings.general.country')} hint={t('settings.general.countryHint')}>
          <NativeSelect
            value={values.country ?? ''}
            onChange={(event) => change({ country: readPhoneCountry(event.target.value) ?? null })}
          >
            <option value="">{t('settings.general.countryOfNumber')}</option>
            <CountryOptions />
          </NativeSelect>
        </Field>
        <Field label={t('settings.general.weekStart')}>
          <Select
            value={String(values.weekStartsOn)}
            onChange={(day) =>
              change({ weekStartsOn: weekStarts.find((start) => String(start) === day) ?? 1 })
            }
            options={weekStarts.map((day) => ({ value: String(day), label: formatWeekday(day) }))}
          />
        </Field>
      </div>
    </Panel>
  );
}

function isRight(values: GeneralSettings): boolean {
  return (
    problemOfLength(values.businessName, generalLimits.businessName) === undefined &&
    Object.keys(problemsOfProfile(values)).length === 0
  );
}
