import { useQuery } from '@tanstack/react-query';
import { duplicateRules } from '@app/domain/contact-imports/contact-import';
import { tagsOptions } from '../../shared/contacts/contacts-queries.ts';
import { CountryField } from '../../shared/contacts/country-field.tsx';
import { TagInput } from '../../shared/contacts/tag-input.tsx';
import { formatCountry } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Radio } from '../../ui/controls/choice.tsx';
import { Field, FieldGroup } from '../../ui/field.tsx';
import { NativeSelect } from '../../ui/input.tsx';
import { ColumnMapping } from './column-mapping.tsx';
import { LettersChoice } from './letters-choice.tsx';
import { AmbiguousChoice } from './ambiguous-choice.tsx';
import { WithoutCodeChoice } from './without-code-choice.tsx';
import { ConsentChoice } from './consent-choice.tsx';
import type { ImportChoicesState } from './use-import-choices.ts';

/** Which column is which, and what holds for the whole file. */
export function ImportOptions({ choices }: { choices: ImportChoicesState }) {
  const tags = useQuery(tagsOptions).data?.items ?? [];
  return (
    <>
      {choices.sheets.length > 1 ? (
        <Field label={t('contacts.importSheet')} hint={t('contacts.importSheetHint')}>
          <NativeSelect
            value={choices.sheet ?? choices.sheets[0]}
            onChange={(event) => choices.setSheet(event.target.value)}
          >
            {choices.sheets.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </NativeSelect>
        </Field>
      ) : null}
      {choices.letters ? <LettersChoice choices={choices} letters={choices.letters} /> : null}
      <CountryField
        value={choices.country}
        onChange={choices.setCountry}
        hint={hintCountry(choices)}
        isNeeded={choices.needsCountry}
      />
      {choices.withoutCode ? <WithoutCodeChoice choices={choices} withoutCode={choices.withoutCode} /> : null}
      {choices.twofold ? <AmbiguousChoice choices={choices} twofold={choices.twofold} /> : null}
      {choices.columns.length > 0 ? <ColumnMapping choices={choices} /> : null}
      <Field label={t('contacts.importTags')} hint={t('contacts.importTagsHint')}>
        <TagInput value={choices.tags} onChange={choices.setTags} suggestions={tags.map(({ tag }) => tag)} />
      </Field>
      <ConsentChoice choices={choices} />
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

function hintCountry({ country, countryOfFile, isKeptCountry }: ImportChoicesState): string {
  if (countryOfFile)
    return t(country === countryOfFile ? 'contacts.importCountryOfFile' : 'contacts.importCountryHinted', {
      country: formatCountry(countryOfFile),
    });
  return t(isKeptCountry ? 'contacts.importCountryKept' : 'contacts.importCountryHint');
}
