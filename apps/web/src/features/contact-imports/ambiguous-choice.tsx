import { formatPhone } from '@app/domain/contacts/format-phone';
import { twofoldReadings } from '@app/domain/contacts/ambiguous-number';
import { formatCountry, formatList } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Radio } from '../../ui/controls/choice.tsx';
import { FieldGroup } from '../../ui/field.tsx';
import type { ImportChoicesState } from './use-import-choices.ts';

/** Numbers of which nothing says whether their first digits are the code of another country: shown as both, chosen for the file. */
export function AmbiguousChoice({
  choices,
  twofold: { twofold: n, examples },
}: {
  choices: ImportChoicesState;
  twofold: NonNullable<ImportChoicesState['twofold']>;
}) {
  const { country, ambiguousReading, setAmbiguousReading } = choices;
  if (!country) return null;
  const labels = {
    international: t('contacts.importAmbiguous.international'),
    home: t('contacts.importAmbiguous.home', { country: formatCountry(country) }),
  };
  return (
    <FieldGroup
      legend={t('contacts.importAmbiguous', { n })}
      hint={t('contacts.importAmbiguousHint', {
        examples: formatList(
          examples.map(({ written }) => written),
          'and',
        ),
      })}
    >
      {twofoldReadings.map((reading) => (
        <Radio
          key={reading}
          name="twofold"
          label={labels[reading]}
          hint={examples.map((example) => formatPhone(example[reading])).join(' · ')}
          checked={ambiguousReading === reading}
          onChange={() => setAmbiguousReading(reading)}
        />
      ))}
    </FieldGroup>
  );
}
