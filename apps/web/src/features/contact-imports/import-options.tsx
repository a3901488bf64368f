import { phoneCountries, readPhoneCountry } from '@app/domain/contacts/phone-country';
import {
  duplicateRules,
  importColumns,
  nameParts,
  type ImportTarget,
} from '@app/domain/contact-imports/contact-import';
import { consentColumns } from '@app/domain/contact-imports/import-consent';
import { formatCountry, formatList } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Checkbox, Radio } from '../../ui/controls/choice.tsx';
import { Field, FieldGroup } from '../../ui/field.tsx';
import { NativeSelect } from '../../ui/input.tsx';
import type { ImportChoicesState } from './use-import-choices.ts';

/** Which column is which, and what to do with numbers that are here already. */
export function ImportOptions({ choices }: { choices: ImportChoicesState }) {
  return (
    <>
      {choices.headings.length > 0 ? (
        <FieldGroup legend={t('contacts.mapping')}>
          <div className="grid gap-3 sm:grid-cols-2">
            {columnsToChoose(choices).map((column) => (
              <ColumnChoice
                key={column}
                choices={choices}
                target={column}
                label={t(`contacts.mapping.${column}`)}
              />
            ))}
            {consentColumns.map((column) => (
              <ColumnChoice
                key={column}
                choices={choices}
                target={column}
                label={t(`contacts.mapping.${column}`)}
              />
            ))}
            {choices.fields.map(({ id, key, label }) => (
              <ColumnChoice key={id} choices={choices} target={`custom:${key}`} label={label} />
            ))}
          </div>
          <LeftOut choices={choices} />
        </FieldGroup>
      ) : null}
      <ConsentChoice choices={choices} />
      <CountryChoice choices={choices} />
      <FieldGroup legend={t('contacts.duplicates')}>
        {duplicateRules.map((rule) => (
          <Radio
            key={rule}
            name="duplicates"
            label={t(`contacts.duplicates.${rule}`)}
            hint={t(`contacts.duplicates.${rule}Hint`)}
            checked={choices.duplicates === rule}
            onChange={() => choices.setDuplicates(rule)}
          />
        ))}
      </FieldGroup>
    </>
  );
}

/** What is made of the words in the file, before anything is. JSON is read by the same names. */
function ConsentChoice({ choices }: { choices: ImportChoicesState }) {
  if (!choices.saysConsent && !choices.saysOptOut) return null;
  return (
    <FieldGroup legend={t('contacts.importConsent')} hint={t('contacts.importConsentRules')}>
      {choices.saysConsent ? (
        <Checkbox
          label={
            choices.consentOfOther === null
              ? t('contacts.importConsentStated')
              : t('contacts.importConsentStatedOther', { heading: choices.consentOfOther })
          }
          hint={t('contacts.importConsentStatedHint')}
          checked={choices.isConsentStated}
          onChange={(event) => choices.setConsentStated(event.target.checked)}
        />
      ) : null}
      {choices.duplicates === 'skip' ? (
        <p className="text-sm text-muted">{t('contacts.importConsentSkipped')}</p>
      ) : null}
    </FieldGroup>
  );
}

/** Nobody should find out later what is missing. */
function LeftOut({ choices: { leftOut } }: { choices: ImportChoicesState }) {
  const names = leftOut.map(({ heading, place }) => heading || t('contacts.importColumn', { place }));
  return (
    <p role="status" className="mt-3 text-sm text-muted wrap-anywhere empty:hidden">
      {names.length > 0
        ? t('contacts.importLeftOut', { n: names.length, columns: formatList(names, 'and') })
        : null}
    </p>
  );
}

/** Where no column has the whole name, its parts can be chosen. */
function columnsToChoose(choices: ImportChoicesState) {
  const [name, ...others] = importColumns;
  return choices.headingOf(name) === '' ? [name, ...nameParts, ...others] : importColumns;
}

/** A wrong country would make wrong numbers of them all, so that none is chosen for people. */
function CountryChoice({ choices }: { choices: ImportChoicesState }) {
  const countries = phoneCountries
    .map((code) => ({ code, name: formatCountry(code) }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
  return (
    <Field label={t('contacts.importCountry')} hint={t('contacts.importCountryHint')}>
      <NativeSelect
        value={choices.country ?? ''}
        onChange={(event) => choices.setCountry(readPhoneCountry(event.target.value))}
      >
        <option value="">{t('contacts.importCountryNone')}</option>
        {countries.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </NativeSelect>
    </Field>
  );
}

function ColumnChoice({
  choices,
  target,
  label,
}: {
  choices: ImportChoicesState;
  target: ImportTarget;
  label: string;
}) {
  return (
    <Field label={label}>
      <NativeSelect
        value={choices.headingOf(target)}
        onChange={(event) => choices.choose(target, event.target.value)}
      >
        <option value="">{t('contacts.mapping.none')}</option>
        {choices.headings.map((heading) => (
          <option key={heading} value={heading}>
            {heading}
          </option>
        ))}
      </NativeSelect>
    </Field>
  );
}
