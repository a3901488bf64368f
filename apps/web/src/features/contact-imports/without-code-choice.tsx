import { formatPhone } from '@app/domain/contacts/format-phone';
import { formatCountry, formatList } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Radio } from '../../ui/controls/choice.tsx';
import { FieldGroup } from '../../ui/field.tsx';
import type { ImportChoicesState } from './use-import-choices.ts';

const EXAMPLES = 3;

/** Numbers without + or 00 where nothing says of which country they are: the likely one is proposed, and what they would be as they stand is shown. */
export function WithoutCodeChoice({
  choices,
  withoutCode: { numbers, likely },
}: {
  choices: ImportChoicesState;
  withoutCode: NonNullable<ImportChoicesState['withoutCode']>;
}) {
  const examples = numbers.slice(0, EXAMPLES);
  return (
    <FieldGroup
      legend={t('contacts.importWithoutCode', { n: numbers.length })}
      hint={t('contacts.importWithoutCodeHint', { examples: formatList(examples, 'and') })}
    >
      {likely ? (
        <Radio
          name="withoutCode"
          label={t('contacts.importAmbiguous.home', { country: formatCountry(likely) })}
          checked={choices.country === likely}
          onChange={() => choices.setCountry(likely)}
        />
      ) : null}
      <Radio
        name="withoutCode"
        label={t('contacts.importAmbiguous.international')}
        hint={examples.map(asWhole).filter(Boolean).join(' · ')}
        checked={choices.isWhole}
        onChange={choices.setWhole}
      />
    </FieldGroup>
  );
}

/** No country code begins with 0. */
function asWhole(written: string): string {
  const digits = written.replaceAll(/\D/g, '');
  return digits.startsWith('0') ? '' : formatPhone(`+${digits}`);
}
