import {
  businessCategories,
  DEFAULT_BUSINESS_NAME,
  generalLimits,
  readWebsite,
  weekStarts,
  type BusinessCategory,
} from '@app/domain/settings/general-settings';
import { readEmailAddress } from '@app/domain/contacts/contact';
import { interfaceLanguages, type InterfaceLanguage } from '@app/domain/text/interface-language';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api.ts';
import { formatWeekday } from '../../shared/formats.ts';
import { languageNames } from '../../shared/languages/language-names.ts';
import { t } from '../../shared/messages.ts';
import { readSessionAnew } from '../../shared/session.ts';
import { Combobox } from '../../ui/controls/combobox.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, Textarea } from '../../ui/input.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { PlanPanel } from './plan-panel.tsx';
import { PricesPanel, pricesProblem } from './prices-panel.tsx';
import { ProfilePanel } from './profile-panel.tsx';
import { SettingsForm } from './settings-form.tsx';
import { generalOptions, type GeneralSettings } from './settings-queries.ts';
import { FormState } from '../../shared/acts/form-state.tsx';

/** What the workspace says of itself, and how it reckons where nobody chose anything. */
export function GeneralTab() {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(generalOptions());
  if (!data) return <FormState error={error} onRetry={() => void refetch()} />;
  return (
    <SettingsForm<GeneralSettings>
      saved={data}
      onSave={async (values) => {
        const kept = await api.settings.updateGeneral({
          ...values,
          websites: values.websites.filter((website) => website.trim() !== ''),
        });
        queryClient.setQueryData(generalOptions().queryKey, kept);
        await readSessionAnew(); // the name stands in it
        return kept;
      }}
      onReadAnew={() => queryClient.fetchQuery({ ...generalOptions(), staleTime: 0 })}
      findProblem={(values) =>
        Object.values(problemsOf(values)).some(Boolean) ? t('settings.mend') : pricesProblem(values.priceList)
      }
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
  const problems = problemsOf(values);
  const counter = (name: 'about' | 'address' | 'description') =>
    `${values[name].length}/${generalLimits[name]}`;
  const websites = Array.from({ length: generalLimits.websites }, (_, at) => values.websites[at] ?? '');
  return (
    <Panel title={t('settings.general.business')} purpose={t('settings.general.businessHint')}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={t('settings.general.name')}
          hint={t('settings.general.nameHint', { placeholder: '{{business}}' })}
          error={problems.businessName}
        >
          <Input
            value={values.businessName}
            placeholder={DEFAULT_BUSINESS_NAME}
            autoComplete="organization"
            onChange={(event) => change({ businessName: event.currentTarget.value })}
          />
        </Field>
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
          error={problems.about}
        >
          <Input value={values.about} onChange={(event) => change({ about: event.currentTarget.value })} />
        </Field>
        <Field
          className="sm:col-span-2"
          label={t('settings.general.description')}
          aside={counter('description')}
          error={problems.description}
        >
          <Textarea
            rows={3}
            value={values.description}
            onChange={(event) => change({ description: event.currentTarget.value })}
          />
        </Field>
        <Field
          label={t('settings.general.address')}
          aside={counter('address')}
          error={problems.address}
          className="sm:col-span-2"
        >
          <Input
            value={values.address}
            autoComplete="street-address"
            onChange={(event) => change({ address: event.currentTarget.value })}
          />
        </Field>
        <Field label={t('settings.general.email')} error={problems.email}>
          <Input
            type="email"
            value={values.email}
            autoComplete="email"
            onChange={(event) => change({ email: event.currentTarget.value })}
          />
        </Field>
        {websites.map((website, at) => (
          <Field
            key={at}
            label={t('settings.general.website', { n: at + 1 })}
            error={problems[`website${at}`]}
          >
            <Input
              type="url"
              value={website}
              placeholder="https://"
              onChange={(event) => change({ websites: websites.with(at, event.currentTarget.value) })}
            />
          </Field>
        ))}
      </div>
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

/** What the server would refuse, by field. */
function problemsOf(values: GeneralSettings): Record<string, string | undefined> {
  const tooLong = (['businessName', 'about', 'address', 'description'] as const).map((name) => [
    name,
    values[name].trim().length > generalLimits[name]
      ? t('settings.tooLong', { n: generalLimits[name] })
      : undefined,
  ]);
  const email = values.email.trim();
  const isEmail = email === '' || (readEmailAddress(email) === email && email.length <= generalLimits.email);
  const websites = values.websites.map((website, at) => [
    `website${at}`,
    website.trim() === '' || readWebsite(website) !== null ? undefined : t('settings.websiteWrong'),
  ]);
  return Object.fromEntries([
    ...tooLong,
    ...websites,
    ['email', isEmail ? undefined : t('settings.emailWrong')],
  ]) as Record<string, string | undefined>;
}
