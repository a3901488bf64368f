import { formatList } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Field } from '../../ui/field.tsx';
import { NativeSelect } from '../../ui/input.tsx';
import type { Letters } from './read-file-start.ts';
import type { ImportChoicesState } from './use-import-choices.ts';

/** A file that does not say in which letters it is written: names of it show whether they are right, and others can be chosen. */
export function LettersChoice({ choices, letters }: { choices: ImportChoicesState; letters: Letters }) {
  const { encoding, possible } = letters;
  const examples = possible.find((one) => one.encoding === encoding)?.examples ?? [];
  return (
    <Field
      label={t('contacts.importLetters')}
      hint={
        examples.length > 0
          ? t('contacts.importLettersHint', { examples: formatList([...examples], 'and') })
          : undefined
      }
    >
      <NativeSelect value={encoding} onChange={(event) => choices.setEncoding(event.target.value)}>
        {possible.map((one) => (
          <option key={one.encoding} value={one.encoding}>
            {[one.examples.join(', '), one.encoding].filter(Boolean).join(' · ')}
          </option>
        ))}
      </NativeSelect>
    </Field>
  );
}
